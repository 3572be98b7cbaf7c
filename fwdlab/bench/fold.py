"""`fwdlab bench fold`: what folding call graphs and drawing a flame graph take, beside FlameGraph's own script."""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import click

from fwdlab.errors import LabError, MatrixError, RecordError

_FWDLAB = (sys.executable, "-P", "-m", "fwdlab")
_SCRIPT = "stackcollapse-pmc.pl"
_TINY = "@ clocks [1 samples]\n\n100.0%  [1]         idle\n\n"  # to fold it is to start and to end
_MOST_DRAWING = 2.0  # seconds
_DRAWN = 5_000_000  # octets
_MEMORY = Path("/dev/shm")  # noqa: S108 - files go there, where they can: what a disk takes is not what is asked
_GRAPHS, _CORES, _FUNCTIONS, _DEPTH, _HOTTEST = 6, 4, 60, 15, 100  # made-up graphs: how many of what, 2 MB in all

_Calls = Sequence[Sequence[str]]


@dataclass(kw_only=True, slots=True)
class _Work:
    """Some commands and what they took, a figure a round."""

    calls: _Calls
    folder: Path  # gets the standard output of each, in a file named by its number
    passed: list[float] = field(default_factory=list)  # seconds
    used: list[float] = field(default_factory=list)  # seconds of processors, which a busy machine changes less

    def run(self) -> None:
        """Run the commands once, one after the other."""
        self.folder.mkdir(exist_ok=True)
        began, before = time.perf_counter(), _used()
        for number, call in enumerate(self.calls):
            with (self.folder / str(number)).open("wb") as output:
                status = subprocess.run(call, stdout=output, stderr=subprocess.DEVNULL, check=False).returncode
            if status != 0:
                raise RecordError(f"{' '.join(call)}: ended with status {status}; call it by hand")
        self.passed.append(time.perf_counter() - began)
        self.used.append(_used() - before)

    @property
    def medians(self) -> tuple[float, float]:
        """Seconds and seconds of processors, of the round in the middle."""
        return statistics.median(self.passed), statistics.median(self.used)

    def __str__(self) -> str:
        passed, used = self.medians
        return f"{passed:.3f} s, {used:.3f} s of processor"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Side:
    """One way to fold the graphs."""

    whole: _Work
    start: _Work  # as many processes that have next to nothing to fold


@click.command("fold")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--perl", type=click.Path(exists=True, file_okay=False, path_type=Path), help="FlameGraph's folder.")
@click.option("--rounds", type=click.IntRange(min=1), default=9, show_default=True)
def command(folder: Path | None, perl: Path | None, rounds: int) -> None:
    """Fold every *.graph below FOLDER, or made-up ones; draw 5 MB of folded stacks; print the median seconds.

    With --perl its script folds the same graphs in the same rounds, a process each, and the stacks are compared. Exit
    status 1 where stacks differ, where folding takes more of a processor than there once the processes have started,
    or where drawing takes more than 2 s.
    """
    with tempfile.TemporaryDirectory(prefix="fwdlab-fold-", dir=_MEMORY if _MEMORY.is_dir() else None) as name:
        graphs = sorted(folder.rglob("*.graph")) if folder else list(_made_up(Path(name)))
        if not graphs:
            raise MatrixError(f"{folder}: holds no '*.graph'; name a folder with call graphs of pmcstat")
        kept = _bench_folding(graphs, perl, rounds, Path(name))
        kept = _bench_drawing(rounds, Path(name)) and kept
    sys.exit(not kept)


def _bench_folding(graphs: Sequence[Path], perl: Path | None, rounds: int, place: Path) -> bool:
    """Print what folding takes; whether it gives what the script gives and works no longer, where there is a script."""
    octets = sum(graph.stat().st_size for graph in graphs)
    click.echo(f"{len(graphs)} call graphs, {octets / 1e6:.1f} MB, median of {rounds} rounds")
    tiny = place / "tiny.graph"
    tiny.write_text(_TINY, encoding="utf-8")
    sides = {"fwdlab": _fwdlab_side(graphs, tiny, place / "fwdlab")}
    if perl:
        sides["perl"] = _perl_side(perl / _SCRIPT, graphs, tiny, place / "perl")
    for _ in range(rounds):
        for side in sides.values():
            side.start.run()
            side.whole.run()
    for name, side in sides.items():
        click.echo(f"{name}: {side.whole}; to start alone {side.start}")
    return not perl or _compare(graphs, *sides.values())


def _fwdlab_side(graphs: Sequence[Path], tiny: Path, folder: Path) -> _Side:
    fold = [*_FWDLAB, "fold", "-o", str(folder)]
    return _Side(
        whole=_Work(calls=[[*fold, *map(str, graphs)]], folder=folder),
        start=_Work(calls=[[*fold, str(tiny)]], folder=folder),
    )


def _perl_side(script: Path, graphs: Sequence[Path], tiny: Path, folder: Path) -> _Side:
    if shutil.which("perl") is None:
        raise LabError("perl: is not installed; install it, or leave out --perl")
    return _Side(
        whole=_Work(calls=[["perl", str(script), str(graph)] for graph in graphs], folder=folder),
        start=_Work(calls=[["perl", str(script), str(tiny)]] * len(graphs), folder=folder),
    )


def _compare(graphs: Sequence[Path], ours: _Side, theirs: _Side) -> bool:
    different = [
        graph.name
        for number, graph in enumerate(graphs)
        if _stacks(ours.whole.folder / f"{graph.name}.folded") != _stacks(theirs.whole.folder / str(number))
    ]
    click.echo(f"graphs with other stacks: {', '.join(different) or 'none'}")
    our_work, their_work = (side.whole.medians[1] - side.start.medians[1] for side in (ours, theirs))
    whole = theirs.whole.medians[0] / ours.whole.medians[0]
    click.echo(f"fwdlab is {whole:.2f} times as fast as perl with its start, {their_work / our_work:.2f} times without")
    return not different and our_work <= their_work


def _stacks(folded: Path) -> Counter[str]:
    stacks: Counter[str] = Counter()
    for line in folded.read_text(encoding="utf-8", errors="replace").splitlines():
        stack, _, weight = line.rpartition(" ")
        stacks[stack] += int(weight)
    return stacks


def _used() -> float:
    """Seconds of processors that ended commands have used so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _bench_drawing(rounds: int, place: Path) -> bool:
    """Print what a flame graph of many stacks takes, from the file to the page; whether it is soon enough."""
    source = place / "many.folded"
    source.write_text("".join(_many_stacks()), encoding="utf-8")
    work = _Work(calls=[[*_FWDLAB, "flame", str(source)]], folder=place / "flame")
    for _ in range(rounds):
        work.run()
    click.echo(f"flame graph of {_DRAWN / 1e6:g} MB of folded stacks: {work}, at most {_MOST_DRAWING:g} s")
    return work.medians[0] <= _MOST_DRAWING


def _made_up(place: Path) -> Iterator[Path]:
    """Call graphs of the size and shape that pmcstat wrote of a forwarding router: four cores, a tree a function."""
    for number in range(_GRAPHS):
        graph = place / f"{number}.graph"
        graph.write_text("".join(_section(number * _CORES + core) for core in range(_CORES)), encoding="utf-8")
        yield graph


def _section(seed: int) -> str:
    samples = [1 + _HOTTEST // rank for rank in range(1, _FUNCTIONS + 1)]
    trees = ("".join(_tree(0, weight, sum(samples), seed + rank)) for rank, weight in enumerate(samples))
    return f"@ clocks [{sum(samples)} samples]\n\n" + "".join(f"{tree}\n" for tree in trees)


def _tree(depth: int, samples: int, total: int, name: int) -> Iterator[str]:
    share = "100.0" if samples == total else f"{100 * samples / total:05.2f}"
    yield f"{' ' * depth}{share}% {f' [{samples}] ':12}{' ' * depth}function_{name:03}\n"
    if depth < _DEPTH:
        rest = samples // 3 if name % 6 == 0 else 0
        for number, part in enumerate(filter(None, (samples - rest, rest))):
            yield from _tree(depth + 1, part, samples, (7 * name + number + depth) % 400)


def _many_stacks() -> Iterator[str]:
    """Distinct folded stacks of 12 to 20 frames, whose upper levels part in four, level by level."""
    octets = 0
    for number in count():
        upper = (f"function_{level:02}_{number >> 2 * (8 - level) & 3}" for level in range(9))
        lower = (f"function_{level:02}_{number * level % 5}" for level in range(9, 12 + number % 9))
        line = f"{';'.join((*upper, *lower))} {1 + number % 40}\n"
        yield line
        octets += len(line)
        if octets >= _DRAWN:
            return
