"""What a repeat of several trials came to, as its record tells it: everything tried, the rate, and the trial shown."""

from __future__ import annotations

from collections.abc import Sequence

from fwdlab.records.model import Searched, StateTable, TriedLoad
from fwdlab.records.trials import OneTrial, given_up, intended_of, sound_trials
from fwdlab.search.bounds import trials_at
from fwdlab.search.connections import Connections, Measure
from fwdlab.search.goal import Curve, Program, goal_words
from fwdlab.search.steps import Found, found


def searched_of(program: Program, trials: Sequence[OneTrial]) -> Searched:
    """Everything that was tried, and what it came to."""
    result = _found(program, trials)
    in_pps = result if not _is_capacity(program) else None
    return Searched(
        goal=goal_words(program),
        lower_pps=in_pps.bounds.lower if in_pps else None,
        upper_pps=in_pps.bounds.upper if in_pps else None,
        irregular=given_up(trials) or (result.irregular if result else ""),
        trials=tuple(
            TriedLoad(
                intended_pps=intended_of(item),
                duration_s=item.tried.duration_s,
                offered_pps=item.offered_pps,
                forwarded_pps=item.tried.forwarded_pps,
                loss_ratio=item.tried.loss,
                fault=item.fault,
            )
            for item in trials
        ),
    )


def table_of(program: Program, trials: Sequence[OneTrial]) -> StateTable | None:
    """Every elementary test, and the numbers of connections around a capacity; None where there is no such test."""
    if not isinstance(program, Connections):
        return None
    result = _found(program, trials) if _is_capacity(program) else None
    return StateTable(
        lower_states=result.bounds.lower if result else None,
        upper_states=result.bounds.upper if result else None,
        tests=tuple(item.test for item in trials if item.test),
    )


def _is_capacity(program: Program) -> bool:
    return isinstance(program, Connections) and program.measure is Measure.CAPACITY


def _found(program: Program, trials: Sequence[OneTrial]) -> Found | None:
    return None if isinstance(program, Curve) else found(program, [item.tried for item in sound_trials(trials)])


def rate_of(program: Program, trials: Sequence[OneTrial]) -> float | None:
    """The rate of the repeat: the conditional throughput of a search, what came through at the last load of a curve."""
    if _is_capacity(program):
        return shown_trial(program, trials).tried.forwarded_pps
    result, counting = _found(program, trials), sound_trials(trials)
    if result:
        return result.rate
    return counting[-1].tried.forwarded_pps if counting else None


def shown_trial(program: Program, trials: Sequence[OneTrial]) -> OneTrial:
    """The trial whose series and counters stand for the repeat: the last at the lower bound, else the last of all."""
    result, counting = _found(program, trials), sound_trials(trials) or trials
    if result is None or result.bounds.lower is None:
        return counting[-1]
    last = trials_at([item.tried for item in counting], result.bounds.lower)[-1]
    return next(item for item in counting if item.tried is last)


def faults_of_search(searched: Searched) -> tuple[str, ...] | None:
    """Why the result of a search is not to be quoted."""
    return (f"irregular result: {searched.irregular}",) if searched.irregular else None
