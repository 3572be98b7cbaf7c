"""A plan reckons a repeat of several trials near what it takes, and never above what it may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.search.cost import cost_of
from fwdlab.search.goal import Curve, Goal, Search, usual_goal
from tests.unit.search.searches import knee, searched

NDR = usual_goal(Search.NDR)


@pytest.mark.parametrize("goal", [NDR, replace(NDR, width=0.04), replace(NDR, sum_s=3), replace(NDR, initial_s=0.1)])
@pytest.mark.parametrize("share", [0.5, 0.97])
def test_a_search_of_a_knee_takes_about_as_many_trials(goal: Goal, share: float) -> None:
    made = len(searched(goal, knee(share * 151_500), 151_500))
    assert made / 2 <= cost_of(goal).usual <= 2.5 * made


@given(trials=st.integers(2, 500), sum_s=st.floats(1, 1000), exceed=st.floats(0, 0.99))
def test_no_search_is_reckoned_above_its_cap(trials: int, sum_s: float, exceed: float) -> None:
    cost = cost_of(replace(NDR, trials=trials, sum_s=sum_s, exceed=exceed))
    assert 1 <= cost.usual <= cost.most == trials


@pytest.mark.parametrize(("shares", "trials"), [(False, 3), (True, 4)])
def test_a_curve_takes_a_trial_a_load_and_one_at_maximum_for_shares(shares: bool, trials: int) -> None:
    cost = cost_of(Curve(loads=(0.1, 0.5, 0.9), shares=shares, final_s=2))
    assert (cost.usual, cost.most, cost.trial_s) == (trials, trials, 2)
