"""A folder of archived logs into series.

bench.SERIES.info           what was measured; names the series, which may hold dots
bench.SERIES.N.sender       the logs of repeat N
bench.SERIES.N.receiver
bench.SERIES.N.pmc.graph    a profile taken during it
SERIES.pps                  one rate a line; or pps.SERIES, or SERIES. Alone it is a series too
NAME.data                   tables: the name of a series, median, minimum, maximum
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from fwdlab.archive.info import parse_info
from fwdlab.archive.model import NOTHING_SAID, Archive, Logs, Series
from fwdlab.errors import MatrixError, RecordError

_INFO = re.compile(r"bench\.(?P<series>.+)\.info")
_LISTED = re.compile(r"(?P<series>.+)\.pps")
_SUFFIXES = ("sender", "receiver", "pmc.graph")
_LOG = re.compile(rf"bench\.(?P<series>.+)\.(?P<number>[1-9][0-9]{{0,5}})\.(?P<suffix>{'|'.join(_SUFFIXES)})")
_TABLE = ".data"
_MOST_OCTETS = 1_000_000_000  # of a file


def read_archive(folder: Path) -> Archive:
    """The series of a folder of logs; RecordError where it holds none. Links are not followed."""
    files, links = _files(folder)
    named = sorted(match["series"] for name in files if (match := _INFO.fullmatch(name)))
    tables = tuple(path for name, path in sorted(files.items()) if name.endswith(_TABLE))
    series = [_series(name, files, tables) for name in named]
    taken = {path for item in series for path in item.files}
    listed = {match["series"]: path for name, path in sorted(files.items()) if (match := _LISTED.fullmatch(name))}
    series += [_list_alone(name, path, tables) for name, path in listed.items() if path not in taken]
    if not series:
        found = f"{len(tables)} tables of medians, and no rate to compare" if tables else "no .info and no .pps"
        raise RecordError(f"{folder}: holds {found}; give the folder that bench-lab wrote its logs to")
    taken = {path for item in series for path in (*item.files, *item.tables)}
    left = [path for path in files.values() if path not in taken]
    return Archive(
        folder=folder,
        series=tuple(sorted(series, key=lambda item: item.name)),
        doubts=(
            *_silent(series),
            *_left_out(left, named, files),
            *(f"{path}: is a link; copy the file" for path in links),
        ),
    )


def _silent(series: list[Series]) -> Iterator[str]:
    for item in series:
        if item.info_file and item.info == NOTHING_SAID:
            yield f"{item.info_file}: says nothing of what was measured; it stays unknown"


def _left_out(left: list[Path], named: list[str], files: Mapping[str, Path]) -> Iterator[str]:
    for path in sorted(left):
        log = _LOG.fullmatch(path.name)
        alone = log and log["series"] in named and f"bench.{log['series']}.{log['number']}.receiver" not in files
        why = "has no receiver's log beside it" if alone else "belongs to no series that an .info names"
        yield f"{path}: {why}; it is left out"


def _files(folder: Path) -> tuple[Mapping[str, Path], list[Path]]:
    """The folder's files by their names, and its links."""
    try:
        found = sorted(folder.iterdir())
        links = [path for path in found if path.is_symlink()]
        paths = [path for path in found if path.is_file() and path not in links]
    except OSError as error:
        raise MatrixError(f"{folder}: cannot be read ({error.strerror}); name a folder of archived logs") from error
    for path in paths:
        if path.stat().st_size > _MOST_OCTETS:
            raise RecordError(f"{path}: has more than {_MOST_OCTETS} octets; it is no log, so move it away")
    return {path.name: path for path in paths}, links


def _series(name: str, files: Mapping[str, Path], tables: tuple[Path, ...]) -> Series:
    info = files[f"bench.{name}.info"]
    lists = (files.get(other) for other in (f"{name}.pps", f"pps.{name}", name))
    return Series(
        name=name,
        info_file=info,
        info=parse_info(info.read_text(encoding="utf-8", errors="replace"), name),
        logs=tuple(_logs(name, files)),
        listed=next((path for path in lists if path), None),
        tables=tables,
    )


def _logs(name: str, files: Mapping[str, Path]) -> Iterator[Logs]:
    found: dict[int, dict[str, Path]] = {}
    for file, path in files.items():
        if (match := _LOG.fullmatch(file)) and match["series"] == name:
            found.setdefault(int(match["number"]), {})[match["suffix"]] = path
    for number, paths in sorted(found.items()):
        sender, receiver, graph = (paths.get(suffix) for suffix in _SUFFIXES)
        if receiver:
            yield Logs(number=number, sender=sender, receiver=receiver, graph=graph)


def _list_alone(name: str, path: Path, tables: tuple[Path, ...]) -> Series:
    return Series(name=name, info_file=None, info=NOTHING_SAID, logs=(), listed=path, tables=tables)
