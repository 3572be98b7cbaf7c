"""Loads are classified as RFC 9971 says: its own example, and what follows from its rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.search.bounds import Bound, Bounds, Tried, classified, conditional_throughput, relevant_bounds
from fwdlab.search.goal import USUAL, Goal, Search, usual_goal

LOAD = 1_000_000
RFC2544 = replace(USUAL, search=Search.THROUGHPUT, final_s=60, initial_s=60, sum_s=60, exceed=0.0)
TST009 = replace(USUAL, final_s=60, initial_s=60, sum_s=120, exceed=0.5)
ONE_SECOND = replace(USUAL, final_s=1, initial_s=1, sum_s=120, exceed=0.5, loss=0.005)
FIFTH = replace(USUAL, final_s=60, initial_s=60, sum_s=60, exceed=0.2, loss=0.005)


def tried(loss: float, duration_s: float, times: int = 1, load: int = LOAD) -> list[Tried]:
    came = load * (1 - loss)
    return [Tried(load=load, duration_s=duration_s, forwarded_pps=came, loss=loss)] * times


LOG = [*tried(0, 1, 60), *tried(0.01, 1, 60), *tried(0.001, 60), *tried(0, 60)]


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [(RFC2544, Bound.UPPER), (TST009, Bound.LOWER), (ONE_SECOND, Bound.LOWER)],
    ids=["RFC 2544", "TST 009", "one second"],
)
def test_the_example_of_the_rfc(goal: Goal, wanted: Bound) -> None:
    """60 short trials without loss and 60 with 1 %, one long with 0.1 % and one without (RFC 9971, section 6.4)."""
    assert classified(goal, LOG) is wanted


def test_before_the_last_trial_of_the_example_tst009_waits() -> None:
    assert classified(TST009, LOG[:-1]) is Bound.UNDECIDED


def test_the_conditional_throughput_is_that_of_the_quantile() -> None:
    assert conditional_throughput(TST009, LOG, LOAD) == LOAD
    assert conditional_throughput(ONE_SECOND, LOG, LOAD) == LOAD
    assert conditional_throughput(FIFTH, LOG, LOAD) == pytest.approx(999_000)


def test_a_load_that_was_not_tried_is_undecided() -> None:
    assert classified(USUAL, []) is Bound.UNDECIDED


def test_a_short_trial_alone_makes_an_upper_bound_and_never_a_lower_one() -> None:
    goal = replace(USUAL, initial_s=1, final_s=10, sum_s=10, exceed=0.0)
    assert classified(goal, tried(0.1, 1)) is Bound.UPPER
    assert classified(goal, tried(0.0, 1, 1000)) is Bound.UNDECIDED


def test_short_trials_without_loss_make_up_for_those_with_it() -> None:
    goal = replace(USUAL, initial_s=1, final_s=10, sum_s=10, exceed=0.5)
    assert classified(goal, tried(0.1, 1, 6)) is Bound.UPPER
    assert classified(goal, [*tried(0.1, 1, 6), *tried(0.0, 1, 2)]) is Bound.UNDECIDED


def test_half_of_the_trials_may_lose_where_the_exceed_ratio_is_one_half() -> None:
    goal = replace(USUAL, sum_s=4)
    assert classified(goal, [*tried(0.1, 1), *tried(0, 1)]) is Bound.UNDECIDED
    assert classified(goal, [*tried(0.1, 1), *tried(0, 1, 2)]) is Bound.LOWER
    assert classified(goal, [*tried(0.1, 1, 3), *tried(0, 1)]) is Bound.UPPER


def test_a_lower_bound_above_the_smallest_upper_one_is_not_relevant() -> None:
    log = [*tried(0, 1, load=100), *tried(0.1, 1, load=200), *tried(0, 1, load=300)]
    assert relevant_bounds(USUAL, log) == Bounds(lower=100, upper=200)


def test_a_loss_goal_is_kept_by_just_as_much_loss() -> None:
    goal = usual_goal(Search.PDR)
    assert classified(goal, tried(0.005, 1)) is Bound.LOWER
    assert classified(goal, tried(0.0051, 1)) is Bound.UPPER
