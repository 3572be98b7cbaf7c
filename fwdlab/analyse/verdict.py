"""From the values of many comparisons to their verdicts, on arrays: the only place where a verdict is made.

One cell a comparison, the campaign along the last of these axes, the repeats of a sample along one axis more. A single
comparison is a campaign of one; a simulation of thousands of campaigns goes the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fwdlab.analyse.correct import corrected
from fwdlab.analyse.ranks import shape_free_p, smallest_p
from fwdlab.analyse.result import Verdict
from fwdlab.analyse.rules import LEAST_FLOOR, Rules
from fwdlab.analyse.shape import Shape, drift_of, shape_of
from fwdlab.analyse.student import Flags, Floats, Tested, compare_sides, side_of

Codes = NDArray[np.int8]
T = TypeVar("T", Tested, Shape)

CODES = (Verdict.UNPROVEN, Verdict.SAME, Verdict.BETTER, Verdict.WORSE)

_ROUNDING = 1e-12  # a change of exactly the threshold counts as one, whatever the last digit of its quotient
_CLEAR_GAP = 3.0  # ranges of a sample
_ENOUGH_REPEATS = 5
_SOME_SAMPLES, _RARE_SAMPLES, _MANY_SAMPLES = 4, 10, 20
_RARE_SHARE = 0.4


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """Everything a verdict rests on, before the campaign is corrected for its size."""

    tested: Tested
    base_shape: Shape
    new_shape: Shape
    p_shape_free: Floats  # p-value beside the t test, where either sample looks odd; else zero
    apart: Flags  # too few repeats for that test to agree, and the samples lie far apart for their own width
    drift: Floats  # relative change a round, where it is no chance; else zero


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """The verdicts of a campaign and the corrected p-values behind them."""

    codes: Codes  # places in CODES
    p: Floats  # corrected, of no difference
    p_same: Floats  # corrected, of a difference as large as the threshold


def evidence_of(base: Floats, new: Floats, floor: Floats, rules: Rules) -> Evidence:
    """Test and look at each pair of samples; values in the order of the rounds, `floor` as `stand_in_floor` says."""
    base_side, new_side = side_of(base), side_of(new)
    base_shape = shape_of(base, base_side, floor)
    new_shape = shape_of(new, new_side, floor)
    odd = base_shape.odd | new_shape.odd
    shape_free = np.zeros(odd.shape)
    shape_free[odd] = shape_free_p(base[odd], new[odd])
    return Evidence(
        tested=compare_sides(base_side, new_side, floor, rules),
        base_shape=base_shape,
        new_shape=new_shape,
        p_shape_free=shape_free,
        apart=_apart(base, new, rules),
        drift=drift_of(base, new, floor),
    )


def joined(parts: Sequence[Evidence], order: NDArray[np.intp]) -> Evidence:
    """Rows of several pieces as one, put in `order`."""
    return Evidence(
        tested=_joined(Tested, [part.tested for part in parts], order),
        base_shape=_joined(Shape, [part.base_shape for part in parts], order),
        new_shape=_joined(Shape, [part.new_shape for part in parts], order),
        p_shape_free=np.concatenate([part.p_shape_free for part in parts])[order],
        apart=np.concatenate([part.apart for part in parts])[order],
        drift=np.concatenate([part.drift for part in parts])[order],
    )


def _joined(kind: type[T], parts: Sequence[T], order: NDArray[np.intp]) -> T:
    columns = {item.name: np.concatenate([getattr(part, item.name) for part in parts])[order] for item in fields(kind)}
    return kind(**columns)


def _apart(base: Floats, new: Floats, rules: Rules) -> Flags:
    """Whether the gap between the samples is several times the wider one's range, where no exact test can say so.

    Three against three repeats give a permutation test no p-value below 0.1. An outlier of 0.7 % must not leave a
    change of 30 % unproven for that.
    """
    if smallest_p(base.shape[-1], new.shape[-1]) <= rules.alpha:
        return np.zeros(base.shape[:-1], dtype=bool)
    gap = np.maximum(base.min(axis=-1) - new.max(axis=-1), new.min(axis=-1) - base.max(axis=-1))
    apart: Flags = gap >= _CLEAR_GAP * np.maximum(np.ptp(base, axis=-1), np.ptp(new, axis=-1))
    return apart


def judge(evidence: Evidence, rules: Rules, gain: Floats) -> Judged:
    """Verdicts of campaigns, each corrected over its own last axis; `gain` is 1 where more is better, else -1.

    A finding must pass the corrected t test, be as large as the practical threshold, and, where a sample looks odd,
    pass the test that assumes no shape, or lie clear of the other sample where that test has too few repeats. `same`
    must pass the corrected test of equivalence, and its interval must lie inside the threshold.
    """
    tested = evidence.tested
    p, p_same = corrected(tested.p, rules.correction), corrected(tested.p_same, rules.correction)
    large = np.abs(np.log1p(tested.delta)) >= np.log1p(rules.threshold) - _ROUNDING
    found = (p <= rules.alpha) & large & ((evidence.p_shape_free <= rules.alpha) | evidence.apart)
    same = (p_same <= rules.alpha) & _inside(tested, rules.threshold) & ~found
    good = tested.delta * gain > 0
    codes = np.select([same, found & good, found], [1, 2, 3], default=0).astype(np.int8)
    return Judged(codes=codes, p=p, p_same=p_same)


def _inside(tested: Tested, threshold: float) -> Flags:
    """Whether the interval of the ratio lies between 1 / (1 + threshold) and its inverse."""
    least = -threshold / (1 + threshold)
    inside: Flags = (tested.low >= least - _ROUNDING) & (tested.high <= threshold + _ROUNDING)
    return inside


def stand_in_floor(spreads: Floats, repeats: int, measured: float | None) -> Floats:
    """The noise floor to use on one machine: the measured one, or more where its samples, along the last axis, say so.

    A few repeats of two-humped noise fall into one hump by chance and look quiet, and a large campaign meets such
    chances. So in 20 samples or more none counts as quieter than 1 - 1/n of their median relative deviation, n being
    the fewest repeats. Below five repeats a sample hardly knows its own deviation: there, from 4 samples on, none
    counts as quieter than their median, and from 10 on than 0.4 of the deviation that one in ten exceeds (for a rare
    hump). Without this, plain t tests over a hundred comparisons of five repeats of such noise find a false change in
    17 % of the campaigns.
    """
    floor = np.full(spreads.shape[:-1], LEAST_FLOOR if measured is None else measured)
    few, count = repeats < _ENOUGH_REPEATS, spreads.shape[-1]
    if count >= (_SOME_SAMPLES if few else _MANY_SAMPLES):
        floor = np.maximum(floor, (1 if few else 1 - 1 / repeats) * np.median(spreads, axis=-1))
    if few and count >= _RARE_SAMPLES:
        floor = np.maximum(floor, _RARE_SHARE * np.quantile(spreads, 0.9, axis=-1))
    return floor
