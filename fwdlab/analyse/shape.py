"""What a t test does not see in a sample: two humps, an outlier, a drift along the rounds."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from scipy.special import stdtr, stdtrit

from fwdlab.analyse.student import Flags, Floats, Side

_LEVEL = 0.01  # chance of a false alarm on normal noise, for each of the three
_CLEAR = 3.0  # humps, outliers and drifts smaller than so many noise floors are not worth a word
_FEWEST_FOR_HUMPS = 4
_FEWEST_FOR_DRIFT = 8  # both sides together
_SHARED = 3  # a side must drift by a third of the common slope at least, or the drift is not common

# Normal samples of n values leave less than this share of their squares inside the best two groups in 1 % of cases:
# quantiles of 400 000 draws each (100 000 from n = 30), between them a straight line.
_HUMP_SIZES = (4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100)
_HUMP_SHARES = (
    *(0.0067, 0.0177, 0.0326, 0.0489, 0.0645, 0.0783, 0.0915, 0.1138),
    *(0.1390, 0.1696, 0.1902, 0.2065, 0.2271, 0.2428, 0.2617, 0.2791),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """One sample's oddities; levels are in the values' own unit and say nothing where the flag is down."""

    spread: float  # relative standard deviation
    two_humped: bool
    low_count: int  # repeats in the lower hump
    low_level: float
    high_level: float
    outlier: bool
    outlier_value: float
    others: float  # mean of the values that are not the outlier

    @property
    def odd(self) -> bool:
        """Whether the sample does not look normal."""
        return self.two_humped or self.outlier


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """The looks of many samples, as arrays."""

    spread: Floats
    two_humped: Flags
    low_count: Floats
    low_level: Floats
    high_level: Floats
    outlier: Flags
    outlier_value: Floats
    others: Floats

    @property
    def odd(self) -> Flags:
        """Which samples do not look normal."""
        return self.two_humped | self.outlier

    def looks(self) -> list[Look]:
        """One row of samples, each by itself."""
        columns = (getattr(self, item.name).tolist() for item in fields(self))
        return [
            Look(
                spread=spread,
                two_humped=two_humped,
                low_count=int(low_count),
                low_level=low_level,
                high_level=high_level,
                outlier=outlier,
                outlier_value=outlier_value,
                others=others,
            )
            for spread, two_humped, low_count, low_level, high_level, outlier, outlier_value, others in zip(
                *columns, strict=True
            )
        ]


def shape_of(values: Floats, side: Side, floor: Floats) -> Shape:
    """Humps and outliers of samples along the last axis; `floor` is the relative noise floor of their machine."""
    ordered = np.sort(values, axis=-1)
    grain = _CLEAR * floor * side.mean
    two_humped, low_count, low_level, high_level = _humps(ordered, grain)
    outlier, outlier_value, others = _outlier(ordered, grain)
    return Shape(
        spread=side.spread,
        two_humped=two_humped,
        low_count=low_count,
        low_level=low_level,
        high_level=high_level,
        outlier=outlier & ~two_humped,
        outlier_value=outlier_value,
        others=others,
    )


def _humps(ordered: Floats, grain: Floats) -> tuple[Flags, Floats, Floats, Floats]:
    """The best cut of each sample into two groups of two or more, and whether normal noise would rarely cut so well."""
    size = ordered.shape[-1]
    if size < _FEWEST_FOR_HUMPS:
        none = np.zeros(ordered.shape[:-1])
        return none.astype(bool), none, none, none
    centred = ordered - ordered.mean(axis=-1, keepdims=True)
    total = np.square(centred).sum(axis=-1)
    counts = np.arange(2, size - 1)
    sums = centred.cumsum(axis=-1)[..., counts - 1]
    between = np.square(sums) * (1 / counts + 1 / (size - counts))
    best = np.argmax(between, axis=-1)
    count = counts[best].astype(np.float64)
    picked = np.take_along_axis(ordered.cumsum(axis=-1)[..., counts - 1], best[..., None], axis=-1)[..., 0]
    low_level = picked / count
    high_level = (ordered.sum(axis=-1) - picked) / (size - count)
    inside = total - between.max(axis=-1)
    rare = inside < np.interp(size, _HUMP_SIZES, _HUMP_SHARES) * total
    return rare & (high_level - low_level > grain), count, low_level, high_level


def _outlier(ordered: Floats, grain: Floats) -> tuple[Flags, Floats, Floats]:
    """The value farthest from the mean, by Grubbs' test."""
    size = ordered.shape[-1]
    mean = ordered.mean(axis=-1)
    ends = ordered[..., [0, -1]]
    far = np.take_along_axis(ends, np.argmax(np.abs(ends - mean[..., None]), axis=-1)[..., None], axis=-1)[..., 0]
    deviation = np.sqrt(np.square(ordered - mean[..., None]).sum(axis=-1) / (size - 1))
    squared = float(stdtrit(size - 2, 1 - _LEVEL / (2 * size))) ** 2
    critical = (size - 1) / np.sqrt(size) * np.sqrt(squared / (size - 2 + squared))
    others = (mean * size - far) / (size - 1)
    return (np.abs(far - mean) > critical * deviation) & (np.abs(far - others) > grain), far, others


def drift_of(base: Floats, new: Floats, floor: Floats) -> Floats:
    """Relative change a round common to both sides, zero where it may be chance; values as they were measured."""
    if base.shape[-1] + new.shape[-1] < _FEWEST_FOR_DRIFT:
        return np.zeros(base.shape[:-1])
    sides = [_centred(side) for side in (base, new)]
    squares = [float(np.square(rounds).sum()) for rounds, _ in sides]
    slopes = [relative @ rounds / square for (rounds, relative), square in zip(sides, squares, strict=True)]
    slope = (slopes[0] * squares[0] + slopes[1] * squares[1]) / sum(squares)
    residue = sum(np.square(relative - slope[..., None] * rounds).sum(axis=-1) for rounds, relative in sides)
    degrees = base.shape[-1] + new.shape[-1] - 3
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(degrees, -np.abs(slope) / np.sqrt(residue / degrees / sum(squares)))
    span = np.abs(slope) * (max(base.shape[-1], new.shape[-1]) - 1)
    shared = np.minimum(*(one * np.sign(slope) for one in slopes)) >= np.abs(slope) / _SHARED
    return np.where((p < _LEVEL) & (span > _CLEAR * floor) & shared, slope, 0.0)


def _centred(values: Floats) -> tuple[Floats, Floats]:
    rounds = np.arange(values.shape[-1]) - (values.shape[-1] - 1) / 2
    mean = values.mean(axis=-1, keepdims=True)
    return rounds, (values - mean) / mean
