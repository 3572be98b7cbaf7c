from __future__ import annotations

from pathlib import Path

from fwdlab.records.make import records_of
from fwdlab.records.model import Record
from fwdlab.records.text import record_text
from tests.golden.conftest import Golden
from tests.unit.records import example


def test_a_run_folder_of_the_virtual_lab_becomes_this_record(golden: Golden, tmp_path: Path) -> None:
    run = example.write_run(tmp_path / "runs", example.case(), repeats=2)
    _, second = records_of(run)
    assert isinstance(second, Record)
    golden.check("second_repeat_of_a_stateful_case.json", record_text(second))
