"""The next trial of a repeat, and the result where there is none left.

Both follow from the trials so far and from nothing else, so a log can be replayed. A search begins with one trial at
maximum load, which classifies nothing: what came through is the first load. From there it goes down or up in steps that
double until both bounds are there, then up from the lower one in such steps, and halves what is left where they would
lead past the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fwdlab.search.bounds import (
    Bound,
    Bounds,
    Tried,
    classified,
    close,
    conditional_throughput,
    loads_of,
    relevant_bounds,
    trials_at,
)
from fwdlab.search.connections import Connections, Measure
from fwdlab.search.goal import Curve, Goal, Program
from fwdlab.search.table import goal_of, irregular_capacity, next_count

_LARGEST, _SMALLEST = 4.0, 0.01  # loads a search goes to, in shares of what came through at maximum load


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A trial to make."""

    load: int | None  # packets a second; None: as many as the sender can
    duration_s: float
    states: int | None = None  # connections of an elementary test, which lasts until they are made; None: it is none


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a search came to. It is regular where both bounds are there and no further apart than the goal's width."""

    bounds: Bounds
    rate: float | None  # conditional throughput at the lower bound, packets a second
    irregular: str  # why the result is not to be quoted; empty where it is regular


def next_step(program: Program, trials: Sequence[Tried]) -> Step | None:
    """The trial to make after these; None where the program is done."""
    if isinstance(program, Curve):
        return _next_of_curve(program, trials)
    if isinstance(program, Connections):
        return _next_of_table(program, trials)
    if not trials:
        return Step(load=None, duration_s=program.initial_s)
    bounds = relevant_bounds(program, trials)
    if _ended(program, trials, bounds):
        return None
    open_loads = [load for load in loads_of(trials) if _inside(load, bounds) and _open(program, trials, load)]
    if open_loads:
        return Step(load=open_loads[-1], duration_s=program.final_s)
    return Step(load=_next_load(program, trials, bounds), duration_s=program.initial_s)


def found(program: Goal | Connections, trials: Sequence[Tried]) -> Found:
    """The result of a search whose trials these are; the bounds of a table's capacity are connections."""
    if isinstance(program, Connections) and program.measure is Measure.CAPACITY:
        bounds = relevant_bounds(goal_of(program), trials)
        return Found(bounds=bounds, rate=None, irregular=irregular_capacity(program, trials))
    goal = goal_of(program) if isinstance(program, Connections) else program
    bounds = relevant_bounds(goal, trials)
    rate = conditional_throughput(goal, trials, bounds.lower) if bounds.lower is not None else None
    return Found(bounds=bounds, rate=rate, irregular=_irregular(goal, trials, bounds))


def _next_of_curve(curve: Curve, trials: Sequence[Tried]) -> Step | None:
    first = [Step(load=None, duration_s=curve.final_s)] if curve.shares else []
    whole = trials[0].forwarded_pps if curve.shares and trials else 1.0
    loads = [Step(load=max(1, round(load * whole)), duration_s=curve.final_s) for load in curve.loads]
    steps = [*first, *loads]
    return steps[len(trials)] if len(trials) < len(steps) else None


def _next_of_table(program: Connections, trials: Sequence[Tried]) -> Step | None:
    if program.measure is Measure.CAPACITY:
        test = next_count(program, trials)
        return Step(load=test[0], duration_s=0.0, states=test[1]) if test else None
    step = next_step(goal_of(program), trials)
    return replace(step, states=program.states) if step else None


def _ended(goal: Goal, trials: Sequence[Tried], bounds: Bounds) -> bool:
    return close(goal, bounds) or bool(_irregular(goal, trials, bounds))


def _irregular(goal: Goal, trials: Sequence[Tried], bounds: Bounds) -> str:
    """Why there is and will be no regular result, or no more than there is; empty where there is one or may be."""
    if close(goal, bounds):
        return ""
    if trials and trials[0].forwarded_pps < 1:
        return "nothing came through at maximum load"
    if len(trials) >= goal.trials:
        return f"the bounds were not close enough after {len(trials)} trials"
    return _one_sided(goal, trials[0].forwarded_pps, bounds) if trials else ""


def _one_sided(goal: Goal, whole_pps: float, bounds: Bounds) -> str:
    """Why one of the bounds will not be found; empty where it may be."""
    if not bounds.upper and bounds.lower:
        if goal.most and bounds.lower >= goal.most:
            return f"no load up to {goal.most} pps, the line rate, lost more than the goal: the link was the limit"
        if bounds.lower >= _LARGEST * whole_pps:
            return f"no load up to {bounds.lower} pps lost more than the goal"
    if not bounds.lower and bounds.upper and bounds.upper <= max(1, _SMALLEST * whole_pps):
        return f"every load down to {bounds.upper} pps lost more than the goal"
    return ""


def _inside(load: int, bounds: Bounds) -> bool:
    return (bounds.lower is None or load > bounds.lower) and (bounds.upper is None or load < bounds.upper)


def _open(goal: Goal, trials: Sequence[Tried], load: int) -> bool:
    return classified(goal, trials_at(trials, load)) is Bound.UNDECIDED


def _next_load(goal: Goal, trials: Sequence[Tried], bounds: Bounds) -> int:
    load = _looked_for(goal, trials, bounds)
    return min(load, goal.most) if goal.most else load


def _looked_for(goal: Goal, trials: Sequence[Tried], bounds: Bounds) -> int:
    if bounds.lower is not None:
        return _above(goal, trials, bounds.lower, bounds.upper)
    if bounds.upper is not None:
        return _below(goal, trials, bounds.upper)
    return max(1, round(trials[0].forwarded_pps))


def _below(goal: Goal, trials: Sequence[Tried], upper: int) -> int:
    """Less than what came through of the smallest upper bound, and less by a step that doubles."""
    came = max(item.forwarded_pps for item in trials_at(trials, upper))
    step = min(0.5, goal.width * 2 ** (len(loads_of(trials)) - 1))
    return max(1, min(int(came * (1 - goal.width / 2)), int(upper * (1 - step)), upper - 1))


def _above(goal: Goal, trials: Sequence[Tried], lower: int, upper: int | None) -> int:
    """More than the largest lower bound by a step that doubles with each, but not past the middle of the bounds."""
    climbed = sum(load < lower for load in loads_of(trials))
    step = max(1, int(lower * min(1.0, goal.width * 2**climbed)))
    return lower + step if upper is None else lower + min(step, max(1, (upper - lower) // 2))
