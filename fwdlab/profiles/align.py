"""Two profiles' stacks under names that can be compared: the next kernel renames, splits and inlines.

Stacks are compared frame by frame from the root, so one function that only one side has would part all that stands on
it from the same code of the other side. Two things are therefore evened out:

- what a compiler appends where it clones or splits a function (`.constprop.0`, `.part.0`), or Linux since 6.10 where it
  counts a function's allocations (`_noprof`), is no part of its name;
- a function that only one side has, and on which mostly stands what the other side has without it, is taken out of the
  stacks that go through it. What it costs itself stays, as a leaf.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from fwdlab.profiles.folded import Profile
from fwdlab.profiles.tree import Frames

_APPENDED = re.compile(
    r"(?:_noprof)?(?:\.(?:constprop|isra|part|cold|localalias|lto_priv|llvm)(?:\.\d+)*)*(?=$|_\[[a-z]\]$)", re.ASCII
)
_ROOT, _NOWHERE = 0, -1

_Stacks = Mapping[Frames, int]
_Paths = Mapping[tuple[int, str], int]  # place and function to the place above


@dataclass(frozen=True, kw_only=True, slots=True)
class Aligned:
    """Two profiles' weights by stack, and the functions taken out of each."""

    base: _Stacks
    new: _Stacks
    base_passing: tuple[str, ...]  # the heaviest first
    new_passing: tuple[str, ...]


def aligned(base: Profile, new: Profile) -> Aligned:
    """Both profiles' stacks as they can be compared."""
    old, young = _plain(base), _plain(new)
    of_old, of_young = _functions(old), _functions(young)
    both = of_old & of_young
    old_passing = _passing(old, of_old - both, _paths(young, both)) if len(both) < len(of_old) else ()
    young_passing = _passing(young, of_young - both, _paths(old, both)) if len(both) < len(of_young) else ()
    return Aligned(
        base=_without(old, old_passing),
        new=_without(young, young_passing),
        base_passing=old_passing,
        new_passing=young_passing,
    )


def _plain(profile: Profile) -> _Stacks:
    """Weights by stack, under the functions' own names."""
    stacks = {stack.frames: stack.weight for stack in profile.stacks}
    own = {frame: name for frame in _functions(stacks) if (name := _own_name(frame)) != frame}
    if not own:
        return stacks
    weights: Counter[Frames] = Counter()
    for frames, weight in stacks.items():
        weights[frames if own.keys().isdisjoint(frames) else tuple(_renamed(frames, own))] += weight
    return weights


def _own_name(frame: str) -> str:
    return _APPENDED.sub("", frame, count=1) or frame


def _renamed(frames: Frames, own: Mapping[str, str]) -> Iterator[str]:
    """The frames by their own names; a part that its own function called is one with it."""
    before = ""
    for frame in frames:
        name = own.get(frame, frame)
        if name == frame or name != before:
            yield name
        before = name


def _functions(stacks: Iterable[Frames]) -> Set[str]:
    return {frame for frames in stacks for frame in frames}


def _paths(stacks: Iterable[Frames], both: Set[str]) -> _Paths:
    """Every way up through the stacks, by functions that both profiles have."""
    paths: dict[tuple[int, str], int] = {}
    for frames in stacks:
        place = _ROOT
        for frame in frames:
            if frame in both:
                place = paths.setdefault((place, frame), len(paths) + 1)
    return paths


def _passing(stacks: _Stacks, alone: Set[str], others: _Paths) -> tuple[str, ...]:
    """The functions that stand `alone`, with more than half of their weight in stacks that others have without them."""
    whole: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for frames, weight in stacks.items():
        if not alone.isdisjoint(frames):
            whole.update(dict.fromkeys(alone & set(frames), weight))
            passed.update(dict.fromkeys(_passed(frames, alone, others), weight))
    found = [(-weight, function) for function, weight in whole.items() if 2 * passed[function] > weight]
    return tuple(function for _, function in sorted(found))


def _passed(frames: Frames, alone: Set[str], others: _Paths) -> Iterator[str]:
    """Those functions of one stack that stand `alone` where the next one above stands as it does in the others."""
    place = _ROOT
    waiting: list[str] = []
    for frame in frames:
        if frame in alone:
            waiting.append(frame)
            continue
        place = others.get((place, frame), _NOWHERE)
        if place == _NOWHERE:
            return
        yield from waiting
        waiting.clear()


def _without(stacks: _Stacks, passing: Collection[str]) -> _Stacks:
    """The stacks without these functions but where one is the leaf."""
    if not passing:
        return stacks
    weights: Counter[Frames] = Counter()
    for (*below, leaf), weight in stacks.items():
        weights[*(frame for frame in below if frame not in passing), leaf] += weight
    return weights
