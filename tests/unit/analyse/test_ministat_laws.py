"""ministat's figures against scipy's own t test, and laws every set obeys."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from fwdlab.analyse.ministat import CONFIDENCES, difference, student_t, summary

VALUES = st.lists(st.integers(min_value=1, max_value=10_000_000).map(float), min_size=3, max_size=30)


@given(values=VALUES)
def test_summary_is_that_of_the_standard_library(values: list[float]) -> None:
    found = summary(values)
    assert found.median == statistics.median(values)
    assert math.isclose(found.mean, statistics.fmean(values), rel_tol=1e-12)
    assert math.isclose(found.variance, statistics.variance(values), rel_tol=1e-9, abs_tol=1e-9)


@given(base=VALUES, new=VALUES, confidence=st.sampled_from(CONFIDENCES[:-1]))
def test_verdict_and_interval_are_those_of_scipy(base: list[float], new: list[float], confidence: float) -> None:
    assume(len(set(base + new)) > 2 and len(base) + len(new) <= 102)
    found = difference(summary(base), summary(new), confidence)
    expected = stats.ttest_ind(new, base, equal_var=True)
    interval = expected.confidence_interval(confidence / 100)
    assume(found.pooled > 0)
    width = (interval.high - interval.low) / 2
    assert math.isclose(found.absolute_error, width, rel_tol=5e-4)  # three decimals of t
    assume(not math.isclose(abs(found.absolute), width, rel_tol=1e-3))
    assert found.proven == (expected.pvalue < 1 - confidence / 100)


@given(base=VALUES, new=VALUES)
def test_swapping_the_sets_turns_the_sign(base: list[float], new: list[float]) -> None:
    forth = difference(summary(base), summary(new), 95.0)
    back = difference(summary(new), summary(base), 95.0)
    assert forth.absolute == -back.absolute
    assert math.isclose(forth.absolute_error, back.absolute_error, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("degrees", "confidence", "quantile"),
    [(8, 95.0, 2.306), (18, 95.0, 2.101), (1, 80.0, 3.078), (100, 99.0, 2.626), (101, 95.0, 1.96), (1, 99.5, 318.313)],
)
def test_quantiles_have_three_decimals(degrees: int, confidence: float, quantile: float) -> None:
    assert student_t(degrees, confidence) == quantile
