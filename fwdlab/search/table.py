"""Which elementary test of a state table comes next, and what they come to (RFC 9693).

An elementary test makes N connections at a rate, in a table that holds none, and then sees how many are there. What is
missing is its loss, so the bounds are those of any search: of rates where the establishment rate is looked for, of
numbers of connections where the table's capacity is. One test decides, as in the binary searches of the RFC.
"""

from __future__ import annotations

from collections.abc import Sequence

from fwdlab.search.bounds import Bounds, Tried, close, relevant_bounds
from fwdlab.search.connections import MOST_STATES, Connections
from fwdlab.search.goal import Goal, Search


def goal_of(program: Connections) -> Goal:
    """The measurement as a search whose every load one trial without loss decides."""
    return Goal(
        search=Search.THROUGHPUT,
        loss=0.0,
        width=program.width,
        initial_s=0.0,
        final_s=0.0,
        sum_s=0.0,
        exceed=0.0,
        trials=program.trials,
    )


def next_count(program: Connections, trials: Sequence[Tried]) -> tuple[int | None, int] | None:
    """Rate and number of connections of the next test, the first one's rate the sender's most; None: it is done."""
    if not trials:
        return None, program.states
    bounds = relevant_bounds(goal_of(program), trials)
    if close(goal_of(program), bounds) or irregular_capacity(program, trials):
        return None
    rate = max(1, round(program.rate * trials[0].forwarded_pps))
    return rate, _count(program, bounds)


def irregular_capacity(program: Connections, trials: Sequence[Tried]) -> str:
    """Why a capacity has and will have no regular result; empty where it has one or may have."""
    bounds = relevant_bounds(goal_of(program), trials)
    if close(goal_of(program), bounds):
        return ""
    if trials and trials[0].forwarded_pps < 1:
        return "no connection was established in the first test"
    if bounds.upper is None and bounds.lower is not None and bounds.lower >= MOST_STATES:
        return f"the table holds all {MOST_STATES} connections that the sender tells apart"
    if bounds.upper == 1:
        return "not even one connection was kept"
    if len(trials) >= program.trials:
        return f"the bounds were not close enough after {len(trials)} trials"
    return ""


def _count(program: Connections, bounds: Bounds) -> int:
    """Twice the largest number that was kept, half the smallest that was not, or the middle of both."""
    if bounds.upper is None:
        return min(MOST_STATES, 2 * bounds.lower) if bounds.lower else program.states
    if bounds.lower is None:
        return max(1, bounds.upper // 2)
    return (bounds.lower + bounds.upper) // 2
