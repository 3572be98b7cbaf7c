"""What a case is compared with: measured apart from it, it would answer nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fwdlab.campaign import Campaign
from fwdlab.case import AXES
from fwdlab.matrix.model import Names


def counterparts(campaigns: Iterable[Campaign], *, arms: bool) -> dict[Names, tuple[Names, ...]]:
    """The baseline of each case that is an arm somewhere; with `arms`, the arms of each baseline as well."""
    found: dict[Names, dict[Names, None]] = {}
    for campaign in campaigns:
        for arm, base in _pairs(campaign):
            found.setdefault(arm, {})[base] = None
            if arms:
                found.setdefault(base, {})[arm] = None
    return {names: tuple(others) for names, others in found.items()}


def narrowed(campaign: Campaign) -> Campaign | None:
    """The campaign with those members alone that are compared with another one; None where no pair is left."""
    compared = {names for pair in _pairs(campaign) for names in pair}
    if not compared:
        return None
    axis = AXES.index(campaign.axis)
    left = {names[axis] for names in compared}
    return replace(
        campaign,
        members=tuple(member for member in campaign.members if member.names in compared),
        arms=tuple(arm for arm in campaign.arms if arm in left),
    )


def _pairs(campaign: Campaign) -> Iterator[tuple[Names, Names]]:
    """Each arm's case with the baseline's that is equal on every other axis."""
    axis = AXES.index(campaign.axis)
    members = {member.names for member in campaign.members}
    for member in campaign.members:
        base = (*member.names[:axis], campaign.baseline, *member.names[axis + 1 :])
        if base != member.names and base in members:
            yield member.names, base
