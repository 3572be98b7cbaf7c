"""Loads as lower and upper bounds of a goal: the rules of MLRsearch (RFC 9971, appendices A and B)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from fwdlab.search.goal import Goal


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """A trial that was made: what was intended, and what came of it."""

    load: int | None  # packets a second; None: as many as the sender could, which classifies no load
    duration_s: float  # intended
    forwarded_pps: float
    loss: float  # share of the frames that were due and did not come through, 0..1


class Bound(StrEnum):
    """What a load is to a goal."""

    LOWER = "lower"  # it keeps the goal
    UPPER = "upper"  # it does not
    UNDECIDED = "undecided"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """The relevant bounds of a goal: the smallest upper one, and the largest lower one below it."""

    lower: int | None
    upper: int | None


def classified(goal: Goal, trials: Sequence[Tried]) -> Bound:
    """What the load of these trials is, whatever the trials that are left of the duration sum would bring."""
    low, high = _full_sums(goal, trials)
    short_low = sum(item.duration_s for item in trials if _short(goal, item) and item.loss <= goal.loss)
    short_high = sum(item.duration_s for item in trials if _short(goal, item) and item.loss > goal.loss)
    balancing = short_low * goal.exceed / (1 - goal.exceed)
    effective_high = high + max(0.0, short_high - balancing)
    whole = max(low + effective_high, goal.sum_s)
    allowed = whole * goal.exceed
    if whole - low <= allowed:
        return Bound.LOWER
    return Bound.UPPER if effective_high > allowed else Bound.UNDECIDED


def relevant_bounds(goal: Goal, trials: Sequence[Tried]) -> Bounds:
    """The bounds that all trials so far come to; None where there is none yet."""
    found = {load: classified(goal, trials_at(trials, load)) for load in loads_of(trials)}
    upper = min((load for load, bound in found.items() if bound is Bound.UPPER), default=None)
    below = (load for load, bound in found.items() if bound is Bound.LOWER and (upper is None or load < upper))
    return Bounds(lower=max(below, default=None), upper=upper)


def close(goal: Goal, bounds: Bounds) -> bool:
    """Whether both bounds are there and no further apart than the goal's width."""
    if bounds.lower is None or bounds.upper is None:
        return False
    apart = bounds.upper - bounds.lower
    return apart <= max(1, goal.width * bounds.upper)


def conditional_throughput(goal: Goal, trials: Sequence[Tried], load: int) -> float:
    """The forwarding rate to be expected at a lower bound: that of its exceed ratio's quantile of loss."""
    full = sorted((item for item in trials_at(trials, load) if not _short(goal, item)), key=lambda item: item.loss)
    whole = max(goal.sum_s, sum(item.duration_s for item in full))
    remaining, quantile = whole * (1 - goal.exceed), 1.0
    for place, item in enumerate(full):
        if place and remaining <= 0:
            break
        quantile = item.loss
        remaining -= item.duration_s
    return load * (1 - (quantile if remaining <= 0 else 1.0))


def loads_of(trials: Sequence[Tried]) -> list[int]:
    """The loads that were tried, in the order of their first trials."""
    return list(dict.fromkeys(item.load for item in trials if item.load is not None))


def trials_at(trials: Sequence[Tried], load: int) -> list[Tried]:
    """The trials of one load."""
    return [item for item in trials if item.load == load]


def _full_sums(goal: Goal, trials: Sequence[Tried]) -> tuple[float, float]:
    full = [item for item in trials if not _short(goal, item)]
    low = sum(item.duration_s for item in full if item.loss <= goal.loss)
    return low, sum(item.duration_s for item in full) - low


def _short(goal: Goal, item: Tried) -> bool:
    return item.duration_s < goal.final_s
