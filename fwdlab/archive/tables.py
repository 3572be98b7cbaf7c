"""The rates an archive lists, and its tables of medians, held against what its logs come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from fwdlab.archive.model import Series
from fwdlab.generators.rule import rate_text

_COLUMNS = ("median", "minimum", "maximum")


def disagreements(series: Series, rates: Sequence[float]) -> Iterator[str]:
    """A sentence for each figure of the archive that these rates do not come to."""
    found = sorted(map(rate_text, rates))
    if series.listed and series.logs:
        listed = sorted(_words(series.listed))
        if only := _without(listed, found):
            yield f"{series.listed}: lists {', '.join(only)}, and no log of '{series.name}' comes to that"
        if only := _without(found, listed):
            yield f"{series.listed}: does not list {', '.join(only)}, to which logs of '{series.name}' come"
    if rates:
        own = (median(rates), min(rates), max(rates))
        for path in series.tables:
            yield from _table(path, series.name, dict(zip(_COLUMNS, map(rate_text, own), strict=True)))


def _table(path: Path, series: str, own: Mapping[str, str]) -> Iterator[str]:
    """A table's line of this series; lines of other things, and indices it has in common with others, are let be."""
    for line in _text(path).splitlines():
        index, *figures = line.split()[:4] or [""]
        if index == series and len(figures) == len(_COLUMNS):
            for (column, found), figure in zip(own.items(), figures, strict=True):
                if found != figure:
                    yield f"{path}: has {figure} as {column} of '{series}', and its rates come to {found}"


def _words(path: Path) -> list[str]:
    return _text(path).split()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _without(these: Sequence[str], those: Sequence[str]) -> list[str]:
    left = list(those)
    kept = []
    for word in these:
        if word in left:
            left.remove(word)
        else:
            kept.append(word)
    return kept
