"""The difference of two profiles: the same boxes with what each side spends in them, and every function's own change.

Costs make the sides comparable. Where it is known what a packet costs, a share of the profile is that share of the
packet's cost, so that a patch which adds 60 instructions to one function leaves the others where they were; by shares
alone they would all shrink. Where it is not known, both sides cost 1 and the difference is one of shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from fwdlab.profiles.align import aligned
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.tree import Frames, Tree, tree_of


class Unit(StrEnum):
    """What costs are counted in."""

    INSTRUCTIONS = "instructions a packet"
    NANOSECONDS = "ns a packet"
    SHARE = "share of all samples"  # a fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class Costs:
    """What all samples of each side cost together."""

    base: float
    new: float
    unit: Unit


SHARES = Costs(base=1.0, new=1.0, unit=Unit.SHARE)  # where nobody knows what a packet costs


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One profile as a part of a difference."""

    event: str
    samples: int
    weight: int  # of all samples
    cost: float  # of all samples, in the difference's unit

    def cost_of(self, weight: int) -> float:
        """What so much of the profile's weight costs."""
        return self.cost * weight / self.weight


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """What a function weighs itself on each side, callees aside."""

    name: str
    base: int
    new: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """Two profiles in one tree."""

    unit: Unit
    base: Side
    new: Side
    tree: Tree  # weights of base, then of new
    functions: tuple[Function, ...]  # the largest change of cost first, equals by name
    base_passing: tuple[str, ...]  # functions only base has, taken out where they only passed on
    new_passing: tuple[str, ...]


def mismatch(base: Profile, new: Profile) -> str:
    """Why two profiles cannot be held against each other; empty where they can."""
    if base.event and new.event and base.event != new.event:
        return f"'{base.event}' was sampled on one side and '{new.event}' on the other; profile both by one event"
    if _functions(base).isdisjoint(_functions(new)):
        return "the two have no function in common; name profiles of one program or kernel"
    return ""


def difference(base: Profile, new: Profile, costs: Costs) -> Difference:
    """What became of the first profile in the second."""
    stacks = aligned(base, new)
    old, young = _side(base, costs.base), _side(new, costs.new)
    return Difference(
        unit=costs.unit,
        base=old,
        new=young,
        tree=tree_of(stacks.base, stacks.new),
        functions=_moved(_own(stacks.base), _own(stacks.new), old, young),
        base_passing=stacks.base_passing,
        new_passing=stacks.new_passing,
    )


def _side(profile: Profile, cost: float) -> Side:
    return Side(event=profile.event, samples=_samples(profile), weight=profile.total, cost=cost)


def _functions(profile: Profile) -> set[str]:
    return {frame for stack in profile.stacks for frame in stack.frames}


def _samples(profile: Profile) -> int:
    """Samples taken. Folded text names no event and tells weights alone; its lightest stack weighs no less than one."""
    if profile.event:
        return profile.samples
    return profile.total // min(stack.weight for stack in profile.stacks if stack.weight)


def _own(stacks: Mapping[Frames, int]) -> Mapping[str, int]:
    weights: Counter[str] = Counter()
    for frames, weight in stacks.items():
        weights[frames[-1]] += weight
    return weights


def _moved(base: Mapping[str, int], new: Mapping[str, int], old: Side, young: Side) -> tuple[Function, ...]:
    found = [Function(name=name, base=base.get(name, 0), new=new.get(name, 0)) for name in {**base, **new}]
    return tuple(sorted(found, key=lambda item: (-abs(young.cost_of(item.new) - old.cost_of(item.base)), item.name)))
