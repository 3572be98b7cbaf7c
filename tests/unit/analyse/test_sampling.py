"""What counts as more than sampling noise, against known cases and against chance itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.sampling import Counted, chances, margins, proven

HITS = st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=20)
SIZES = st.integers(1000, 20_000)


def counted(hits: list[int], samples: int = 10_000, cost: float = 1.0) -> Counted:
    return Counted(hits=np.array(hits, dtype=float), samples=samples, cost=cost)


@given(HITS, SIZES, SIZES, st.floats(1, 1e4), st.floats(1, 1e4))
def test_swapping_the_sides_changes_no_chance(
    hits: list[tuple[int, int]], old: int, young: int, base_cost: float, new_cost: float
) -> None:
    base = counted([one for one, _ in hits], old, base_cost)
    new = counted([other for _, other in hits], young, new_cost)
    assert chances(base, new) == pytest.approx(chances(new, base))
    assert margins(base, new, 0.95) == pytest.approx(margins(new, base, 0.95))


@given(HITS, SIZES, st.floats(1e-3, 1e6))
def test_the_unit_of_cost_changes_no_chance(hits: list[tuple[int, int]], samples: int, unit: float) -> None:
    base, new = counted([one for one, _ in hits], samples), counted([other for _, other in hits], samples)
    in_unit = chances(replace(base, cost=unit), replace(new, cost=unit))
    assert in_unit == pytest.approx(chances(base, new))


@given(HITS, SIZES)
def test_equal_counts_prove_nothing(hits: list[tuple[int, int]], samples: int) -> None:
    side = counted([one for one, _ in hits], samples)
    assert chances(side, side).tolist() == [1.0] * len(hits)
    assert not proven(side, side, 0.95).any()


def test_the_whole_profile_has_no_error_of_sampling() -> None:
    whole = counted([10_000])
    assert chances(whole, whole).tolist() == [1.0]
    assert chances(whole, counted([9000], 9000, 1.001)).tolist() == [0.0]


@pytest.mark.parametrize("count", [8, 12, 20])
def test_where_hits_are_few_it_is_near_the_exact_test_of_two_counts(count: int) -> None:
    """J. Przyborowski and H. Wilenski, 1940: given their sum, one of two equal counts is binomial."""
    exact = 2 * Fraction(sum(comb(count, hits) for hits in range(2)), 2**count)
    assert chances(counted([1]), counted([count - 1]))[0] == pytest.approx(float(exact), rel=0.75)


def drawn(shares: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> Counted:
    random = np.random.default_rng(seed)
    return Counted(hits=random.multinomial(10_000, shares).astype(float), samples=10_000, cost=1.0)


def test_of_two_profiles_of_one_thing_hardly_any_function_has_moved() -> None:
    """At 95 %, corrected: a false one in 5 of 100 pairs of profiles, give or take."""
    shares = np.random.default_rng(1).dirichlet(np.full(150, 0.5))
    pairs = [(drawn(shares, 2 * seed), drawn(shares, 2 * seed + 1)) for seed in range(400)]
    alone = np.mean([(chances(base, new)[shares > 0.001] <= 0.05).mean() for base, new in pairs])
    assert alone == pytest.approx(0.05, abs=0.01)
    assert np.mean([proven(base, new, 0.95).any() for base, new in pairs]) <= 0.08


def test_intervals_hold_the_true_change_as_often_as_they_say() -> None:
    shares = np.random.default_rng(1).dirichlet(np.full(150, 0.5))
    inside = []
    for seed in range(200):
        base, new = drawn(shares, 2 * seed), drawn(shares, 2 * seed + 1)
        inside.append((np.abs(new.costs - base.costs) <= margins(base, new, 0.95))[shares > 0.0005].mean())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.015)


def test_a_hundredth_of_a_packets_cost_in_one_function_is_found_three_times_in_four() -> None:
    shares = np.array([0.025, *[0.975 / 150] * 150])
    grown = np.array([0.035, *[0.975 / 150] * 150]) / 1.01
    pairs = [(drawn(shares, 2 * seed), replace(drawn(grown, 2 * seed + 1), cost=1.01)) for seed in range(100)]
    found = [proven(base, new, 0.95)[0] for base, new in pairs]
    assert 65 <= sum(found) <= 85
