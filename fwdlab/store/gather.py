"""A folder of results becomes entries: all that a page shows or carries, and the hash of what stays behind.

What stays behind is the raw text of profiles: it is far larger than everything else together, and the folded stacks
say all that pages draw. A profile that cannot be folded is kept as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fwdlab.campaign import Campaign, parse_campaigns
from fwdlab.case import parse_case
from fwdlab.errors import RecordError
from fwdlab.files import sha256_of
from fwdlab.profiles import formats
from fwdlab.profiles.kept import RAW_PROFILES, profile_text
from fwdlab.records.model import Record
from fwdlab.records.remarks import remarks_of
from fwdlab.records.store import Folders, load_records, record_path, run_folders
from fwdlab.store.entry import Entry, Kind, entry_of, rank
from fwdlab.store.model import KeptFile, StoredRun
from fwdlab.store.text import campaign_text, check, floor_text, run_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Gathered:
    """The entries of a folder of results, those referred to before those that refer; and what cannot be kept."""

    entries: Iterable[Entry]
    refused: tuple[str, ...]  # a sentence for each record that was set aside


def gathered(results: Path) -> Gathered:
    """Everything below a folder of results that belongs into a store; RecordError where there is nothing."""
    folders = Folders(results=results)
    cases = sorted({path.parent.relative_to(folders.records) for path in folders.records.glob("*/*/*/*/*/*/repeat-*")})
    loaded = load_records(folders, cases)
    by_run: dict[Path, list[Record]] = {folders.runs / folder: [] for folder in run_folders(folders.runs)}
    for record in loaded.records:
        by_run.setdefault(folders.run_of(record), []).append(record)
    entries = [entry for run, records in by_run.items() for entry in _run_entries(folders, run, records)]
    entries += _floors(results)
    entries += _campaigns(results, loaded.records)
    if not entries and not loaded.refused:
        raise RecordError(f"{results}: holds no results; measure first with './lab run'")
    for entry in entries:
        if isinstance(entry.source, bytes):  # what is made here is held to what readers will ask of it
            check(entry.path, entry.source)
    return Gathered(entries=tuple(sorted(entries, key=lambda entry: rank(entry.path))), refused=loaded.refused)


def _run_entries(folders: Folders, run: Path, records: Sequence[Record]) -> Iterator[Entry]:
    """The records of a run with their raw output, and what it left beside them."""
    stored = [_record(folders, record) for record in records]
    yield from stored
    yield from (_raw(run / raw.path, raw.sha256) for record in records for raw in record.raw)
    profile = next(filter(None, (_profile(run / name) for name in RAW_PROFILES)), None)
    files = tuple(_beside(run, records, folded=profile is not None))
    yield from (_raw(run / file.path, file.sha256) for file in files if file.kept)
    if profile is not None:
        yield profile
    names, key = (records[0].names, records[0].key) if records else _named(run)
    left = StoredRun(
        path="",
        names=names,
        key=key,
        measured=max((record.trial.ended for record in records), default=""),
        records=tuple(sorted(entry.sha256 for entry in stored)),
        files=files,
        profile=profile.sha256 if profile else "",
    )
    yield entry_of(Kind.RUN, run_text(left), key)


def _named(run: Path) -> tuple[tuple[str, ...], str]:
    """Names and key of a case that has no record, by its case file."""
    case = parse_case(_text(run / "case"), str(run / "case"))
    return case.names, case.key


def _record(folders: Folders, record: Record) -> Entry:
    path = folders.records / record_path(record)
    return Entry(kind=Kind.RECORD, shelf=record.key, sha256=sha256_of(path), source=path)


def _raw(path: Path, sha256: str) -> Entry:
    return Entry(kind=Kind.RAW, shelf="", sha256=sha256, source=path)


def _beside(run: Path, records: Iterable[Record], *, folded: bool) -> Iterator[KeptFile]:
    """Every file of a run folder that no record lists, links aside: they may lead anywhere."""
    listed = {raw.path for record in records for raw in record.raw}
    for path in sorted(run.rglob("*")):
        name = path.relative_to(run).as_posix()
        if name in listed or path.is_symlink() or not path.is_file() or ".partial" in name:
            continue
        kept = not (folded and name in RAW_PROFILES)
        yield KeptFile(path=name, sha256=sha256_of(path), size=path.stat().st_size, kept=kept)


def _profile(path: Path) -> Entry | None:
    """The folded profile; None where there is none, or none that folds."""
    if not path.is_file() or path.is_symlink():
        return None
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
        return entry_of(Kind.PROFILE, profile_text(formats.fold(text, str(path))))
    except RecordError:
        return None


def _floors(results: Path) -> Iterator[Entry]:
    path = results / "floors.json"
    if path.exists():
        try:
            floors = json.loads(path.read_text(encoding="utf-8"))
            yield from (entry_of(Kind.FLOOR, floor_text(floor)) for floor in floors)
        except (OSError, ValueError, TypeError) as error:
            raise RecordError(
                f"{path}: is no list of noise floors ({error}); measure again with 'fwdlab aa'"
            ) from error


def _campaigns(results: Path, records: Sequence[Record]) -> Iterator[Entry]:
    """The campaigns as they stand now; none where only cases were measured."""
    path = results / "campaigns.json"
    if not path.exists():
        return
    usual = Folders(results=results).command
    commands = remarks_of(results).commands
    ended: dict[str, str] = {}
    for record in records:
        ended[record.key] = max(ended.get(record.key, ""), record.trial.ended)
    for place, campaign in enumerate(parse_campaigns(_text(path), str(path))):
        command = commands.get(campaign.name, usual)
        yield entry_of(Kind.CAMPAIGN, campaign_text(campaign, place, _measured(campaign, ended), command))


def _measured(campaign: Campaign, ended: dict[str, str]) -> str:
    return max((ended.get(member.key, "") for member in campaign.members), default="")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read ({error}); measure again with './lab run'") from error
