"""What a command line names becomes a sample: a file of plain numbers, or the records of a case."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.analyse.columns import DEFAULT_DELIMITERS, NotANumberError, column_values
from fwdlab.analyse.idle import profile_of_run
from fwdlab.analyse.result import Sample
from fwdlab.analyse.samples import sample_of
from fwdlab.case import AXES
from fwdlab.errors import MatrixError, RecordError
from fwdlab.records.model import Clock
from fwdlab.records.store import Folders, load_records

STANDARD_INPUT = "-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A sample under the name it was asked for by."""

    name: str
    sample: Sample
    machine: str  # empty where nothing says which
    virtual: bool  # counted on guest time


Reader = Callable[[str], Source | None]  # what a name stands for; None where it is not of the reader's kind


def load_source(name: str, readers: Sequence[Reader]) -> Source:
    """What the first reader that knows the name's kind finds; MatrixError where none does."""
    for reader in readers:
        source = reader(name)
        if source is not None:
            return source
    raise MatrixError(f"{name}: is neither a file of numbers nor a case with records; name one that is")


def records_reader(results: Path) -> Reader:
    """A reader of cases by their names (`hardware/revision/firewall/patch/traffic`) or by their folder of records."""
    folders = Folders(results=results)

    def read(name: str) -> Source | None:
        folder = _case_folder(name, folders.records)
        if folder is None:
            return None
        loaded = load_records(folders, [folder])
        if not loaded.records:
            raise RecordError("\n".join(loaded.refused))
        run = folders.run_of(loaded.records[0])
        sample = sample_of(loaded.records, profile_of_run(folders, run).profile)
        return Source(
            name=name,
            sample=replace(sample, invalid=(*sample.invalid, *loaded.refused)),
            machine=sample.names[AXES.index("hardware")],
            virtual=all(record.trial.time is Clock.VIRTUAL for record in loaded.records),
        )

    return read


def _case_folder(name: str, records: Path) -> Path | None:
    """The one folder of records the name stands for, relative to all records."""
    found = {
        path.parent.resolve().relative_to(records.resolve())
        for place in (records / name, Path(name))
        if place.resolve().is_relative_to(records.resolve())
        for pattern in ("repeat-*.json", "*/repeat-*.json")
        for path in place.glob(pattern)
    }
    if len(found) > 1:
        keys = ", ".join(sorted(f"'{folder}'" for folder in found))
        raise MatrixError(f"{name}: names {len(found)} cases; choose one of {keys}")
    return found.pop() if found else None


def numbers_reader(metric: str, column: int) -> Reader:
    """A reader of one number a line, in one column, as ministat reads them."""

    def read(name: str) -> Source | None:
        if Path(name).is_dir():
            return None
        try:
            values = column_values(_text(name), column, DEFAULT_DELIMITERS)
        except NotANumberError as error:
            advice = "correct it, or choose another column with --column"
            raise RecordError(f"{name}:{error.line}: '{error.field}' is not a finite number; {advice}") from error
        sample = Sample(names=(name,), key=name, metric=metric, values=values, invalid=())
        return Source(name=name, sample=sample, machine="", virtual=False)

    return read


def _text(name: str) -> str:
    if name == STANDARD_INPUT:
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        advice = "name a file of numbers or a case with records"
        raise MatrixError(f"{name}: cannot be read ({error.strerror}); {advice}") from error
