from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from fwdlab.case import case_text
from fwdlab.errors import RecordError
from fwdlab.records.make import records_of, repeats_of
from fwdlab.records.model import Record
from tests.unit.records import example


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return example.write_run(tmp_path / "runs", example.case(), repeats=2)


def made(run: Path) -> list[Record]:
    found = list(records_of(run))
    assert all(isinstance(item, Record) for item in found), found
    return [item for item in found if isinstance(item, Record)]


def refusals(run: Path) -> list[str]:
    return [str(item).removeprefix(f"{run}") for item in records_of(run) if isinstance(item, RecordError)]


def change(path: Path, old: str, new: str) -> None:
    """Change a file and the manifest with it, so that only the content is wrong."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    run = next(parent for parent in path.parents if (parent / "case").exists())
    example.write_manifest(run)


def test_a_trial_is_what_the_counters_and_the_clock_say(run: Path) -> None:
    trial = made(run)[0].trial
    middle = sorted(example.SLICES)[2:8]  # without the fastest and the slowest fifth
    assert trial.offered_pps == pytest.approx(fmean(4000 / (slice_us + 1) * 1e6 for slice_us in middle))
    assert trial.forwarded_pps == trial.offered_pps  # the sink counted as many more as were sent
    assert (trial.dropped_pps, trial.frame_size, trial.flows) == (0, 64, 2000)
    assert (trial.repeat, trial.order, trial.intended_pps) == (1, 4, None)
    assert (trial.boot_s, trial.traffic_s, trial.time) == (8.276, 6.44, "virtual")


def test_repeats_come_by_number_and_what_is_not_whole_is_none(run: Path) -> None:
    example.write_repeat(run, 10)
    for name in ("repeat-3.partial", "repeat-0", "repeat-x", "profile", "failed/repeat-4.1"):
        (run / name).mkdir(parents=True)
    (run / "repeat-7").write_text("a file")
    assert [number for number, _ in repeats_of(run)] == [1, 2, 10]
    assert [record.trial.repeat for record in made(run)] == [1, 2, 10]


def test_every_raw_file_of_the_repeat_is_pointed_at(run: Path) -> None:
    assert [raw.path for raw in made(run)[1].raw] == ["repeat-2/console.log", "repeat-2/facts", "repeat-2/result"]


def test_frames_lost_on_the_way_are_dropped_packets(run: Path) -> None:
    lost = example.result_text().replace(
        "counter\tafter\treceiver:sink\trx_packets\t44001", "counter\tafter\treceiver:sink\trx_packets\t24001"
    )
    (run / "repeat-1" / "result").write_text(lost)
    example.write_manifest(run)
    trial = made(run)[0].trial
    assert trial.dropped_pps == pytest.approx((trial.offered_pps or 0.0) / 2)


def test_a_sender_that_is_under_way_around_the_slices_counts_its_frames_itself(run: Path) -> None:
    generated = "".join(
        f"counter\t{moment}\tsender:generator\ttx_packets\t{count}\n"
        for moment, count in (("before", 5), ("after", 80005))
    )
    (run / "repeat-1" / "result").write_text(example.result_text().replace("end\tok", f"{generated}end\tok"))
    example.write_manifest(run)
    (record, *_) = made(run)
    assert record.sent == 80000
    assert record.trial.forwarded_pps == pytest.approx((record.trial.offered_pps or 0.0) / 2), (
        "40000 of them were received"
    )


def test_a_changed_raw_file_is_refused_by_name_and_the_other_repeats_stand(run: Path) -> None:
    (run / "repeat-1" / "console.log").write_text("nothing happened\n")
    first, second = records_of(run)
    assert str(first) == (
        f"{run}/repeat-1/console.log: its SHA-256 is not the manifest's, the file was changed; "
        "remove its folder and run again"
    )
    assert isinstance(second, Record)


def test_a_raw_file_that_is_gone_is_refused_by_name(run: Path) -> None:
    (run / "repeat-2" / "console.log").unlink()
    assert refusals(run) == [
        "/repeat-2/console.log: is in the manifest, and not there; remove its folder and run again"
    ]


def test_changed_conditions_are_refused_with_the_whole_run(run: Path) -> None:
    (run / "prepare" / "kernel.config").write_text("CONFIG_NET=m\n")
    assert [line.partition(":")[0] for line in refusals(run)] == ["/prepare/kernel.config"]


def test_a_repeat_newer_than_the_manifest_counts(run: Path) -> None:
    example.write_repeat(run, 3)
    assert len(made(run)) == 3


def test_a_run_that_was_not_collected_has_records(run: Path) -> None:
    (run / "manifest").unlink()
    assert len(made(run)) == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("repeat-1/facts", "order\t4", "order\tfirst", "/repeat-1/facts: order 'first' is not a number; "),
        ("repeat-1/facts", "boot_s\t8.276", "boot_s\tnan", "/repeat-1/facts: boot_s 'nan' is not a number; "),
        ("repeat-1/facts", "order\t4", "order 4", "/repeat-1/facts:2: no tab in 'order 4'; "),
        ("repeat-1/result", "end\tok\n", "", "/repeat-1/result:56: the result is cut off; "),
        (
            "repeat-1/result",
            "counter\tafter\treceiver:sink",
            "counter\tafter\tx",
            "/repeat-1/result: receiver:sink did ",
        ),
    ],
)
def test_what_cannot_be_a_repeat_is_refused_with_its_place(run: Path, file: str, old: str, new: str, said: str) -> None:
    change(run / file, old, new)
    (found,) = refusals(run)
    assert found.startswith(said)
    assert found.endswith("remove its folder and run again")


def test_a_clock_nobody_has_is_refused(run: Path) -> None:
    change(run / "prepare" / "facts", "time\tvirtual", "time\tsun")
    assert len(refusals(run)) == 2


def test_a_repeat_without_samples_is_refused(run: Path) -> None:
    (run / "repeat-1" / "result").write_text(example.result_text(()))
    example.write_manifest(run)
    assert refusals(run) == ["/repeat-1/result: holds no measured sample; remove its folder and run again"]


@pytest.mark.parametrize("name", ["case", "prepare/facts", "repeat-1/facts", "repeat-1/result"])
def test_a_file_that_cannot_be_read_is_told(run: Path, name: str) -> None:
    (run / name).unlink()
    (run / "manifest").unlink()
    assert all(f"/{name}: cannot be read (No such file or directory)" in line for line in refusals(run))
    assert refusals(run)


@pytest.mark.parametrize("name", ["repeat-1/result", "repeat-1", "prepare/facts"])
def test_a_link_is_no_raw_output(run: Path, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (run / name).rename(elsewhere)
    (run / name).symlink_to(elsewhere)
    (said, *_) = refusals(run)
    assert said.startswith(f"/{name}")
    assert "is a link, and raw output lies in its run folder" in said


def test_a_case_that_is_not_the_folders_puts_no_record_anywhere(run: Path) -> None:
    hostile = replace(example.case(), patch=replace(example.case().patch, name="../../../../etc"))
    (run / "case").write_text(case_text(hostile))
    (said,) = refusals(run)
    assert "not of this folder" in said
    shutil.rmtree(run)


def test_a_load_that_is_no_number_is_refused(tmp_path: Path) -> None:
    of = example.case()
    odd = replace(of, traffic=replace(of.traffic, load="much"))
    (said,) = refusals(example.write_run(tmp_path, odd, repeats=1))
    assert said.endswith("udp4-64: load 'much' is neither 'max' nor a whole number; plan again")
    asked = replace(of, traffic=replace(of.traffic, load="50000"))
    assert made(example.write_run(tmp_path, asked, repeats=1))[0].trial.intended_pps == 50000


def test_raw_files_stay_as_they_were(run: Path) -> None:
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in run.rglob("*") if path.is_file()}
    list(records_of(run))
    assert before == {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before}
