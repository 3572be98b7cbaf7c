"""What a history says of records comes with them, and what cannot be read of it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.samples import sample_of
from fwdlab.errors import RecordError
from fwdlab.records.remarks import FILE, NO_REMARKS, Remarks, remarks_of, remarks_text
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.records.text import parse_record, record_text
from tests.unit.records import example

CASE = example.case()
REASON = "invalidated by ann on 2026-11-21: the cable was loose"


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    found = Folders(results=tmp_path)
    example.write_run(found.runs, CASE, repeats=3)
    make_records(found, [CASE.folder])
    remarks = Remarks(
        withdrawn={(CASE.key, 2): REASON},
        notes={"newer": ("noted by ann on 2026-11-21: '<b>' & more",)},
        commands={"newer": "./lab run"},
        colours={("patch", "none"): "#0072b2"},
    )
    (tmp_path / FILE).write_text(remarks_text(remarks))
    return found


def test_a_withdrawn_repeat_counts_no_more_and_says_why(folders: Folders) -> None:
    records = load_records(folders, [CASE.folder]).records
    assert [faults_of(record) for record in records] == [(), (REASON,), ()]
    sample = sample_of(records)
    assert (len(sample.values), sample.invalid) == (2, (f"repeat-2: {REASON}",))


def test_what_is_said_later_is_no_part_of_a_record(folders: Folders) -> None:
    (record,) = (record for record in load_records(folders, [CASE.folder]).records if record.withdrawn)
    assert "cable" not in record_text(record)
    assert parse_record(record_text(record), "x").withdrawn == ""


def test_remarks_are_read_as_they_were_written(folders: Folders) -> None:
    text = (folders.results / FILE).read_text()
    assert remarks_text(remarks_of(folders.results)) == text


def test_results_of_no_store_have_none(tmp_path: Path) -> None:
    assert remarks_of(tmp_path) == NO_REMARKS


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"withdrawn": [["a"]], "notes": {}, "commands": {}, "colours": []}', "\udcff"]
)
def test_remarks_that_cannot_be_read_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(RecordError, match=rf"{tmp_path}/{FILE}: holds no remarks \(.*; remove it"):
        remarks_of(tmp_path)
