"""The folder of records: `RECORDS/CASE-FOLDER/repeat-N.json`, written whole; a doubtful one is set aside by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.errors import LabError, RecordError
from fwdlab.files import sha256_of, write_whole
from fwdlab.records.again import USUAL
from fwdlab.records.make import records_of
from fwdlab.records.model import Record
from fwdlab.records.remarks import remarks_of
from fwdlab.records.text import parse_record, record_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Folders:
    """Where a lab keeps its results."""

    results: Path

    @property
    def runs(self) -> Path:
        """Raw output, one folder a case."""
        return self.results / "runs"

    @property
    def records(self) -> Path:
        """Records, one file a trial."""
        return self.results / "records"

    @property
    def refused(self) -> Path:
        """Records nobody may trust, each beside the reason."""
        return self.results / "refused"

    @property
    def command(self) -> str:
        """What measured these results, as its reader would type it."""
        path = self.results / "command"
        try:
            return path.read_text(encoding="utf-8").strip() if path.exists() else USUAL
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}: cannot be read ({error}); remove it, or measure with '{USUAL}'") from error

    def raw_file(self, run: Path, name: str) -> Path | None:
        """A file of a run folder; None where it is not there, or leads out of it."""
        path = run / name
        return path if path.is_file() and path.resolve().is_relative_to(run.resolve()) else None

    def run_of(self, record: Record) -> Path:
        """The run folder a record was read from."""
        return self.runs.joinpath(*record.names, record.key)


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """The records that can be trusted, and a sentence for each that cannot."""

    records: tuple[Record, ...]  # in the order of their paths
    refused: tuple[str, ...]


def record_path(record: Record) -> Path:
    """Where a record lies below the folder of records."""
    return Path(*record.names, record.key, f"repeat-{record.trial.repeat}.json")


def make_records(folders: Folders, case_folders: Iterable[Path], command: str | None = None) -> tuple[str, ...]:
    """Read run folders (named relative to the runs) into records on disk; a sentence for each repeat that gave none.

    The command is the one that measured them; where none is given, that of the results.
    """
    refused = []
    measured_by = folders.command if command is None else command
    for case_folder in case_folders:
        for made in records_of(folders.runs / case_folder, measured_by):
            if isinstance(made, RecordError):
                refused.append(str(made))
            else:
                write_whole(folders.records / record_path(made), record_text(made))
    return tuple(refused)


def load_records(folders: Folders, case_folders: Iterable[Path]) -> Loaded:
    """The records of these cases; those that do not fit the schema or their raw output are moved to `refused`."""
    records, refused = [], []
    withdrawn = remarks_of(folders.results).withdrawn
    for path in _record_files(folders.records, case_folders):
        try:
            record = parse_record(_text(path), str(path))
            _check_place(record, path)
            _check_raw(record, folders)
            reason = withdrawn.get((record.key, record.trial.repeat), "")
            records.append(replace(record, withdrawn=reason))
        except RecordError as error:
            _set_aside(path, folders, str(error))
            refused.append(f"{error}; set aside in {folders.refused}")
    return Loaded(records=tuple(records), refused=tuple(refused))


def run_folders(runs: Path) -> list[Path]:
    """Every case's run folder below `runs`, relative to it, sorted."""
    return sorted(path.parent.relative_to(runs) for path in runs.glob("*/*/*/*/*/*/case"))


def _record_files(root: Path, case_folders: Iterable[Path]) -> Iterator[Path]:
    for case_folder in case_folders:
        yield from sorted((root / case_folder).glob("repeat-*.json"))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); make it again with 'fwdlab record'") from error


def _check_place(record: Record, path: Path) -> None:
    expected = record_path(record)
    if path.parts[-len(expected.parts) :] != expected.parts:
        raise RecordError(f"{path}: belongs at '{expected}'; make it again with 'fwdlab record'")


def _check_raw(record: Record, folders: Folders) -> None:
    run = folders.run_of(record)
    for raw in record.raw:
        file = folders.raw_file(run, raw.path)
        if file is None:
            raise RecordError(f"{run / raw.path}: raw output of a record is missing; remove its folder and run again")
        if sha256_of(file) != raw.sha256:
            raise RecordError(f"{file}: is not what the record was read from; remove its folder and run again")


def _set_aside(path: Path, folders: Folders, reason: str) -> None:
    aside = folders.refused / path.relative_to(folders.records)
    write_whole(aside.with_suffix(".reason"), f"{reason}\n")
    try:
        path.replace(aside)
    except OSError as error:
        raise LabError(f"{path}: cannot be set aside ({error.strerror}); move it away by hand") from error
