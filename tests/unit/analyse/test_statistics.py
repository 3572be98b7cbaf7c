"""Corrections, power, ranks and shapes against published figures and independent code."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fwdlab.analyse.correct import corrected
from fwdlab.analyse.power import detectable, power_of, repeats_for, repeats_within
from fwdlab.analyse.ranks import EXACT, RANKS, shape_free_p, shape_free_test, smallest_p
from fwdlab.analyse.rules import Correction, TTest
from fwdlab.analyse.shape import shape_of
from fwdlab.analyse.student import Floats, side_of
from fwdlab.analyse.verdict import stand_in_floor

P_VALUES = st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=30)


def test_holm_by_hand() -> None:
    found = corrected(np.array([0.01, 0.04, 0.03, 0.005]), Correction.HOLM)
    assert found == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(P_VALUES)
def test_benjamini_hochberg_is_scipys(values: list[float]) -> None:
    found = corrected(np.array(values), Correction.BENJAMINI_HOCHBERG)
    assert found == pytest.approx(stats.false_discovery_control(values, method="bh"))


@given(P_VALUES)
def test_corrections_never_lower_a_p_value(values: list[float]) -> None:
    holm, hochberg = (corrected(np.array(values), way) for way in (Correction.HOLM, Correction.BENJAMINI_HOCHBERG))
    assert np.all(holm >= hochberg * (1 - 1e-12))
    assert np.all(hochberg >= np.array(values) * (1 - 1e-12))


def test_power_is_that_of_r() -> None:
    # power.t.test(n = 20, delta = 1, sd = 1): power = 0.8689528
    assert power_of(20, 20, 1 / math.sqrt(2 / 20), 0.05, TTest.POOLED) == pytest.approx(0.8689528, abs=1e-6)
    # power.t.test(delta = 1, sd = 1, power = 0.8): n = 16.71477
    assert repeats_for(1.0, 0.05, TTest.POOLED) == 17
    assert detectable(17, 17, 0.05, TTest.POOLED) * math.sqrt(2 / 17) < 1


@pytest.mark.parametrize(("base_n", "new_n", "alpha"), [(5, 5, 0.05), (5, 5, 0.0005), (3, 6, 0.05), (10, 4, 0.01)])
def test_welch_power_is_what_simulation_finds(base_n: int, new_n: int, alpha: float) -> None:
    draws = np.random.default_rng(5)
    effect = detectable(base_n, new_n, alpha, TTest.WELCH)
    base, new = draws.standard_normal((40_000, base_n)), draws.standard_normal((40_000, new_n))
    shifted = new + effect * math.sqrt(1 / base_n + 1 / new_n)
    found = stats.ttest_ind(base, shifted, axis=1, equal_var=False).pvalue <= alpha
    assert found.mean() == pytest.approx(0.8, abs=0.01)


def test_hopeless_noise_needs_more_repeats_than_are_suggested() -> None:
    assert repeats_for(0.01, 0.05, TTest.WELCH) is None
    assert repeats_within(0.01, 0.05) is None


def test_repeats_within_is_the_least_that_does() -> None:
    needed = repeats_within(0.7, 0.05)
    assert needed is not None
    reach = [stats.t.ppf(0.95, 2 * n - 2) * math.sqrt(2 / n) for n in (needed - 1, needed)]
    assert reach[0] > 0.7 >= reach[1]


SMALL = st.lists(st.integers(min_value=0, max_value=40).map(float), min_size=3, max_size=5)


@given(base=SMALL, new=SMALL)
def test_permutation_test_is_scipys(base: list[float], new: list[float]) -> None:
    def apart(first: Floats, second: Floats, axis: int) -> Floats:
        gaps: Floats = np.abs(first.mean(axis=axis) - second.mean(axis=axis))
        return gaps

    expected = stats.permutation_test((base, new), apart, alternative="greater", vectorized=True).pvalue
    assert shape_free_p(np.array([base]), np.array([new]))[0] == pytest.approx(expected)


LARGE = st.lists(st.integers(min_value=0, max_value=30).map(float), min_size=9, max_size=14)


@given(base=LARGE, new=LARGE)
def test_rank_test_is_scipys(base: list[float], new: list[float]) -> None:
    if len(set(base + new)) > 1:
        expected = stats.mannwhitneyu(new, base, method="asymptotic").pvalue
        assert shape_free_p(np.array([base]), np.array([new]))[0] == pytest.approx(expected)


def test_equal_values_are_no_evidence_to_the_rank_test() -> None:
    assert shape_free_p(np.ones((1, 10)), np.ones((1, 10)))[0] == 1


def test_which_test_assumes_no_shape() -> None:
    assert [shape_free_test(8, 8), shape_free_test(9, 9)] == [EXACT, RANKS]
    assert smallest_p(5, 5) == pytest.approx(2 / 252)


@pytest.mark.parametrize("size", [4, 5, 8, 11, 20, 30])
def test_normal_noise_rarely_looks_odd(size: int) -> None:
    values = 100 + np.random.default_rng(size).standard_normal((40_000, size))
    shape = shape_of(values, side_of(values), np.array(0.0))
    assert shape.two_humped.mean() == pytest.approx(0.01, abs=0.003)
    assert shape.odd.mean() < 0.022


@pytest.mark.parametrize(
    ("spreads", "repeats", "measured", "floor"),
    [
        ([0.01] * 3, 4, None, 0.0001),
        ([0.01] * 4, 4, None, 0.01),
        ([0.01] * 19, 5, None, 0.0001),
        ([0.01] * 20, 5, None, 0.008),
        ([0.01] * 20, 10, None, 0.009),
        ([0.01] * 20, 5, 0.02, 0.02),
        ([0.0] * 8 + [0.01] * 2, 4, None, 0.004),
        ([0.0] * 16 + [0.01] * 4, 5, None, 0.0001),
    ],
)
def test_stand_in_floor(spreads: list[float], repeats: int, measured: float | None, floor: float) -> None:
    assert stand_in_floor(np.array(spreads), repeats, measured) == pytest.approx(floor)
