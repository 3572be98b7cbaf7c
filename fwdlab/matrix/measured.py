"""What the folder of results holds already: a plan measures none of it again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from fwdlab.case import Case
from fwdlab.matrix.plan import NO_HISTORY, History

_REPEAT = re.compile(r"repeat-([1-9][0-9]{0,5})")
BOOT_SECONDS = "boot.seconds"  # the fact that says how long a boot took, on the host's clock


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
        if repeats:
            done[folder.name] = frozenset(repeats)
            boots.setdefault(case.hardware.name, []).extend(_boot_seconds(repeats.values()))
        if (folder / "profile").is_dir():
            profiled.add(folder.name)
    timed = {name: median(values) for name, values in boots.items() if values}
    return History(done=done, profiled=frozenset(profiled), boot_s=timed)


def _repeats(folder: Path) -> dict[int, Path]:
    """The whole repeats by number; what was cut off has another name."""
    if not folder.is_dir():
        return {}
    found = ((_REPEAT.fullmatch(path.name), path) for path in folder.iterdir() if path.is_dir())
    return {int(match[1]): path for match, path in found if match}


def _boot_seconds(folders: Iterable[Path]) -> Iterator[float]:
    """How long each boot took, where its facts say so."""
    for folder in folders:
        facts = folder / "facts"
        lines = facts.read_text(encoding="utf-8", errors="replace").splitlines() if facts.is_file() else []
        for line in lines:
            key, _, value = line.partition("\t")
            if key == BOOT_SECONDS and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
                yield float(value)
