"""Searches end, soon, where the goal says, and their logs can be replayed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.search.bounds import Tried
from fwdlab.search.goal import Curve, Goal, Search, usual_goal
from fwdlab.search.steps import Step, found, next_step
from tests.unit.search.searches import knee, searched

RATES = st.floats(min_value=1e3, max_value=1e8)
WIDTHS = st.floats(min_value=0.0005, max_value=0.2)
NDR = usual_goal(Search.NDR)
MOST = 45  # trials of a DUT without noise, whatever its knee and the width


@given(most=RATES, share=st.floats(min_value=0.05, max_value=3.5), width=WIDTHS)
def test_a_knee_is_found_between_bounds_no_further_apart_than_the_width(
    most: float, share: float, width: float
) -> None:
    goal = replace(NDR, width=width)
    trials = searched(goal, knee(most), most / share)
    result = found(goal, trials)
    assert result.irregular == ""
    assert result.bounds.lower is not None
    assert result.bounds.upper is not None
    assert result.bounds.lower <= most < result.bounds.upper
    assert result.bounds.upper - result.bounds.lower <= max(1, width * result.bounds.upper)
    assert result.rate == result.bounds.lower
    assert len(trials) <= MOST


@given(most=RATES, loss=st.floats(min_value=0.0, max_value=0.3), width=WIDTHS)
def test_loss_that_rises_with_the_load_is_held_to_the_goal(most: float, loss: float, width: float) -> None:
    """Half of what is above the knee comes through."""
    goal = replace(usual_goal(Search.PDR), loss=loss, width=width)
    trials = searched(goal, lambda load: load if load < most else most + (load - most) / 2, most * 1.5)
    result = found(goal, trials)
    lossy = {item.load: item.loss for item in trials}
    if result.irregular == "":
        assert lossy[result.bounds.lower] <= loss < lossy[result.bounds.upper]
    else:
        assert loss > 0.25, "only a DUT that never loses so much has no upper bound"


@given(
    seed=st.integers(0, 999),
    noise=st.floats(min_value=0, max_value=0.05),
    sums=st.integers(1, 9),
    exceed=st.sampled_from([0.0, 0.2, 0.5]),
    cap=st.integers(2, 60),
)
def test_noise_never_makes_more_trials_than_the_cap(
    seed: int, noise: float, sums: int, exceed: float, cap: int
) -> None:
    goal = replace(usual_goal(Search.PDR), sum_s=sums, exceed=exceed, trials=cap)
    rng = random.Random(seed)  # noqa: S311 - noise, no secret
    trials = searched(goal, lambda load: min(load, 1e6 * (1 - abs(rng.gauss(0, noise)))), 1e6)
    result = found(goal, trials)
    assert len(trials) <= cap
    assert (result.irregular == "") == _close(goal, trials)


def _close(goal: Goal, trials: list[Tried]) -> bool:
    bounds = found(goal, trials).bounds
    both = bounds.lower is not None and bounds.upper is not None
    return both and bounds.upper - bounds.lower <= max(1, goal.width * bounds.upper)  # type: ignore[operator]


@given(most=RATES, share=st.floats(min_value=0.05, max_value=3.5), initial=st.sampled_from([0.1, 1.0]))
def test_a_log_can_be_replayed(most: float, share: float, initial: float) -> None:
    goal = replace(NDR, initial_s=initial, sum_s=2)
    trials = searched(goal, knee(most), most / share)
    for place, item in enumerate(trials):
        assert next_step(goal, trials[:place]) == Step(load=item.load, duration_s=item.duration_s)
    assert next_step(goal, trials) is None


def test_a_search_of_the_virtual_lab_takes_four_trials() -> None:
    trials = searched(NDR, knee(148_100), 151_500)
    assert [item.load for item in trials] == [None, 151_500, 147_729, 148_467]


def test_a_policer_far_below_the_maximum_is_found_as_well() -> None:
    trials = searched(NDR, knee(50_000), 151_500)
    assert found(NDR, trials).rate == 49_875
    assert len(trials) <= 6


def test_short_trials_come_first_and_decide_only_against_a_load() -> None:
    goal = replace(NDR, initial_s=0.1, exceed=0.0)
    trials = searched(goal, knee(148_100), 151_500)
    lossy = {item.load: item.loss for item in trials}
    assert all(item.duration_s == 0.1 for item in trials if lossy[item.load] or item.load is None)
    assert [item.duration_s for item in trials if item.load == found(goal, trials).bounds.lower] == [0.1, 1]


@pytest.mark.parametrize(
    ("most", "maximum", "why"),
    [
        (0.0, 0.0, "nothing came through at maximum load"),
        (1e9, 1e6, "no load up to"),
        (1e3, 1e6, "every load down to"),
    ],
)
def test_where_a_bound_is_missing_the_result_is_irregular(most: float, maximum: float, why: str) -> None:
    steep = knee(most) if most > 1e6 else (lambda load: load * 0.5)
    result = found(NDR, searched(NDR, steep, maximum))
    assert result.irregular.startswith(why)


@pytest.mark.parametrize("maximum", [99_800.0, 100_003.0, 40_000.0])
def test_where_the_link_is_the_limit_no_load_above_it_is_tried(maximum: float) -> None:
    goal = replace(NDR, most=100_000)
    trials = searched(goal, knee(1e6), maximum)
    assert max(item.load or 0 for item in trials) == 100_000
    assert found(goal, trials).irregular == (
        "no load up to 100000 pps, the line rate, lost more than the goal: the link was the limit"
    )
    assert found(goal, searched(goal, knee(99_000), maximum)).irregular == ""


def test_a_search_that_may_make_no_more_trials_says_so() -> None:
    goal = replace(NDR, trials=3)
    assert found(goal, searched(goal, knee(148_100), 151_500)).irregular == (
        "the bounds were not close enough after 3 trials"
    )


def test_a_curve_offers_its_loads_in_their_order() -> None:
    trials = searched(Curve(loads=(1000, 2000, 5000), shares=False, final_s=1), knee(3000), 4000)
    assert [(item.load, item.forwarded_pps) for item in trials] == [(1000, 1000), (2000, 2000), (5000, 3000)]


def test_a_curve_of_shares_asks_for_the_maximum_first() -> None:
    trials = searched(Curve(loads=(0.5, 1.2), shares=True, final_s=1), knee(3000), 4000)
    assert [item.load for item in trials] == [None, 2000, 4800]
