"""A mostly idle DUT: at maximum load its trials do not count, below it only its profile says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fwdlab.analyse.campaign import judged
from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.idle import idle_fault, profile_of_run
from fwdlab.analyse.load import records_reader
from fwdlab.analyse.result import Comparison, Verdict
from fwdlab.analyse.samples import sample_of
from fwdlab.files import write_whole
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.formats import fold
from fwdlab.records.model import Record
from fwdlab.records.store import Folders
from tests.unit.analyse.records import record, with_slice, with_trial
from tests.unit.render import examples
from tests.unit.render.test_validity import OLD, campaign, keep

FAULT = (
    "the DUT was 62.0 % idle at maximum load, so something else was the limit; look at sender and link, or profile "
    "only the processors that forward"
)


def idle(share: float) -> Profile:
    samples = round(1000 * share)
    return fold(f"swapper;do_idle;default_idle {samples}\nkpktgend_0;pktgen_xmit {1000 - samples}\n", "x")


@pytest.mark.parametrize(("share", "said"), [(0.0, ""), (0.5, ""), (0.62, FAULT)])
def test_at_maximum_load_a_dut_may_be_half_idle(share: float, said: str) -> None:
    assert idle_fault(record(), idle(share)) == said


def test_below_maximum_load_and_without_a_profile_it_does_not_tell() -> None:
    assert idle_fault(with_trial(record(), intended_pps=1e5), idle(0.9)) is None
    assert idle_fault(record(), None) is None


def test_no_trial_of_an_idle_case_counts_and_each_says_why_beside_its_other_faults() -> None:
    trials = [record(repeat=1), with_slice(record(repeat=2), errors=3)]
    sample = sample_of(trials, idle(0.62))
    (other,) = faults_of(trials[1])
    assert sample.values == ()
    assert sample.invalid == (f"repeat-1: {FAULT}", f"repeat-2: {other}; {FAULT}")
    assert sample_of(trials).values == sample_of(trials, idle(0.5)).values == (120_000.0,)


def compared(profiles: Mapping[str, Profile], intended: float | None) -> Comparison:
    """The one comparison of a campaign, new 29 % faster than base."""
    trials: list[Record] = [
        with_trial(record(pps * factor, repeat, member.names, member.key), intended_pps=intended)
        for member, factor in zip(campaign().members, (1.0, 1.29), strict=True)
        for repeat, pps in enumerate((120_500.0, 120_510.0, 120_490.0), 1)
    ]
    return judged(campaign(), trials, {}, profiles).comparisons[0]


def test_an_idle_dut_at_maximum_load_makes_the_comparison_invalid() -> None:
    old = campaign().members[0]
    found = compared({old.key: idle(0.62)}, None)
    assert found.verdict is Verdict.INVALID
    assert found.caveats[:2] == (
        "base has 0 valid repeats of 3; 3 more would allow a comparison",
        f"base: repeat-1: {FAULT}",
    )


def test_an_idle_dut_below_maximum_load_is_a_caveat() -> None:
    old, new = campaign().members
    found = compared({old.key: idle(0.2), new.key: idle(0.62)}, 100_000.0)
    assert found.verdict is Verdict.BETTER
    assert found.caveats[-1] == "new's profile: 62.0 % of it is idle; profile while the load is offered"
    assert not any("idle" in caveat for caveat in compared({}, 100_000.0).caveats)


def test_a_case_that_is_compared_by_name_is_held_to_its_profile_too(tmp_path: Path) -> None:
    found = record(names=OLD, key="0" * 12)
    folders = Folders(results=tmp_path)
    keep(tmp_path, [found])
    profile = folders.run_of(found) / "profile" / "perf.script"
    write_whole(profile, "swapper 0 [000] 1.5: 7 cpu-clock:\n\tffff default_idle+0x1 (x)\n\n")
    source = records_reader(tmp_path)("/".join(OLD))
    assert source is not None
    assert source.sample.values == ()
    assert source.sample.invalid[0].startswith("repeat-1: the DUT was 100.0 % idle at maximum load")


def test_a_run_without_a_profile_and_one_with_a_cut_profile_say_so(tmp_path: Path) -> None:
    folders, run = Folders(results=tmp_path), tmp_path / "runs" / "a"
    assert profile_of_run(folders, run).note == "no profile was collected"
    write_whole(run / "profile" / "perf.script", "swapper 0 [000] 1.5: 7 cpu-clock:\n\tffff ip_rc")
    found = profile_of_run(folders, run)
    assert found.profile is None
    assert found.note.endswith("perf.script:2:1: ends within a sample, so the profile is cut; collect it again")


def test_the_example_is_busy_enough() -> None:
    assert idle_fault(record(), examples.profile()) == ""
