"""Benchmarks of the laboratory itself: one file each, found by its name and imported only when it is called."""

from __future__ import annotations

from fwdlab.errors import RecordError
from fwdlab.matrix.plan import Plan
from fwdlab.records.model import Record
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.run.scripts import Bench
from fwdlab.run.session import carry_plan


def measured(plan: Plan, bench: Bench) -> tuple[Record, ...]:
    """The records of the plan's cases once it is carried out; RecordError where a case or a record was given up."""
    failures = carry_plan(plan, bench, None, lambda _: "")
    if failures:
        raise RecordError("\n".join(failure.message for failure in failures))
    folders = Folders(results=bench.results)
    case_folders = [item.case.folder for item in plan.planned]
    if refused := make_records(folders, case_folders):
        raise RecordError("\n".join(refused))
    return load_records(folders, case_folders).records
