"""Cases named on a command line are found among the records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.analyse.load import load_source, numbers_reader, records_reader
from fwdlab.case import Kind
from fwdlab.cli import main
from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import sha256_of, write_whole
from fwdlab.records.model import Clock, Conditions, RawFile, Record, Slice, Trial
from fwdlab.records.store import Folders, record_path
from fwdlab.records.text import record_text

OLD = ("qemu-x86", "debian-6.1", "forwarding", "none", "udp4-64")
NEW = ("qemu-x86", "debian-6.12", "forwarding", "none", "udp4-64")
RATES = (93_300.0, 93_310.0, 93_290.0)


def record(names: tuple[str, ...], key: str, repeat: int, pps: float) -> Record:
    trial = Trial(
        repeat=repeat,
        order=repeat,
        intended_pps=None,
        offered_pps=pps,
        forwarded_pps=pps,
        dropped_pps=0.0,
        frame_size=64,
        flows=2000,
        duration_s=1.0,
        time=Clock.VIRTUAL,
        generator="pktgen 2.75",
        started="2024-05-01T10:00:00Z",
        ended="2024-05-01T10:00:09Z",
        boot_s=2.0,
        traffic_s=3.0,
    )
    conditions = Conditions(
        kind=Kind.IMAGE,
        package="linux-image-cloud-amd64",
        package_version="6.1.0-56",
        package_sha256="0" * 64,
        rules="",
        rules_sha256="",
        patch="",
        patch_sha256="",
        patch_options="",
        runner_sha256="0" * 64,
        facts=(),
        sysctls=(),
        command="./lab run",
    )
    return Record(
        names=names,
        key=key,
        trial=trial,
        series=(Slice(packets=round(pps), errors=0, duration_s=1.0),),
        calibration=None,
        counters=(),
        conditions=conditions,
        raw=(),
    )


def keep(results: Path, item: Record) -> None:
    folders = Folders(results=results)
    raw = folders.run_of(item) / f"repeat-{item.trial.repeat}" / "result"
    write_whole(raw, "counted\n")
    told = RawFile(path=f"repeat-{item.trial.repeat}/result", sha256=sha256_of(raw), size=8)
    write_whole(folders.records / record_path(item), record_text(replace(item, raw=(told,))))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for names, key, factor in ((OLD, "0" * 12, 1.0), (NEW, "1" * 12, 1.29)):
        for repeat, pps in enumerate(RATES, 1):
            keep(tmp_path, record(names, key, repeat, factor * pps))
    return tmp_path


def compare(results: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", "--results", str(results), *arguments])


def test_cases_are_compared_by_their_names(results: Path) -> None:
    found = compare(results, "/".join(OLD), "/".join(NEW))
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert lines[:2] == [
        "base qemu-x86/debian-6.1/forwarding/none/udp4-64: 3 repeats, mean 93.30 kpps",
        "qemu-x86/debian-6.12/forwarding/none/udp4-64: +29.000 % +/- 0.032 %, better",
    ]
    assert "threshold 0.2 %" in lines[2]


def test_a_folder_of_records_names_its_case(results: Path) -> None:
    source = load_source(str(results / "records" / Path(*OLD) / ("0" * 12)), (records_reader(results),))
    assert source.sample.values == RATES
    assert (source.machine, source.virtual) == ("qemu-x86", True)


def test_invalid_trials_are_left_out_and_told(results: Path) -> None:
    broken = record(OLD, "0" * 12, 4, 50_000.0)
    keep(results, replace(broken, series=(Slice(packets=0, errors=0, duration_s=1.0),)))
    found = compare(results, "/".join(OLD), "/".join(NEW)).stdout.splitlines()
    assert found[0].endswith(": 3 repeats, mean 93.30 kpps")
    silent = "nothing was sent (0 pps) in 1 of 1 parts of the trial; look at the sender's log"
    assert found[1] == f"  left out repeat-4: {silent}"


def test_two_states_of_one_case_must_be_told_apart(results: Path) -> None:
    keep(results, record(OLD, "2" * 12, 1, 93_000.0))
    with pytest.raises(MatrixError, match=r"names 2 cases; choose one of 'qemu-x86.*000', 'qemu-x86.*222'"):
        load_source("/".join(OLD), (records_reader(results),))


def test_records_whose_raw_output_has_changed_are_refused(results: Path) -> None:
    run = results / "runs" / Path(*OLD) / ("0" * 12)
    for repeat in (1, 2, 3):
        (run / f"repeat-{repeat}" / "result").write_text("edited\n")
    with pytest.raises(RecordError, match="is not what the record was read from"):
        load_source("/".join(OLD), (records_reader(results),))


def test_names_do_not_leave_the_folder_of_records(results: Path, tmp_path: Path) -> None:
    readers = (records_reader(results / "elsewhere"), numbers_reader("forwarded", 1))
    with pytest.raises(MatrixError, match="is neither a file of numbers nor a case with records"):
        load_source(str(tmp_path), readers)
