"""A view laid out as a folder of results, so that pages are made from a store as from a lab's own results.

What lies there already and is right stays: laying out again after an addition writes what came with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path, PurePosixPath

from fwdlab.campaign import campaigns_text
from fwdlab.errors import LabError, MatrixError, RecordError
from fwdlab.files import sha256_of, write_whole
from fwdlab.profiles.kept import FOLDED_PROFILE
from fwdlab.records import remarks
from fwdlab.records.remarks import Remarks, remarks_text
from fwdlab.records.store import record_path
from fwdlab.store.access import Reader, Store, sound
from fwdlab.store.choose import View, overview_of, view_of
from fwdlab.store.entry import Kind, entry_path, sha256_in
from fwdlab.store.model import Act, StoredCampaign, StoredFloor, StoredRecord, StoredRun
from fwdlab.store.notes import sentence

_MARK = ".fwdlab-history"  # stands in a folder that this module may change as it likes
_EVIDENCE = ("records", "runs", "refused")


def laid_out(store: Store, results: Path, day: str) -> tuple[str, ...]:
    """Make `results` what the store showed at the end of that day, or shows now where it is empty.

    Gives back a sentence for each entry that cannot be read.
    """
    reader = store.opened()
    view = view_of(reader, overview_of(reader, day), day)
    return (*view.refused, *lay_out(view, reader, results))


def lay_out(view: View, reader: Reader, results: Path) -> tuple[str, ...]:
    """Make `results` the folder of results of that view; MatrixError where the folder holds anything of others.

    Gives back a sentence for each entry that is not there or names a place elsewhere; the rest is laid out.
    """
    if results.is_dir() and any(results.iterdir()) and not (results / _MARK).exists():
        raise MatrixError(f"{results}: holds files that no store was laid out as; name a new or an empty folder")
    write_whole(results / _MARK, "")
    refused: list[str] = []
    wanted = _wanted(view, refused)
    _remove_others(results, wanted)
    lacking = {place: path for place, path in wanted.items() if not _is_there(results / place, path)}
    for place, (path, content) in zip(lacking, reader.contents(lacking.values()), strict=True):
        try:
            write_whole(results / place, sound(path, content))
        except RecordError as error:
            refused.append(str(error))
    write_whole(results / "campaigns.json", campaigns_text(item.campaign for item in view.campaigns))
    write_whole(results / "floors.json", _floors_text(view.floors))
    write_whole(results / remarks.FILE, remarks_text(_remarks(view)))
    return tuple(refused)


def _wanted(view: View, refused: list[str]) -> dict[str, str]:
    """The entry of each file below the results; what names a place elsewhere is left out with a sentence."""
    wanted: dict[str, str] = {}
    for files in (*map(_record_files, view.records), *map(_run_files, view.runs)):
        try:
            wanted.update(list(files))
        except RecordError as error:
            refused.append(str(error))
    return wanted


def _record_files(stored: StoredRecord) -> Iterator[tuple[str, str]]:
    record = stored.record
    case = (*record.names, record.key)
    for raw in record.raw:
        yield _inside("runs", (*case, raw.path), stored.path), entry_path(Kind.RAW, raw.sha256)
    yield _inside("records", record_path(record).parts, stored.path), stored.path


def _run_files(stored: StoredRun) -> Iterator[tuple[str, str]]:
    case = (*stored.names, stored.key)
    for file in stored.files:
        if file.kept:
            yield _inside("runs", (*case, file.path), stored.path), entry_path(Kind.RAW, file.sha256)
    if stored.profile:
        yield _inside("runs", (*case, FOLDED_PROFILE), stored.path), entry_path(Kind.PROFILE, stored.profile)


def _inside(top: str, names: Sequence[str], origin: str) -> str:
    """The place below the results; RecordError where what an entry names would lie elsewhere."""
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\0" in name:
            raise RecordError(f"{origin}: names '{name[:60]}', which is outside its folder; somebody made it by hand")
    return PurePosixPath(top, *names).as_posix()


def _is_there(place: Path, path: str) -> bool:
    try:
        return not place.is_symlink() and sha256_of(place) == sha256_in(path)
    except OSError:
        return False


def _remove_others(results: Path, wanted: Mapping[str, str]) -> None:
    """What an earlier view had and this one has not."""
    try:
        for top in _EVIDENCE:
            for path in sorted((results / top).rglob("*"), reverse=True):
                if path.is_dir() and not path.is_symlink():
                    if not any(path.iterdir()):
                        path.rmdir()
                elif path.relative_to(results).as_posix() not in wanted:
                    path.unlink()
    except OSError as error:
        raise LabError(f"{error.filename}: cannot be removed ({error.strerror}); remove {results}") from error


def _floors_text(floors: tuple[StoredFloor, ...]) -> str:
    said = [{name: value for name, value in asdict(floor).items() if name != "path"} for floor in floors]
    return json.dumps(said, indent=1, sort_keys=True) + "\n"


def _remarks(view: View) -> Remarks:
    withdrawn: dict[tuple[str, int], str] = {}
    repeats = {item.path: (item.record.key, item.record.trial.repeat) for item in view.records}
    for note in view.notes:
        if note.act is Act.INVALIDATE and note.about in repeats:
            repeat = repeats[note.about]
            withdrawn[repeat] = "; ".join(filter(None, (withdrawn.get(repeat), sentence(note))))
    return Remarks(
        withdrawn=withdrawn,
        notes={item.campaign.name: said for item in view.campaigns if (said := tuple(_notes(view, item)))},
        commands={item.campaign.name: item.command for item in view.campaigns},
        colours=view.colours,
    )


def _notes(view: View, item: StoredCampaign) -> Iterator[str]:
    """What is noted of a campaign and of the records of its cases, the oldest first."""
    keys = {member.key for member in item.campaign.members}
    subjects = {item.path: ""}
    for stored in view.records:
        if stored.record.key in keys:
            subjects[stored.path] = f"{'/'.join(stored.record.names)} repeat-{stored.record.trial.repeat}: "
    for note in view.notes:
        if note.act is Act.ANNOTATE and note.about in subjects:
            yield f"{subjects[note.about]}{sentence(note)}"
