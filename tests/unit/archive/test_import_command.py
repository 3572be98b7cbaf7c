"""`fwdlab import bench-lab`: a folder of logs becomes records, with nothing invented and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.campaign import Campaign, parse_campaigns
from fwdlab.cli import main
from fwdlab.files import tree_sha256
from fwdlab.records.model import Record
from fwdlab.records.store import Folders, load_records, run_folders
from fwdlab.run.lock import locked
from tests.unit.archive.written import UNAME, archive, matrix, series
from tests.unit.generators.pkt_gen_logs import log_of

CALLS = ("--series", "{revision}{patch}.{firewall}", "--call", "revision:r317849=317849", "--call", "patch:none=")
VIMAGE = ("--call", "patch:vimage=VIMAGE")


def imported(tmp_path: Path, *words: str) -> Result:
    return CliRunner().invoke(
        main, ["import", "bench-lab", str(tmp_path / "logs"), "--results", str(tmp_path / "results"), *words]
    )


def records(tmp_path: Path) -> dict[str, Record]:
    folders = Folders(results=tmp_path / "results")
    loaded = load_records(folders, run_folders(folders.runs))
    assert loaded.refused == ()
    return {f"{'/'.join(record.names)} {record.trial.repeat}": record for record in loaded.records}


def campaigns(tmp_path: Path) -> tuple[Campaign, ...]:
    return parse_campaigns((tmp_path / "results/campaigns.json").read_text(), "campaigns")


def test_a_folder_alone_is_enough(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    done = imported(tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"12 records of 4 cases in {tmp_path}/results/records\n"
    record = records(tmp_path)["netgate/317849/forwarding/none/unknown 2"]
    trial = record.trial
    assert (trial.offered_pps, trial.forwarded_pps, trial.dropped_pps) == (1_488_000, 816_000, 672_000)
    assert (trial.frame_size, trial.flows, trial.duration_s) == (64, 2000, 14.0)
    assert (trial.intended_pps, trial.started, trial.ended, trial.boot_s) == (None, "", "", None)
    assert record.method is not None
    assert (record.method.label, record.method.kept, record.method.left_out) == ("FRMOL", 14, 16)
    assert record.faults == ()
    assert dict(record.conditions.facts)["kernel_version"].startswith("FreeBSD 12.0-CURRENT #13 r317849M")
    assert record.conditions.command == "./lab import bench-lab DIR"


def test_without_a_matrix_the_question_is_what_the_series_differ_in(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    imported(tmp_path)
    (campaign,) = campaigns(tmp_path)
    assert (campaign.name, campaign.axis, campaign.arms) == ("logs", "revision", ("317849", "317849VIMAGE"))
    assert (len(campaign.members), campaign.repeats) == (4, 3)


def test_with_one_image_the_firewalls_are_compared(tmp_path: Path) -> None:
    for config in ("fastforwarding", "forwarding", "pf-stateful"):
        series(tmp_path / "logs", config, [5, 6, 7], {"CFG": config, "UNAME": UNAME})
    imported(tmp_path, "--hardware", "apu")
    (campaign,) = campaigns(tmp_path)
    assert (campaign.axis, campaign.arms) == ("firewall", ("forwarding", "fastforwarding", "pf-stateful"))
    assert campaign.members[0].names[:2] == ("apu", "12.0-CURRENT")


def test_with_a_matrix_names_are_made_of_its_names(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    done = imported(tmp_path, "-m", str(matrix(tmp_path)), *CALLS, *VIMAGE)
    assert (done.exit_code, done.stderr) == (0, "")
    assert records(tmp_path)["atom/r317849/pf-stateful/vimage/udp4-64 1"].trial.forwarded_pps == 384_000
    (campaign,) = campaigns(tmp_path)
    assert (campaign.name, campaign.axis, campaign.arms) == ("vimage", "patch", ("none", "vimage"))


def test_what_only_the_matrix_says_of_a_case_is_not_what_was_archived(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    imported(tmp_path, "-m", str(matrix(tmp_path)), *CALLS, *VIMAGE)
    conditions = records(tmp_path)["atom/r317849/pf-stateful/vimage/udp4-64 1"].conditions
    assert (conditions.rules, conditions.rules_sha256, conditions.runner_sha256) == ("", "", "")
    assert (conditions.package, conditions.package_version) == ("317849VIMAGE", "12.0-CURRENT")


def test_series_that_the_matrix_has_no_case_for_are_told(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    done = imported(tmp_path, "-m", str(matrix(tmp_path)), *CALLS)
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        f"317849VIMAGE.{config}: is no case of {tmp_path}/matrix.yaml; it is left out"
        for config in ("forwarding", "pf-stateful")
    ]


def test_stateful_is_known_by_its_other_spelling(tmp_path: Path) -> None:
    series(tmp_path / "logs", "317849.pf-statefull", [5, 6, 7], {"IMAGE": "317849", "CFG": "pf-statefull"})
    assert imported(tmp_path, "-m", str(matrix(tmp_path)), *CALLS).exit_code == 0
    assert "atom/r317849/pf-stateful/none/udp4-64 1" in records(tmp_path)


def test_raw_files_are_kept_byte_for_byte(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    imported(tmp_path)
    record = records(tmp_path)["netgate/317849/forwarding/none/unknown 1"]
    run = Folders(results=tmp_path / "results").run_of(record)
    assert [item.path for item in record.raw] == ["repeat-1/facts", "repeat-1/receiver", "repeat-1/sender"]
    for kept, name in (
        ("repeat-1/receiver", "bench.317849.forwarding.1.receiver"),
        ("repeat-1/sender", "bench.317849.forwarding.1.sender"),
        ("prepare/info", "bench.317849.forwarding.info"),
        ("prepare/pps", "317849.forwarding.pps"),
        ("prepare/tables/gnuplot.data", "gnuplot.data"),
        ("profile/pmc.graph", "bench.317849.forwarding.1.pmc.graph"),
    ):
        assert (run / kept).read_bytes() == (logs / name).read_bytes()


def test_the_same_logs_give_the_same_bytes_and_records_can_be_made_again(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    imported(tmp_path)
    first = tree_sha256(tmp_path / "results/records"), tree_sha256(tmp_path / "results/runs")
    imported(tmp_path)
    assert CliRunner().invoke(main, ["record", "--results", str(tmp_path / "results")]).exit_code == 0
    assert (tree_sha256(tmp_path / "results/records"), tree_sha256(tmp_path / "results/runs")) == first


def test_two_archives_of_the_same_names_are_two_cases(tmp_path: Path) -> None:
    for rates in ([5, 6, 7], [8, 9, 10]):
        series(tmp_path / "logs", "317849.forwarding", rates, {"IMAGE": "317849", "CFG": "forwarding"})
        imported(tmp_path, "-m", str(matrix(tmp_path)), *CALLS)
    keys = {path.parent.name for path in (tmp_path / "results/records").rglob("repeat-1.json")}
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (log_of([800_000] * 30, last="1.1 main_thread [1] ouch, thread 0 exited with error"), "ouch"),
        (log_of([0] * 30), "received nothing: 0 pps in all 30 s"),
        (log_of([800_000] * 30)[:900], "cut off"),
        (b"", "the receiver's log is empty"),
        (b"\x7fELF\0\xff" * 100, "no line is a generator's"),
    ],
)
def test_a_faulty_log_is_an_invalid_trial_with_its_reason(tmp_path: Path, log: bytes, reason: str) -> None:
    logs = archive(tmp_path / "logs")
    (logs / "bench.317849.forwarding.2.receiver").write_bytes(log)
    done = imported(tmp_path)
    assert done.exit_code == 0
    assert "netgate/317849/forwarding/none/unknown repeat-2: invalid: the receiver" in done.stderr
    assert reason in done.stderr
    faults = records(tmp_path)["netgate/317849/forwarding/none/unknown 2"].faults
    assert faults is not None
    assert reason in "; ".join(faults)
    told = CliRunner().invoke(main, ["report", "--results", str(tmp_path / "results"), "--json", "-"]).stdout
    assert reason in told


def test_a_sender_that_failed_makes_the_trial_invalid_too(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    lines = log_of([1_488_000] * 30, end="sender").splitlines(keepends=True)
    lines.insert(20, b"1.1 sender_body [1166] poll error/timeout on queue 0: No error: 0\n")
    (logs / "bench.317849.forwarding.2.sender").write_bytes(b"".join(lines))
    assert "invalid: the sender said 'poll error/timeout on queue 0" in imported(tmp_path).stderr


def test_a_list_of_rates_without_logs_is_records_of_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/STABLE12.ipfw-stateful.inet4.pps").write_text("24750217\n24987843.5\n\n24854170\n")
    done = imported(tmp_path)
    assert (done.exit_code, done.stdout) == (0, f"3 records of 1 cases in {tmp_path}/results/records\n")
    record = records(tmp_path)["unknown/unknown/STABLE12.ipfw-stateful.inet4/none/unknown 3"]
    assert record.trial.forwarded_pps == 24854170
    assert (record.trial.offered_pps, record.trial.dropped_pps, record.trial.duration_s) == (None, None, None)
    assert (record.trial.frame_size, record.trial.flows, record.faults) == (None, None, None)
    assert [item.path for item in record.raw] == ["repeat-3/facts", "repeat-3/pps"]
    assert campaigns(tmp_path) == ()


def test_figures_of_the_archive_that_its_logs_do_not_come_to_are_told(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    (logs / "317849.forwarding.pps").write_text("815000\n816000\n5\n")
    (logs / "gnuplot.data").write_text("317849.forwarding 816000 815000 7\n")
    assert imported(tmp_path).stderr.splitlines() == [
        f"{logs}/317849.forwarding.pps: lists 5, and no log of '317849.forwarding' comes to that",
        f"{logs}/317849.forwarding.pps: does not list 819000, to which logs of '317849.forwarding' come",
        f"{logs}/gnuplot.data: has 7 as maximum of '317849.forwarding', and its rates come to 819000",
    ]


def test_a_log_that_no_info_names_is_told_and_left_out(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    (logs / "bench.orphan.1.sender").write_bytes(log_of([5] * 30))
    assert imported(tmp_path).stderr == (
        f"{logs}/bench.orphan.1.sender: belongs to no series that an .info names; it is left out\n"
    )


def test_a_sender_without_a_receiver_is_told_and_left_out(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    (logs / "bench.317849.forwarding.3.receiver").unlink()
    done = imported(tmp_path)
    assert done.exit_code == 0
    assert done.stderr.splitlines()[0] == (
        f"{logs}/bench.317849.forwarding.3.sender: has no receiver's log beside it; it is left out"
    )
    assert len(records(tmp_path)) == 11


def test_an_info_that_says_nothing_is_told(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    (logs / "bench.317849.forwarding.info").write_bytes(bytes(range(128, 256)))
    done = imported(tmp_path)
    assert done.exit_code == 0
    said = "says nothing of what was measured; it stays unknown"
    assert done.stderr == f"{logs}/bench.317849.forwarding.info: {said}\n"


def test_names_that_would_leave_the_folder_of_results_are_made_safe(tmp_path: Path) -> None:
    info = {"IMAGE": "..", "CFG": "<b>$(x)</b>", "PKTGEN": "a b", "UNAME": "FreeBSD ../../etc 1 x"}
    series(tmp_path / "logs", "odd", [5, 6, 7], info)
    assert imported(tmp_path).exit_code == 0
    (record,) = {record.names for record in records(tmp_path).values()}
    assert all(name[0].isalnum() and "/" not in name and "<" not in name for name in record)
    assert {path.name for path in tmp_path.iterdir()} == {"logs", "results"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    logs = archive(tmp_path / "logs")
    (tmp_path / "secret").write_text("1\n2\n3\n")
    (logs / "other.pps").symlink_to(tmp_path / "secret")
    assert imported(tmp_path).stderr == f"{logs}/other.pps: is a link; copy the file\n"
    assert not [
        path for path in (tmp_path / "results").rglob("*") if path.is_file() and path.read_bytes() == b"1\n2\n3\n"
    ]


def test_the_campaigns_of_two_imports_stand_beside_each_other(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    imported(tmp_path)
    imported(tmp_path, "-m", str(matrix(tmp_path)), *CALLS, *VIMAGE)
    assert [item.name for item in campaigns(tmp_path)] == ["logs", "vimage"]
    commands = json.loads((tmp_path / "results/remarks.json").read_text())["commands"]
    assert set(commands) == {"logs", "vimage"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--series", "x"), "--series: names are made of a matrix's; name one with --matrix, or leave it away"),
        (("-m", "M", "--series", "{os}"), "--series: 'os' is no axis; known are 'hardware', 'revision', 'firewall', "),
        (("-m", "M", "--call", "patch"), "--call: 'patch' is no AXIS:NAME=ARCHIVED; write it like 'patch:vimage="),
        (("-m", "M", "--call", "patch:vimmage=x"), "--call: 'vimmage' is no patch of "),
        (("-m", "M", "--call", "os:x=y"), "--call: 'os' is no axis; known are"),
        (("-m", "M", *CALLS[:2]), "'r317849vimage.pf-stateful'; say how names are made with --series, --call"),
        (("-m", "M"), "/none/udp4-64 and atom/r317849/forwarding/vimage/udp4-64 are both 'r317849.forwarding'"),
    ],
)
def test_a_command_line_that_names_nothing_is_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    archive(tmp_path / "logs")
    done = imported(tmp_path, *(str(matrix(tmp_path)) if word == "M" else word for word in words))
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("files", "status", "said"),
    [
        ({}, 4, "holds no .info and no .pps; give the folder that bench-lab wrote its logs to"),
        ({"ipfw.data": "293069 401036 398811 402140.5\n"}, 4, "holds 1 tables of medians, and no rate to compare"),
        ({"x.pps": "fast\n"}, 4, "holds no receiver's log and no rate in a list"),
    ],
)
def test_a_folder_without_measurements_is_refused(
    tmp_path: Path, files: dict[str, str], status: int, said: str
) -> None:
    (tmp_path / "logs").mkdir()
    for name, text in files.items():
        (tmp_path / "logs" / name).write_text(text)
    done = imported(tmp_path)
    assert done.exit_code == status
    assert said in done.stderr


def test_a_folder_that_is_not_there_is_the_command_lines_fault(tmp_path: Path) -> None:
    done = imported(tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be read (No such file or directory); name a folder of archived logs" in done.stderr


def test_results_that_somebody_else_writes_are_left_alone(tmp_path: Path) -> None:
    archive(tmp_path / "logs")
    with locked(tmp_path / "results"):
        done = imported(tmp_path)
    assert (done.exit_code, done.stdout) == (3, "")
    assert not (tmp_path / "results/runs").exists()
