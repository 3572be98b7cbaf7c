"""From questions to campaigns: which cases are the arms, which the baseline, and what belongs to neither."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from fwdlab.campaign import PHYSICAL_THRESHOLD, VIRTUAL_THRESHOLD, Campaign, Member
from fwdlab.case import AXES, Lab
from fwdlab.matrix.model import Ask, Matrix, Names


def campaigns_of(matrix: Matrix, keys: Mapping[Names, str]) -> tuple[Campaign, ...]:
    """The campaigns that have at least two arms among the cases of `keys`, in the order of the file."""
    asked = ((ask, members_by_arm(ask, keys)) for ask in matrix.asks)
    return tuple(
        _campaign(ask, by_arm, matrix, keys) for ask, by_arm in asked if len(by_arm) > 1 and ask.baseline in by_arm
    )


def members_by_arm(ask: Ask, cells: Iterable[Names]) -> dict[str, list[Names]]:
    """The cases of each arm, the baseline first; an arm without a case is not there."""
    axis = AXES.index(ask.axis)
    found: dict[str, list[Names]] = {}
    for names in cells:
        if ask.select.fits(names):
            found.setdefault(names[axis], []).append(names)
    order = dict.fromkeys((ask.baseline, *(ask.arms or found)))
    return {arm: found[arm] for arm in order if arm in found}


def alone(ask: Ask, by_arm: Mapping[str, Collection[Names]]) -> list[str]:
    """The arms no case of which has a counterpart at the baseline, equal on every other axis."""
    axis = AXES.index(ask.axis)
    based = {_without(names, axis) for names in by_arm[ask.baseline]}
    return [arm for arm, cells in by_arm.items() if based.isdisjoint(_without(names, axis) for names in cells)]


def _without(names: Names, axis: int) -> Names:
    return names[:axis] + names[axis + 1 :]


def _campaign(ask: Ask, by_arm: Mapping[str, Collection[Names]], matrix: Matrix, keys: Mapping[Names, str]) -> Campaign:
    ours = {names for cells in by_arm.values() for names in cells}
    return Campaign(
        name=ask.name,
        title=ask.title,
        question=ask.question,
        conditions=ask.conditions,
        axis=ask.axis,
        arms=tuple(by_arm),
        members=tuple(Member(names=names, key=key) for names, key in keys.items() if names in ours),
        repeats=ask.repeats,
        adaptive=ask.adaptive,
        gate=ask.gate,
        ministat=ask.ministat,
        threshold=_threshold(matrix, ours) if ask.threshold is None else ask.threshold,
    )


def _threshold(matrix: Matrix, members: Collection[Names]) -> float:
    """The practical threshold of the noisiest lab among the members."""
    virtual = {machine.name for machine in matrix.machines if machine.lab is Lab.QEMU}
    return VIRTUAL_THRESHOLD if all(names[0] in virtual for names in members) else PHYSICAL_THRESHOLD
