"""Stacks as the boxes of a flame graph, in the order in which a tree is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

Frames = tuple[str, ...]  # root first


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """Boxes from the left, each before those that stand on it; by columns, since there may be a million.

    The first is `all`, on which the others stand. A box stands on the last one before it of a smaller depth.
    """

    names: Sequence[str]
    depths: Sequence[int]  # of `all`: 0
    weights: tuple[Sequence[int], ...]  # one a profile; of the function and everything it called


def tree_of(*profiles: Mapping[Frames, int]) -> Tree:
    """The boxes that the stacks of these profiles make together; neighbours by name.

    Without recursion, since stacks may be deeper than Python's own.
    """
    names, depths = ["all"], [0]
    below = [0]  # the place of the box it stands on
    weights = [[0] for _ in profiles]
    path: Frames = ()
    places = [0]  # of `all` and of each box of the path
    for frames in sorted({frames for stacks in profiles for frames in stacks}):
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, frames, strict=False)))
        first, count = len(names), len(frames) - shared
        del places[shared + 1 :]
        names += frames[shared:]
        depths += range(shared + 1, len(frames) + 1)
        below += (places[-1], *range(first, first + count - 1))[:count]
        places += range(first, first + count)
        for stacks, column in zip(profiles, weights, strict=True):
            column.extend([0] * count)
            column[places[-1]] = stacks.get(frames, 0)
        path = frames
    for column in weights:
        for place in range(len(names) - 1, 0, -1):
            column[below[place]] += column[place]
    return Tree(names=names, depths=depths, weights=tuple(weights))
