"""What the folder of results holds already: a plan measures none of it again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

from fwdlab.case import Case
from fwdlab.matrix.plan import NO_HISTORY, History, Planned

_REPEAT = re.compile(r"repeat-([1-9][0-9]{0,5})")
_ENOUGH = 50  # boots of a machine that are timed; their mean serves for a plan


def history_of(results: Path, cases: Sequence[Case]) -> History:
    """The repeats, profiles and boot times of these cases below `results`; nothing where there is no such folder."""
    runs = results / "runs"
    if not runs.is_dir():
        return NO_HISTORY
    done: dict[str, frozenset[int]] = {}
    profiled: set[str] = set()
    boots: dict[str, list[float]] = {}
    for case in cases:
        folder = runs / case.folder
        repeats = _repeats(folder)
        done[folder.name] = frozenset(repeats)
        if repeats and (folder / "profile").is_dir():
            profiled.add(folder.name)
        timed = boots.setdefault(case.hardware.name, [])
        if len(timed) < _ENOUGH:
            timed.extend(_boot_seconds(list(repeats.values())))
    boot_s = {name: fmean(values) for name, values in boots.items() if values}
    return History(done=done, profiled=frozenset(profiled), boot_s=boot_s)


def dates_of(results: Path, planned: Iterable[Planned]) -> dict[str, datetime]:
    """When the newest repeat of each case was measured, by its key; of cases that have all their repeats."""
    found = {}
    for item in planned:
        repeats = _repeats(results / "runs" / item.case.folder)
        dates = [date for folder in repeats.values() if (date := _fact_date(folder, "ended"))]
        if dates and set(range(1, item.repeats + 1)) <= repeats.keys():
            found[item.key] = max(dates)
    return found


def _repeats(folder: Path) -> dict[int, Path]:
    """The whole repeats by number; what was cut off has another name."""
    if not folder.is_dir():
        return {}
    found = ((_REPEAT.fullmatch(path.name), path) for path in folder.iterdir())
    return {int(match[1]): path for match, path in found if match}


def _boot_seconds(folders: Sequence[Path]) -> Iterator[float]:
    """How long each boot took on the host's clock, where its facts say so; each of several trials made then."""
    for folder in folders:
        started, ended = _fact_date(folder, "started"), _fact_date(folder, "ended")
        if started and ended and ended > started:
            kept = _facts(folder).get("kept_trials", "")
            made = sum(1 for _ in folder.glob("trial-*")) - (int(kept) if kept.isdecimal() else 0)
            yield (ended - started).total_seconds() / max(1, made)


def _fact_date(folder: Path, fact: str) -> datetime | None:
    """A moment that the facts of a repeat tell; what tells none helps no plan, and records judge it."""
    try:
        date = datetime.fromisoformat(_facts(folder)[fact])
    except (KeyError, ValueError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _facts(folder: Path) -> dict[str, str]:
    facts = folder / "facts"
    lines = facts.read_text(encoding="utf-8", errors="replace").splitlines() if facts.is_file() else []
    return dict(line.partition("\t")[::2] for line in lines)
