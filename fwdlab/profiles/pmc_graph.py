"""The call graphs of FreeBSD's `pmcstat -R LOG -z100 -G FILE`, folded as FlameGraph's stackcollapse-pmc.pl folds them.

A section is `@ EVENT [n samples]` and the functions that ran, each a tree: a line one space deeper is a caller, with
how many of the samples of the line above came through it. pmcstat writes a section for every counter it read, which is
one a core where it watched the whole system: sections of one event are added up, as the script does. It prints a line
a leaf as they come; here equal stacks are summed and sorted, as its stackcollapse-sum.pl leaves them.

Where the script makes stacks that were never sampled ours differ, and a caveat says so. It adds up different events;
here the first counts, or the one asked for. It loses a sample whose call chain ends where that of another goes on; here
that is a stack too. It hangs the callers of a function without a name on an older stack; here it is `[unknown]`. It
takes the last line of a cut file as it is; here the tree that was cut is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, pairwise
from operator import le

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import (
    AGAIN,
    UNKNOWN,
    Profile,
    chosen_event,
    counted,
    first_line,
    left_out,
    profile_of,
    unread_lines,
)

_HEAD = re.compile(r"@ (?P<event>\S.*) \[(?P<samples>\d{1,18}) samples\](?:\n|$)", re.ASCII)
_NODE = re.compile(r" *[\d.]+%  \[\d{1,18}\] *(?P<name>\S*).*", re.ASCII)
_NAME = re.compile(r"%  \[\d{1,18}\] *(\S*)", re.ASCII)
_NAMELESS = frozenset({"", "@"})  # what stands for an empty name, alone or before `@ MODULE`


@dataclass(frozen=True, kw_only=True, slots=True)
class _Section:
    """What was sampled on one counter."""

    event: str  # empty where the text has no head
    samples: int  # as the head says
    text: str  # that the section is part of
    begin: int  # where in it the trees begin
    end: int

    @property
    def body(self) -> str:
        """The trees."""
        return self.text[self.begin : self.end]

    @property
    def first(self) -> int:
        """The number of the line that the trees begin with."""
        return self.text.count("\n", 0, self.begin) + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class _Trees:
    """The lines of a section that say something; places in these columns count from 0."""

    lines: Sequence[str]
    names: Sequence[str]
    depths: Sequence[int]


@dataclass(kw_only=True, slots=True)
class _Fold:
    """What has been read so far."""

    origin: str
    ended: bool  # whether an empty line ends the text, as it does every tree
    weights: Counter[str] = field(default_factory=Counter)
    unread: list[int] = field(default_factory=list)  # numbers of lines of no known form
    nameless: bool = False
    inner: int = 0  # samples whose call chain ends where that of others goes on


def recognises(text: str) -> bool:
    """Whether the first line that says anything is a section's head or a line of a tree."""
    first = first_line(text)
    return _NODE.fullmatch(first) is not None or _HEAD.fullmatch(first) is not None


def fold(text: str, origin: str, event: str | None = None) -> Profile:
    """The profile of one event; RecordError where lines are missing or no function is whole."""
    state = _Fold(origin=origin, ended=text.endswith("\n\n"))
    whole, cut = _whole_trees(text, origin)
    sections = list(_sections(state, whole))
    taken: Counter[str] = Counter()
    for section in sections:
        taken[section.event] += section.samples
    name = chosen_event(taken, event, origin)
    for section in sections:
        if section.event == name:
            _read(state, section)
    samples = sum(state.weights.values())
    caveats = (*left_out(taken, name), *_caveats(state, samples, taken[name], cut))
    return profile_of(state.weights, event=name, samples=samples, caveats=caveats, origin=origin)


def _whole_trees(text: str, origin: str) -> tuple[str, int]:
    """The text without the tree that its end cuts, and the number of the line that is cut; 0 where none is."""
    if text.endswith("\n"):
        return text, 0
    number = text.count("\n") + 1
    whole, gap, _ = text.rpartition("\n\n")
    if not _NAME.search(whole):
        found = "ends before one function is whole, so the profile is cut"
        raise RecordError(f"{origin}:{number}:1: {found}; collect it again")
    return whole + gap, number


def _sections(state: _Fold, text: str) -> Iterator[_Section]:
    """The sections in their order; a text without a head, such as an excerpt, is one too."""
    heads = list(_heads(text))
    if not heads:
        yield _Section(event="", samples=0, text=text, begin=0, end=len(text))
        return
    state.unread += [number for number, line in enumerate(text[: heads[0]].split("\n"), 1) if line]
    for begin, end in pairwise([*heads, len(text)]):
        match = _HEAD.match(text, begin)
        if match is None:
            number = text.count("\n", 0, begin) + 1
            found = f"'{text[begin : begin + 60].splitlines()[0]}' is no head of a section"
            raise RecordError(f"{state.origin}:{number}:1: {found}; {AGAIN}")
        yield _Section(event=match["event"], samples=int(match["samples"]), text=text, begin=match.end(), end=end)


def _heads(text: str) -> Iterator[int]:
    """Where the heads begin: what no line of a tree begins with."""
    place = 0 if text.startswith("@") else text.find("\n@") + 1
    while text.startswith("@", place):
        yield place
        place = text.find("\n@", place) + 1 or len(text)


def _read(state: _Fold, section: _Section) -> None:
    trees = _trees(state, section)
    found = _leaves(state, section, trees)
    state.weights.update(found)
    if sum(found.values()) != section.samples:  # seldom, and as much work again
        for stack, samples in _inner_ends(trees):
            state.weights[stack] += samples
            state.inner += samples


def _trees(state: _Fold, section: _Section) -> _Trees:
    body = section.body
    lines = [line for line in body.split("\n") if line]
    names = _NAME.findall(body)  # in one go: a match for each line alone takes twice the time
    if len(names) != len(lines):
        known = list(_known_lines(state, section))
        lines, names = [match[0] for match in known], [match["name"] for match in known]
    if not _NAMELESS.isdisjoint(names):
        state.nameless = True
        names = [UNKNOWN if name in _NAMELESS else name for name in names]
    return _Trees(lines=lines, names=names, depths=[len(line) - len(line.lstrip(" ")) for line in lines])


def _known_lines(state: _Fold, section: _Section) -> Iterator[re.Match[str]]:
    for number, line in enumerate(section.body.split("\n"), section.first):
        if match := _NODE.fullmatch(line):
            yield match
        elif line:
            state.unread.append(number)


def _leaves(state: _Fold, section: _Section, trees: _Trees) -> dict[str, int]:
    """The paths from a root to a leaf as stacks, with the leaves' samples.

    A leaf is a line that no deeper one follows, so what lies between two leaves is one branch, a line a level.
    """
    lines, names, depths = trees.lines, trees.names, trees.depths
    ends = compress(range(1, len(depths) + 1), map(le, [*depths[1:], 0], depths))
    weights: dict[str, int] = {}
    path: list[str] = []
    begin = 0
    for end in ends:
        path[depths[begin] :] = names[begin:end]
        if len(path) != depths[end - 1] + 1:
            found = "stands more than one level below the line before it, so lines are missing"
            raise RecordError(f"{state.origin}:{_gap(section, trees, begin)}:1: {found}; {AGAIN}")
        stack = ";".join(path[::-1])
        weights[stack] = weights.get(stack, 0) + _samples(lines[end - 1])
        begin = end
    return weights


def _samples(line: str) -> int:
    return int(line[line.index("[") + 1 : line.index("]")])


def _gap(section: _Section, trees: _Trees, begin: int) -> int:
    """The number of the first line from there on that stands more than one level below the one before it."""
    depths = [-1, *trees.depths]
    place = next(place for place in range(begin, len(trees.depths)) if depths[place + 1] > depths[place] + 1)
    numbered = enumerate(section.body.split("\n"), section.first)
    return [number for number, line in numbered if _NODE.fullmatch(line)][place]


def _inner_ends(trees: _Trees) -> Iterator[tuple[str, int]]:
    """Each path from a root to a line whose callers have fewer samples than it, with the samples that end there."""
    ending = [_samples(line) for line in trees.lines]
    above: list[int] = []  # places of the open lines
    for place, depth in enumerate(trees.depths):
        del above[depth:]
        if above:
            ending[above[-1]] -= _samples(trees.lines[place])
        above.append(place)
    path: list[str] = []
    for place, (depth, following) in enumerate(pairwise([*trees.depths, 0])):
        path[depth:] = [trees.names[place]]
        if depth < following and ending[place] > 0:
            yield ";".join(path[::-1]), ending[place]


def _caveats(state: _Fold, samples: int, announced: int, cut: int) -> Iterator[str]:
    yield from unread_lines(state.unread)
    if state.nameless:
        yield f"functions without a name are shown as '{UNKNOWN}'"
    if state.inner:
        yield f"{counted(state.inner, 'sample')} end where the call chains of others go on, and are stacks of their own"
    if cut:
        known = f" of {announced}" if announced else ""
        yield f"line {cut} is cut: its tree and what came after are missing, {samples}{known} samples are folded"
        return
    if not state.ended:
        yield "no empty line follows the last tree, so it may be cut"
    if announced and samples != announced:
        yield f"its stacks hold {counted(samples, 'sample')}, its heads announce {announced}"
