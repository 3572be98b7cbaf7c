"""Where each proven difference of a campaign went: the difference of its two sides' profiles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from statistics import fmean

from fwdlab.analyse.result import CampaignResult, Comparison, Verdict
from fwdlab.profiles.diff import SHARES, Costs, Unit, difference, mismatch
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.idle import idle_reason
from fwdlab.records.model import Clock, Label, Record
from fwdlab.render.model import Attribution

_NANOSECONDS = 1e9  # a second


def attributions(
    result: CampaignResult, profiles: Mapping[str, Profile], units: Mapping[str, Unit]
) -> Iterator[Attribution]:
    """One a proven difference; profiles, and the units of what a packet costs, by case key."""
    for item in result.comparisons:
        if item.verdict in {Verdict.BETTER, Verdict.WORSE}:
            costs = packet_costs(item, {units[sample.key] for sample in (item.base, item.new)})
            base, new = profiles.get(item.base.key), profiles.get(item.new.key)
            note = _hindrance(base, new)
            found = difference(base, new, costs) if base and new and not note else None
            yield Attribution(comparison=item, difference=found, note=note)


def unit_of(record: Record) -> Unit:
    """What a trial counts the cost of a packet in: shares where its rate does not tell that cost.

    It does where one processor sends, forwards and receives, and is the one that was profiled. In the virtual lab a
    nanosecond of it is an instruction; elsewhere the lab's facts name that processor.
    """
    if record.label is not Label.FRMOL:
        return Unit.SHARE  # the processor also waits, and the profile is of another load
    if record.trial.time is Clock.VIRTUAL:
        return Unit.INSTRUCTIONS
    return Unit.NANOSECONDS if "processor" in dict(record.conditions.facts) else Unit.SHARE


def packet_costs(item: Comparison, units: Collection[Unit]) -> Costs:
    """What a packet costs on both sides, by their rates; shares where these do not tell it in one unit."""
    if len(units) != 1 or Unit.SHARE in units:
        return SHARES
    base, new = (_NANOSECONDS / fmean(sample.values) for sample in (item.base, item.new))
    return Costs(base=base, new=new, unit=min(units))


def _hindrance(base: Profile | None, new: Profile | None) -> str:
    """Why the two profiles show no difference; empty where they do."""
    if base is None or new is None:
        return f"{'base' if base is None else 'new'} has no profile"
    idle = ((side, idle_reason(profile)) for side, profile in (("base", base), ("new", new)))
    said = (f"{side}'s profile: {reason}" for side, reason in idle if reason)
    return next(said, mismatch(base, new))
