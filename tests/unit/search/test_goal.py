"""A program survives the way through a case file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.search.goal import CURVE, Curve, Search, parse_program, program_text, usual_goal

SHARES = st.integers(1, 99999).map(lambda number: number / 100000)


@given(search=st.sampled_from(Search), loss=SHARES, width=SHARES, trials=st.integers(1, 999))
def test_a_goal_comes_back(search: Search, loss: float, width: float, trials: int) -> None:
    goal = replace(usual_goal(search), loss=loss, width=width, trials=trials)
    assert parse_program(search, program_text(goal)) == goal


@pytest.mark.parametrize("shares", [True, False])
def test_a_curve_comes_back(shares: bool) -> None:
    curve = Curve(loads=(0.5, 1.25) if shares else (1000.0, 250000.0), shares=shares, final_s=0.2)
    assert parse_program(CURVE, program_text(curve)) == curve


def test_what_a_case_file_says() -> None:
    assert program_text(usual_goal(Search.PDR)) == (
        "loss=0.005 width=0.005 initial_s=1 final_s=1 sum_s=1 exceed=0.5 trials=60"
    )
    assert program_text(Curve(loads=(0.5, 1.0), shares=True, final_s=1)) == "loads=50%,100% final_s=1"


@pytest.mark.parametrize("load", ["max", "1000", "nrd", "curve", "ndr"])
def test_what_is_no_program_is_refused(load: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        parse_program(load, "")
