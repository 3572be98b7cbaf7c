"""Git trees made from a few numbers, and a laboratory that measures their commits without building any."""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fwdlab.bisect.history import History
from fwdlab.bisect.journal import Journal
from fwdlab.bisect.judge import Judge
from fwdlab.bisect.model import Commit, Measured, Outcome, Skipped, Tried
from fwdlab.bisect.search import Question, Search

LEVEL = 120_000.0  # pps
NOISE = 3e-5  # relative deviation of a repeat, as the virtual lab has it
REPEATS = 5
THRESHOLD = 0.002
EPOCH = 1_700_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """One commit: the places of its parents in the list, what it does to the rate, whether it builds."""

    parents: tuple[int, ...]
    factor: float = 1.0
    broken: bool = False
    fault: str = ""  # what else is wrong with it, in the words of the lab of fakes

    @property
    def word(self) -> str:
        """What a lab of fakes makes of it."""
        return self.fault or ("broken" if self.broken else "whole")


def line(count: int, factors: Mapping[int, float], broken: Sequence[int] = ()) -> tuple[Node, ...]:
    """A history without merges."""
    return tuple(
        Node(parents=(place - 1,) if place else (), factor=factors.get(place, 1.0), broken=place in broken)
        for place in range(count)
    )


def ancestry(nodes: Sequence[Node], place: int) -> set[int]:
    """The places a commit contains, its own among them."""
    found, left = set[int](), [place]
    while left:
        if (at := left.pop()) not in found:
            found.add(at)
            left.extend(nodes[at].parents)
    return found


def rate(nodes: Sequence[Node], place: int) -> float:
    """The true rate of a commit: every change it contains counts once."""
    level = LEVEL
    for at in sorted(ancestry(nodes, place)):
        level *= nodes[at].factor
    return level


def git(tree: Path, *words: str, status: int | None = 0, **more: str) -> str:
    """What git says in that tree, with nobody's configuration."""
    own = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "LC_ALL": "C", **more}
    command = ["git", "-C", str(tree), "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
    done = subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    assert status is None or done.returncode == status, done.stderr
    return done.stdout + done.stderr if status is None else done.stdout


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """A repository, with what its commits are like."""

    folder: Path
    nodes: tuple[Node, ...]
    ids: tuple[str, ...]  # by place

    @property
    def places(self) -> dict[str, int]:
        return {commit: place for place, commit in enumerate(self.ids)}


def made(folder: Path, nodes: Sequence[Node]) -> Tree:
    """A repository with these commits; file `state` of each has its rate, and a word that keeps it from building."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    parts = []
    for place, node in enumerate(nodes):
        state = f"{rate(nodes, place):.3f} {node.word}\n"
        subject = f"net: change {place}"
        parents = "".join(f"{'merge' if rank else 'from'} :{parent + 1}\n" for rank, parent in enumerate(node.parents))
        parts.append("" if node.parents else "reset refs/heads/main\n")
        parts.append(
            f"commit refs/heads/main\nmark :{place + 1}\ncommitter A <a@example.org> {EPOCH + 60 * place} +0000\n"
            f"data {len(subject)}\n{subject}\n{parents}M 100644 inline state\ndata {len(state)}\n{state}\n"
        )
    marks = folder / ".git" / "marks"
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--force", f"--export-marks={marks}"]
    subprocess.run(command, input="".join(parts), text=True, check=True)
    by_mark = dict(entry.split() for entry in marks.read_text().splitlines())
    return Tree(folder=folder, nodes=tuple(nodes), ids=tuple(by_mark[f":{place + 1}"] for place in range(len(nodes))))


class Killed(BaseException):
    """The search was killed."""


@dataclass(kw_only=True)
class Lab:
    """What a real lab keeps among the results: a repeat that was measured is not measured again."""

    tree: Tree
    boots_left: int = 10**9  # before the search is killed
    noise: float = NOISE
    boots: Counter[tuple[str, int]] = field(default_factory=Counter)
    calls: list[tuple[str, int]] = field(default_factory=list)
    results: dict[tuple[str, int], float] = field(default_factory=dict)

    def measure(self, commits: Sequence[Commit], repeats: int) -> list[Tried]:
        self.calls += [(commit.id, repeats) for commit in commits]
        return [self._tried(commit, repeats) for commit in commits]

    def _tried(self, commit: Commit, repeats: int) -> Tried:
        if self.tree.nodes[self.tree.places[commit.id]].broken:
            return Skipped(commit=commit, reason="net/ipv4/ip_forward.c:1: it breaks; log build.log")
        values = tuple(self._boot(commit.id, repeat) for repeat in range(1, repeats + 1))
        return Measured(commit=commit, values=values, invalid=())

    def _boot(self, commit: str, repeat: int) -> float:
        at = (commit, repeat)
        if at not in self.results:
            if not self.boots_left:
                raise Killed
            self.boots_left -= 1
            self.boots[at] += 1
            noise = random.Random(f"{commit}{repeat}").gauss(1, self.noise)  # noqa: S311 - noise, no secret
            self.results[at] = round(rate(self.tree.nodes, self.tree.places[commit]) * noise, 3)
        return self.results[at]

    @property
    def measured(self) -> set[str]:
        """The commits that were built and booted."""
        return {commit for commit, _ in self.boots}


def search(
    tree: Tree, lab: Lab, good: int, bad: int, *, first_parent: bool = False, tell: Callable[[str], object] = str
) -> Search:
    """A search of that tree, its log beside it."""
    history = History(tree=tree.folder, first_parent=first_parent)
    return Search(
        question=Question(good=history.commit(tree.ids[good]), bad=history.commit(tree.ids[bad]), repeats=REPEATS),
        history=history,
        judge=Judge(threshold=THRESHOLD, machine="box", noise_floor=None),
        measure=lab.measure,
        journal=Journal(path=tree.folder.with_suffix(".log")),
        tell=tell,
    )


def found(tree: Tree, lab: Lab, good: int = 0, bad: int = -1, *, first_parent: bool = False) -> Outcome:
    """The outcome of a whole search."""
    return search(tree, lab, good, bad, first_parent=first_parent).found()
