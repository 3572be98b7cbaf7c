"""Two-sample t tests on arrays: one cell a comparison, the values of a sample along the last axis.

A ratio of means is what a reader wants ("2 % less"), so interval and equivalence are those of the ratio (Fieller 1954,
two one-sided tests after Schuirmann 1987); swapping the sides turns the ratio over and changes nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from fwdlab.analyse.rules import Rules, TTest

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """Size, means and variances of one side's samples."""

    n: int
    mean: Floats
    variance: Floats

    @property
    def spread(self) -> Floats:
        """Relative standard deviation of each sample."""
        return np.sqrt(self.variance) / self.mean


@dataclass(frozen=True, kw_only=True, slots=True)
class Tested:
    """What the t tests of base against new side found; effects are fractions of the base."""

    delta: Floats
    low: Floats  # not a number where the base cannot be told from zero
    high: Floats
    p: Floats  # that there is no difference
    p_same: Floats  # that the difference is the threshold or more
    error: Floats  # relative standard error of the difference


def side_of(values: Floats) -> Side:
    """The moments of samples; values are sorted first, so that their order changes not even the last digit."""
    ordered = np.sort(values, axis=-1)
    mean = ordered.mean(axis=-1)
    squares = np.square(ordered - mean[..., None]).sum(axis=-1)
    return Side(n=values.shape[-1], mean=mean, variance=squares / (values.shape[-1] - 1))


def compare_sides(base: Side, new: Side, floor: Floats, rules: Rules) -> Tested:
    """Test of difference, interval and equivalence; no sample counts as quieter than `floor` (relative deviation)."""
    base_error, new_error = _squared_errors(base, new, floor, rules.test)
    degrees = _degrees(base, new, base_error, new_error, rules.test)
    quantile = quantile_of(degrees, (1 + rules.confidence) / 2)
    total = base_error + new_error
    p = 2 * stdtr(degrees, -np.abs(new.mean - base.mean) / np.sqrt(total))
    low, high = _fieller(base.mean, new.mean, base_error, new_error, quantile)
    bound = 1 + rules.threshold
    below = (bound * base.mean - new.mean) / np.sqrt(new_error + bound**2 * base_error)
    above = (bound * new.mean - base.mean) / np.sqrt(base_error + bound**2 * new_error)
    return Tested(
        delta=new.mean / base.mean - 1,
        low=low - 1,
        high=high - 1,
        p=p,
        p_same=stdtr(degrees, -np.minimum(below, above)),
        error=np.sqrt(base_error / base.mean**2 + new_error / new.mean**2),
    )


def _squared_errors(base: Side, new: Side, floor: Floats, test: TTest) -> tuple[Floats, Floats]:
    """Squared standard errors of the two means, from variances raised to the floor."""
    first = np.maximum(base.variance, np.square(floor * base.mean))
    second = np.maximum(new.variance, np.square(floor * new.mean))
    if test is TTest.POOLED:
        first = second = ((base.n - 1) * first + (new.n - 1) * second) / (base.n + new.n - 2)
    return first / base.n, second / new.n


def _degrees(base: Side, new: Side, base_error: Floats, new_error: Floats, test: TTest) -> Floats:
    if test is TTest.POOLED:
        return np.full_like(base_error, base.n + new.n - 2)
    return welch_degrees(base.n, new.n, base_error, new_error)


def quantile_of(degrees: Floats, chance: float) -> Floats:
    """Quantile of Student's t."""
    return np.asarray(stdtrit(degrees, chance), dtype=np.float64)


def welch_degrees(base_n: int, new_n: int, base_error: Floats, new_error: Floats) -> Floats:
    """Welch's degrees of freedom from the squared standard errors of the two means."""
    total = base_error + new_error
    degrees: Floats = 1 / (np.square(base_error / total) / (base_n - 1) + np.square(new_error / total) / (new_n - 1))
    return degrees


def _fieller(
    base: Floats, new: Floats, base_error: Floats, new_error: Floats, quantile: Floats
) -> tuple[Floats, Floats]:
    """Interval of new / base; the root is written so that nothing cancels."""
    squared = np.square(quantile)
    known = np.square(base) - squared * base_error
    known = np.where(known > 0, known, np.nan)
    root = quantile * np.sqrt(new_error * known + base_error * np.square(new))
    return (base * new - root) / known, (base * new + root) / known
