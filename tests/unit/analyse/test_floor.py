"""The noise floor from A/A runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.floor import NoiseFloor, arms_of, floor_of, floors_text, parse_floors
from fwdlab.analyse.result import Sample
from fwdlab.analyse.rules import LEAST_FLOOR
from fwdlab.errors import RecordError

FLOOR = NoiseFloor(hardware="box", deviation=0.0012, pairs=3, repeats=5, measured="2026-11-21")


def sample(values: list[float]) -> Sample:
    return Sample(names=("box", "r", "f", "none", "t"), key="k", metric="forwarded", values=tuple(values), invalid=())


def test_repeats_are_dealt_out_in_turns() -> None:
    a, b = arms_of(sample([1, 2, 3, 4, 5, 6]))
    assert (a.values, b.values) == ((1, 3, 5), (2, 4, 6))


def test_the_floor_is_the_deviation_of_a_machine_that_only_trembles() -> None:
    random = np.random.default_rng(1)
    samples = [sample(list(random.normal(1e6, 4e3, size=20))) for _ in range(40)]
    assert floor_of(samples) == pytest.approx(0.004, rel=0.1)


def test_a_difference_between_the_arms_raises_the_floor() -> None:
    apart = [sample([1.00e6, 1.01e6, 1.00e6, 1.01e6, 1.00e6, 1.01e6])]
    assert floor_of(apart) > 0.005


def test_a_machine_that_never_differs_keeps_the_least_floor() -> None:
    assert floor_of([sample([5.0] * 6)]) == LEAST_FLOOR


def test_too_few_repeats_are_said() -> None:
    with pytest.raises(RecordError, match="no A/A pair has 3 valid repeats an arm"):
        floor_of([sample([1.0, 2.0, 3.0, 4.0, 5.0])])


@given(st.lists(st.floats(1e3, 1e9), min_size=6, max_size=20), st.floats(0.01, 100))
def test_a_constant_factor_changes_nothing(values: list[float], factor: float) -> None:
    scaled = [value * factor for value in values]
    assert floor_of([sample(scaled)]) == pytest.approx(floor_of([sample(values)]), rel=1e-6, abs=1e-9)


def test_floors_survive_their_file_and_say_where_they_came_from() -> None:
    assert parse_floors(floors_text([FLOOR]), "floors.json") == {"box": FLOOR}
    assert FLOOR.source == "box: 3 A/A pairs of 5 repeats an arm, 2026-11-21"


@pytest.mark.parametrize("text", ["", "[1]", '[{"hardware": "box"}]', "{"])
def test_a_file_that_holds_no_floors_is_refused_by_name(text: str) -> None:
    with pytest.raises(RecordError, match=r"floors\.json: is no list of noise floors"):
        parse_floors(text, "floors.json")
