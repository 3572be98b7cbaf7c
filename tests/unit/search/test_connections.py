"""Measurements of a state table end, soon, at its rate or its size, and their logs can be replayed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.search.bounds import Tried
from fwdlab.search.connections import MOST_STATES, Connections, Measure, usual_connections
from fwdlab.search.goal import goal_words, parse_program, program_text
from fwdlab.search.steps import found, next_step

WIDTHS = st.floats(min_value=0.0005, max_value=0.2)
MOST = 45  # tests of a table without noise, whatever it holds and the width


def trials_of(program: Connections, fastest: float, holds: int) -> list[Tried]:
    """The tests of a DUT that makes so many connections a second and keeps so many of them."""
    trials: list[Tried] = []
    while (step := next_step(program, trials)) is not None:
        assert step.states
        rate = min(float(step.load or fastest), fastest)
        missing = max(0.0, 1 - holds / step.states)
        came = rate if program.measure is Measure.CAPACITY and holds else rate * (1 - missing)
        load: int | None = step.load
        if step.load is None:
            missing = 0.0
        elif program.measure is Measure.CAPACITY:
            load = step.states
        else:
            missing = max(missing, 1 - rate / step.load)
        trials.append(Tried(load=load, duration_s=step.states / rate, forwarded_pps=came, loss=missing))
    return trials


@given(holds=st.integers(1, MOST_STATES - 1), first=st.integers(1, MOST_STATES), width=WIDTHS)
def test_a_table_of_any_size_is_found_between_bounds_no_further_apart_than_the_width(
    holds: int, first: int, width: float
) -> None:
    program = replace(usual_connections(Measure.CAPACITY, first), width=width)
    trials = trials_of(program, 1e6, holds)
    result = found(program, trials)
    lower, upper = result.bounds.lower, result.bounds.upper
    assert result.irregular == ""
    assert lower is not None
    assert upper is not None
    assert lower <= holds < upper
    assert upper - lower <= max(1, width * upper)
    assert len(trials) <= MOST


@given(fastest=st.floats(min_value=1e3, max_value=1e7), states=st.integers(1, MOST_STATES), width=WIDTHS)
def test_the_rate_of_a_table_is_found_to_the_width(fastest: float, states: int, width: float) -> None:
    program = replace(usual_connections(Measure.RATE, states), width=width)
    trials = trials_of(program, fastest, states)
    result = found(program, trials)
    lower, upper = result.bounds.lower, result.bounds.upper
    assert result.irregular == ""
    assert lower is not None
    assert upper is not None
    assert lower <= fastest < upper
    assert upper - lower <= max(1, width * upper)
    assert result.rate == lower
    assert len(trials) <= MOST


@given(holds=st.integers(1, MOST_STATES), measure=st.sampled_from(Measure), cap=st.integers(2, 60))
def test_no_more_tests_are_made_than_the_cap_and_a_log_can_be_replayed(holds: int, measure: Measure, cap: int) -> None:
    program = replace(usual_connections(measure, 1000), trials=cap)
    trials = trials_of(program, 1e6, holds)
    assert len(trials) <= cap
    for place, item in enumerate(trials):
        step = next_step(program, trials[:place])
        assert step is not None
        assert item.load == (step.states if measure is Measure.CAPACITY and step.load else step.load)
    assert next_step(program, trials) is None


def test_a_table_of_linux_is_found_as_the_exponential_search_goes() -> None:
    program = replace(usual_connections(Measure.CAPACITY, 65_536), width=0.01)
    trials = trials_of(program, 1e6, 262_144)
    assert [item.load for item in trials][:5] == [None, 65_536, 131_072, 262_144, 524_288]
    assert found(program, trials).bounds.lower == 262_144


def test_a_capacity_is_filled_at_a_share_of_the_first_rate() -> None:
    program = replace(usual_connections(Measure.CAPACITY, 1000), rate=0.25)
    step = next_step(program, [Tried(load=None, duration_s=1, forwarded_pps=800_000, loss=0)])
    assert step is not None
    assert (step.load, step.states) == (200_000, 1000)


@pytest.mark.parametrize(
    ("holds", "fastest", "cap", "why"),
    [
        (0, 1e6, 60, "no connection was established in the first test"),
        (MOST_STATES, 1e6, 60, "the table holds all 10000000 connections that the sender tells apart"),
        (262_144, 1e6, 4, "the bounds were not close enough after 4 trials"),
    ],
)
def test_a_capacity_that_has_no_end_here_is_irregular(holds: int, fastest: float, cap: int, why: str) -> None:
    program = replace(usual_connections(Measure.CAPACITY, 1000), trials=cap)
    assert found(program, trials_of(program, fastest, holds)).irregular == why


def test_a_table_that_keeps_not_one_connection_is_irregular() -> None:
    program = usual_connections(Measure.CAPACITY, 4)
    trials = [Tried(load=None, duration_s=1, forwarded_pps=1e6, loss=0)]
    while (step := next_step(program, trials)) is not None:
        trials.append(Tried(load=step.states, duration_s=1, forwarded_pps=0, loss=1.0))
    assert [item.load for item in trials] == [None, 4, 2, 1]
    assert found(program, trials).irregular == "not even one connection was kept"


def test_a_rate_of_a_full_table_has_no_lower_bound() -> None:
    program = usual_connections(Measure.RATE, 1000)
    assert found(program, trials_of(program, 1e6, 999)).irregular.startswith("every load down to")


@pytest.mark.parametrize("measure", Measure)
def test_the_measurement_comes_back_from_its_text(measure: Measure) -> None:
    program = usual_connections(measure, 123_456)
    assert parse_program(measure, program_text(program)) == program


def test_what_is_measured_is_said_in_words_with_its_n() -> None:
    assert goal_words(usual_connections(Measure.RATE, 100_000)) == (
        "N = 100000 new connections a test, answered at 50 % of their rate, all of them; width 0.5 %"
    )
    assert goal_words(usual_connections(Measure.CAPACITY, 50_000)) == (
        "from 50000 connections on, made at 50 % of the rate of the first test, answered at 50 % of their rate, all of "
        "them; width 0.1 %"
    )
