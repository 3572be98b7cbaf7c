"""Where each proven difference of a campaign went: the difference of its two sides' profiles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from statistics import fmean

from fwdlab.analyse.result import CampaignResult, Comparison, Verdict
from fwdlab.profiles.diff import SHARES, Costs, Unit, difference, mismatch
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.idle import idle_reason
from fwdlab.render.model import Attribution

_NANOSECONDS = 1e9  # a second


def attributions(
    result: CampaignResult, profiles: Mapping[str, Profile], virtual: Collection[str]
) -> Iterator[Attribution]:
    """One a proven difference; profiles by case key, and the keys of virtual cases."""
    for item in result.comparisons:
        if item.verdict in {Verdict.BETTER, Verdict.WORSE}:
            costs = packet_costs(item) if {item.base.key, item.new.key} <= set(virtual) else SHARES
            base, new = profiles.get(item.base.key), profiles.get(item.new.key)
            note = _hindrance(base, new)
            found = difference(base, new, costs) if base and new and not note else None
            yield Attribution(comparison=item, difference=found, note=note)


def packet_costs(item: Comparison) -> Costs:
    """What a packet costs in the virtual lab, where each instruction takes a nanosecond."""
    base, new = (_NANOSECONDS / fmean(sample.values) for sample in (item.base, item.new))
    return Costs(base=base, new=new, unit=Unit.INSTRUCTIONS)


def _hindrance(base: Profile | None, new: Profile | None) -> str:
    """Why the two profiles show no difference; empty where they do."""
    if base is None or new is None:
        return f"{'base' if base is None else 'new'} has no profile"
    idle = ((side, idle_reason(profile)) for side, profile in (("base", base), ("new", new)))
    said = (f"{side}'s profile: {reason}" for side, reason in idle if reason)
    return next(said, mismatch(base, new))
