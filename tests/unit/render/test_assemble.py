from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.floor import NoiseFloor
from fwdlab.analyse.idle import profile_of_run
from fwdlab.campaign import Campaign
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.render.assemble import Measured, campaign_page
from fwdlab.render.conditions import conditions_of
from fwdlab.render.model import CampaignPage, Pair
from tests.unit.records import example
from tests.unit.render.examples import campaign

CASES = [example.case(firewall=name) for name in ("forwarding", "nft-stateful")]
PERF = "a 1 [000] 2.0: 100 cpu-clock: \n\tffff ip_forward+0x1 ([kernel.kallsyms])\n\n"


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """Two cases of three repeats, each with a profile."""
    found = Folders(results=tmp_path / "results")
    for of in CASES:
        run = example.write_run(found.runs, of)
        (run / "profile").mkdir()
        (run / "profile" / "perf.script").write_text(PERF)
    return found


def asked() -> Campaign:
    made = campaign("firewall", ("forwarding", "nft-stateful"), [of.names for of in CASES], "cost")
    members = [type(member)(names=member.names, key=of.key) for member, of in zip(made.members, CASES, strict=True)]
    return type(made)(**{**{name: getattr(made, name) for name in made.__slots__}, "members": tuple(members)})


def page(
    folders: Folders, floors: Mapping[str, NoiseFloor] | None = None, command: str = "./lab run -m x.yaml"
) -> CampaignPage:
    wanted = [of.folder for of in CASES]
    make_records(folders, wanted)
    records = load_records(folders, wanted).records
    profiles = {record.key: profile_of_run(folders, folders.run_of(record)) for record in records}
    measured = Measured(records=records, profiles=profiles, floors=floors or {})
    return campaign_page(asked(), measured, folders, command)


def condition(found: CampaignPage, label: str) -> str:
    (value,) = (pair.value for pair in found.conditions if pair.label == label)
    return value


def test_a_page_says_under_which_conditions_and_how_to_repeat_it(folders: Folders) -> None:
    found = page(folders)
    assert found.command == "./lab run -m x.yaml"
    assert (found.measured, found.virtual) == ("2026-11-21", True)
    assert condition(found, "kernel") == "debian-6.1: 6.1.0-56-cloud-amd64"
    assert condition(found, "frames") == "udp4-64: 64 octets with FCS"
    assert condition(found, "offered load").startswith("as much as the sender can (FRMOL, no throughput")
    assert condition(found, "generator") == "pktgen 2.75"
    assert condition(found, "repeats") == "5 boots a case, interleaved in rounds"
    assert condition(found, "sender's own cost").startswith("37 to 37 % of a packet's time")
    assert condition(found, "held fixed") == "2000 flows of smallest UDP packets"


@pytest.mark.parametrize(("gate", "said"), [(True, "'worse' fails the pipeline"), (False, "'worse' warns only")])
def test_a_page_says_what_a_pipeline_makes_of_worse(gate: bool, said: str) -> None:
    assert Pair(label="gate", value=said) in conditions_of(replace(asked(), gate=gate), ())


def test_a_real_machine_is_described(tmp_path: Path) -> None:
    facts = {"topology": "two-nodes", "line_rate": "10 Gbit/s", "nic": "Intel 82599 (ix)", "cpu": "Xeon L5630"}
    made = example.record(tmp_path)
    real = replace(made, conditions=replace(made.conditions, facts=tuple(facts.items())))
    (pair,) = (pair for pair in conditions_of(asked(), [real]) if pair.label == "machine")
    assert pair.value == "qemu-x86: two-nodes, 10 Gbit/s, Intel 82599 (ix), Xeon L5630"
    paced = replace(real, trial=replace(real.trial, intended_pps=7_440_476.0))
    assert Pair(label="offered load", value="7440476 pps, 50 % of line rate") in conditions_of(asked(), [paced])


def test_time_spent_is_the_sum_over_the_trials(folders: Folders) -> None:
    spent = {item.label: item.seconds for item in page(folders).spent}
    assert spent == pytest.approx({"boots": 6 * 8.276, "traffic": 6 * 6.44})


def test_every_case_has_provenance_downloads_profile_and_command(folders: Folders) -> None:
    for report, of in zip(page(folders).cases, CASES, strict=True):
        assert report.names == of.names
        assert report.command == f"./lab run -m x.yaml --only {of.slug}"
        assert report.profile is not None
        labels = {pair.label: pair.value for pair in report.provenance}
        assert labels["package"] == "linux-image-6.1.0-56-cloud-amd64 6.1.192-2"
        assert labels["rule file SHA-256"] == "de" * 32
        assert labels["kernel SHA-256"] == "51" * 32
        assert labels["sysctl net.ipv4.ip_forward"] == "1"
        assert labels["host CPU"] == "AMD EPYC"
        names = [item.path for item in report.downloads]
        assert len(names) == len(set(names)) == 3 * 4 + 4
        for item in report.downloads:
            assert item.source.stat().st_size == item.size


def test_a_command_that_takes_no_choice_of_a_case_repeats_them_all(folders: Folders) -> None:
    command = "./lab try slower.patch"
    assert [report.command for report in page(folders, command=command).cases] == [command] * 2


def test_ministat_needs_three_values_a_side(folders: Folders) -> None:
    (block,) = page(folders).ministat
    assert block.text.startswith("x forwarding qemu-x86 debian-6.1 none udp4-64\n")
    shutil.rmtree(folders.runs / CASES[1].folder / "repeat-3")
    (folders.runs / CASES[1].folder / "manifest").unlink()
    assert page(folders).ministat == ()


def test_a_case_that_was_never_measured_is_on_the_page(folders: Folders) -> None:
    shutil.rmtree(folders.runs / CASES[1].folder)
    report = page(folders).cases[1]
    assert (report.profile_note, report.provenance, report.downloads) == ("not measured", (), ())
    assert report.command == f"./lab run -m x.yaml --only {CASES[1].slug}"
    assert [item.verdict for item in page(folders).result.comparisons] == ["invalid"]


def test_without_any_record_there_is_a_page_that_says_so(folders: Folders) -> None:
    found = campaign_page(asked(), Measured(records=(), profiles={}, floors={}), folders, "x")
    assert (found.measured, found.virtual, found.ministat) == ("", False, ())
    assert [report.profile_note for report in found.cases] == ["not measured"] * 2


@pytest.mark.parametrize(("text", "note"), [(None, "no profile was collected"), ("nonsense\n", "perf.script")])
def test_a_profile_that_is_not_there_or_cannot_be_read_says_why(folders: Folders, text: str | None, note: str) -> None:
    path = folders.runs / CASES[0].folder / "profile" / "perf.script"
    path.unlink() if text is None else path.write_text(text)
    report = page(folders).cases[0]
    assert report.profile is None
    assert note in report.profile_note


def test_boots_that_failed_stay_on_the_page(folders: Folders) -> None:
    failed = folders.runs / CASES[0].folder / "failed" / "repeat-2.1"
    failed.mkdir(parents=True)
    (failed / "reason").write_text("3\tqemu-x86: qemu-system-x86_64 was killed; run again\n")
    (item,) = page(folders).cases[0].failed
    assert (item.attempt, item.reason) == ("repeat-2.1", "qemu-x86: qemu-system-x86_64 was killed; run again")


def test_what_leads_out_of_the_run_folder_is_not_on_the_page(folders: Folders, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("3\ta secret\n")
    run = folders.runs / CASES[0].folder
    (run / "failed" / "repeat-9.1").mkdir(parents=True)
    (run / "failed" / "repeat-9.1" / "reason").symlink_to(secret)
    (run / "prepare" / "guest.packages").symlink_to(secret)
    (run / "profile" / "perf.script").unlink()
    (run / "profile" / "perf.script").symlink_to(secret)
    (run / "manifest").unlink()
    make_records(folders, [CASES[0].folder])
    report = page(folders).cases[0]
    assert (report.failed, report.profile) == ((), None)
    assert not [item for item in report.downloads if item.source.resolve() == secret]


def test_the_source_of_a_noise_floor_is_named(folders: Folders) -> None:
    floor = NoiseFloor(hardware="qemu-x86", deviation=1e-4, pairs=3, repeats=5, measured="2026-11-20")
    assert page(folders).noise_source == ""
    assert page(folders, {"qemu-x86": floor, "other": floor}).noise_source == floor.source
