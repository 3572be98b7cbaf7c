"""A plan reckons a repeat of several trials near what it takes, and never above what it may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.search.connections import Measure, usual_connections
from fwdlab.search.cost import USUAL_CPS, cost_of
from fwdlab.search.goal import Curve, Goal, Search, usual_goal
from tests.unit.search.searches import knee, searched
from tests.unit.search.test_connections import trials_of

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


@pytest.mark.parametrize("width", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("holds", [50_000, 262_144, 500_000])
def test_a_tables_capacity_takes_about_as_many_tests_and_as_long(holds: int, width: float) -> None:
    program = replace(usual_connections(Measure.CAPACITY, 65_536), width=width)
    made, cost = trials_of(program, USUAL_CPS, holds), cost_of(program)
    assert len(made) / 1.5 <= cost.usual <= 1.5 * len(made)
    states = [float(item.load or program.states) for item in made]
    took_s = sum(count / (USUAL_CPS * program.rate) * (1 + 1 / program.answers) for count in states)
    assert took_s / 4 <= cost.usual * cost.trial_s <= 4 * took_s


@pytest.mark.parametrize("states", [1_000, 100_000, 10_000_000])
def test_a_test_of_a_rate_takes_as_long_as_its_connections_and_their_answers(states: int) -> None:
    cost = cost_of(usual_connections(Measure.RATE, states))
    assert cost.usual == 6
    assert cost.trial_s == 3 * states / USUAL_CPS
    assert cost.longest_s >= 10 + 4 * cost.trial_s


@given(states=st.integers(1, 10_000_000), width=st.floats(0.0005, 0.2), trials=st.integers(2, 500))
def test_no_measurement_of_a_table_is_reckoned_above_its_cap(states: int, width: float, trials: int) -> None:
    for measure in Measure:
        cost = cost_of(replace(usual_connections(measure, states), width=width, trials=trials))
        assert 1 <= cost.usual <= cost.most == trials
