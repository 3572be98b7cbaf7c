"""The validity section: one line a gate, and the whole way of a spoilt trial from its record to the page."""

from __future__ import annotations

import html
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.analyse.gates import GATES
from fwdlab.analyse.result import CampaignResult
from fwdlab.campaign import Campaign, Member, campaigns_text
from fwdlab.cli import main
from fwdlab.files import sha256_of, write_whole
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.formats import fold
from fwdlab.profiles.idle import idle_reason
from fwdlab.records.model import RawFile, Record
from fwdlab.records.store import Folders, record_path
from fwdlab.records.text import record_text
from fwdlab.render.model import GateReport
from fwdlab.render.validity import gate_reports
from tests.unit.analyse.records import record, with_facts, with_slice
from tests.unit.render import examples

OLD, NEW = (("qemu-x86", revision, "forwarding", "none", "udp4-64") for revision in examples.REVISIONS)
REASON = "sender could not send 3 frames beside 40000 sent; look at its interface"
RATES = (120_500.0, 120_510.0, 120_490.0)


def idle(samples: int) -> Profile:
    return fold(f"swapper;do_idle;default_idle {samples}\nkpktgend_0;pktgen_xmit {1000 - samples}\n", "x")


def reports(records: list[Record], result: CampaignResult, profile: Profile | None, folder: Path) -> list[GateReport]:
    cases = [replace(examples.case_report(sample.names, folder), profile=profile) for sample in result.samples]
    return list(gate_reports(records, result, cases))


def result() -> CampaignResult:
    return examples.result(hardware=("qemu-x86",))


def test_each_gate_has_one_line_that_says_its_limit(tmp_path: Path) -> None:
    found = reports([record()], result(), idle(0), tmp_path)
    assert [line.name for line in found] == [*(gate.name for gate in GATES), "saturation", "ceiling", "profile"]
    assert all(re.search(r"\d|planned", line.asks) for line in found)


def test_trials_that_pass_fail_and_do_not_tell_are_counted_apart(tmp_path: Path) -> None:
    trials = [
        record(),
        with_facts(record(repeat=2)),
        with_facts(record(repeat=3), kernel_release="a", planned_release="b"),
    ]
    (kernel,) = (line for line in reports(trials, result(), None, tmp_path) if line.name == "kernel")
    assert (kernel.passed, kernel.untold, len(kernel.faults)) == (1, 1, 1)
    assert kernel.faults[0].trial == "repeat-3"
    assert kernel.faults[0].reason.startswith("DUT booted 'a', planned was 'b'")


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        (0, ""),
        (500, ""),
        (501, "50.1 % of it is idle; profile while the load is offered"),
        (1000, "100.0 % of it is idle"),
    ],
)
def test_a_profile_may_be_half_idle(samples: int, said: str) -> None:
    assert bool(idle_reason(idle(samples))) == bool(said)
    assert idle_reason(idle(samples)).startswith(said)


def test_an_idle_profile_and_none_at_all_are_told_apart(tmp_path: Path) -> None:
    found = result()
    cases = len(found.samples)
    busy, waiting, none = (reports([], found, profile, tmp_path)[-1] for profile in (idle(10), idle(900), None))
    assert (busy.passed, busy.untold, busy.faults) == (cases, 0, ())
    assert len(waiting.faults) == cases
    assert (none.passed, none.untold, none.faults) == (0, cases, ())


def test_two_firewalls_at_one_steady_value_stand_at_a_ceiling(tmp_path: Path) -> None:
    found = result()
    steady = tuple(
        replace(
            sample, key=str(place), values=tuple(1.488e6 + step for step in range(5)) if place < 3 else sample.values
        )
        for place, sample in enumerate(found.samples)
    )
    floors = tuple(replace(item, noise_floor=0.002) for item in found.comparisons)
    line = reports([], replace(found, samples=steady, comparisons=floors), None, tmp_path)[-2]
    assert [fault.names for fault in line.faults] == [found.samples[0].names, found.samples[2].names]
    assert "1.488 Mpps is that of nft-stateless too" in line.faults[0].reason
    assert line.passed == len(steady) - 2


def campaign() -> Campaign:
    asked = examples.campaign("revision", examples.REVISIONS, [OLD, NEW], "by-revision")
    return replace(asked, members=(Member(names=OLD, key="0" * 12), Member(names=NEW, key="1" * 12)))


def keep(results: Path, trials: Iterable[Record]) -> None:
    """The trials as records on disk, each with raw output."""
    folders = Folders(results=results)
    for trial in trials:
        name = f"repeat-{trial.trial.repeat}/result"
        raw = folders.run_of(trial) / name
        write_whole(raw, "counted\n")
        told = RawFile(path=name, sha256=sha256_of(raw), size=raw.stat().st_size)
        write_whole(folders.records / record_path(trial), record_text(replace(trial, raw=(told,))))


def trials_of(member: Member, rates: tuple[float, ...]) -> list[Record]:
    """Valid trials at these rates, then one more whose sender met errors."""
    valid = [record(pps, repeat, member.names, member.key) for repeat, pps in enumerate(rates, 1)]
    return [*valid, with_slice(record(repeat=len(rates) + 1, names=member.names, key=member.key), errors=3)]


def published(folder: Path, new_rates: tuple[float, ...], leaf: str = "") -> tuple[str, str]:
    """What `fwdlab site` prints, and the text of the campaign's page; each profile a sample in one function, if any."""
    asked = campaign()
    old, new = asked.members
    keep(folder / "results", [*trials_of(old, RATES), *trials_of(new, new_rates)])
    for member in asked.members if leaf else ():
        profile = folder.joinpath("results", "runs", *member.names, member.key, "profile", "perf.script")
        write_whole(profile, f"swapper 0 [000] 1.5: 7 cpu-clock:\n\tffff {leaf}+0x1 (x)\n\n")
    write_whole(folder / "results" / "campaigns.json", campaigns_text([asked]))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    words = ["site", "--results", str(folder / "results"), "--public", str(folder / "public")]
    done = CliRunner(env={"PATH": path}).invoke(main, words)
    assert done.exit_code == 0, done.output
    page = (folder / "public/campaigns/by-revision.html").read_text()
    return done.stdout, " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_a_spoilt_trial_leaves_the_sample_and_the_page_says_so_twice(tmp_path: Path) -> None:
    printed, page = published(tmp_path, tuple(1.29 * rate for rate in RATES))
    assert re.search(r"120\.5\d* +155\.4\d* +3 .* better\n", printed)
    assert f"base: left out repeat-4: {REASON}" in printed
    assert f"base: left out repeat-4: {REASON}" in page
    assert f"new: left out repeat-4: {REASON}" in page
    assert "6 of 8 trials are valid. 2 are left out." in page
    assert "sender errors 6 of 8 trials" in page
    assert f"debian-6.1 · forwarding · none · udp4-64 · repeat-4 : {REASON}" in page


def test_too_few_trials_left_make_the_comparison_invalid_with_their_reason(tmp_path: Path) -> None:
    printed, page = published(tmp_path, RATES[:2])
    for told in (printed, page):
        assert "new has 2 valid repeats of 3; 1 more would allow a comparison" in told
        assert f"new: repeat-3: {REASON}" in told
    assert "1 comparison against debian-6.1: 1 invalid." in page


def test_a_dut_that_idled_at_maximum_load_spoils_every_trial_of_its_case(tmp_path: Path) -> None:
    printed, page = published(tmp_path, tuple(1.29 * rate for rate in RATES), leaf="default_idle")
    fault = "the DUT was 100.0 % idle at maximum load, so something else was the limit"
    assert "invalid" in printed
    for told in (printed, page):
        assert f"base: repeat-1: {fault}" in told
    assert "0 of 8 trials are valid. 8 are left out." in page
    assert "saturation 0 of 8 trials" in page
    assert "1 sample, 100.0 % idle: it says nothing about the DUT" in page
    assert "Where it went" not in page
    flame = min((tmp_path / "public/flames").glob("*.html")).read_text()
    assert "<li>100.0 % of it is idle; profile while the load is offered</li>" in flame


def test_a_proven_difference_without_profiles_says_that_there_is_no_graph(tmp_path: Path) -> None:
    _, page = published(tmp_path, tuple(1.29 * rate for rate in RATES))
    assert "No differential flame graph: base has no profile." in page


def test_a_proven_difference_with_profiles_has_its_page(tmp_path: Path) -> None:
    _, page = published(tmp_path, tuple(1.29 * rate for rate in RATES), leaf="ip_forward")
    assert "Samples of cpu-clock: 1 in debian-6.1 and 1 in debian-6.12. Cost in instructions a packet: 8299 in" in page
    assert len(list((tmp_path / "public/differences").glob("*.html"))) == 1
