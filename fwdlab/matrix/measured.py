"""What the folder of results holds already: a plan measures none of it again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from statistics import fmean

from fwdlab.case import Case
from fwdlab.matrix.plan import NO_HISTORY, History

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


def _repeats(folder: Path) -> dict[int, Path]:
    """The whole repeats by number; what was cut off has another name."""
    if not folder.is_dir():
        return {}
    found = ((_REPEAT.fullmatch(path.name), path) for path in folder.iterdir())
    return {int(match[1]): path for match, path in found if match}


def _boot_seconds(folders: Sequence[Path]) -> Iterator[float]:
    """How long each boot took on the host's clock, where its facts say so."""
    for facts in (folder / "facts" for folder in folders):
        lines = facts.read_text(encoding="utf-8", errors="replace").splitlines() if facts.is_file() else []
        said = dict(line.partition("\t")[::2] for line in lines)
        try:
            span = datetime.fromisoformat(said["ended"]) - datetime.fromisoformat(said["started"])
        except (KeyError, ValueError):
            continue  # facts that say no time help no plan; records judge them
        if span.total_seconds() > 0:
            yield span.total_seconds()
