"""ministat's figures and its text, to the byte: the summary of each set and Student's t of each against the first.

Three formulas changed over the program's life (the median of an even number of values, how the variance is summed,
the interval of the relative difference); `Formulas` names the generations so that archived pages come out again.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scipy.special import ndtri, stdtrit

from fwdlab.analyse.ministat_plot import PlotSet, plot_lines

SYMBOLS = "x+*%#@O"
MOST_SETS = len(SYMBOLS)
FEWEST_VALUES = 3

_TABLE_ENDS = 100  # degrees of freedom; above, the normal quantile

# Confidence in per cent as ministat offers it -> the one-sided point its table holds there. The last column is headed
# 99.5 and holds the points of 99.8 %, seven of them misprinted; see the decision "ministat-table".
_POINTS = {80.0: 0.9, 90.0: 0.95, 95.0: 0.975, 98.0: 0.99, 99.0: 0.995, 99.5: 0.999}
_MISPRINTED = {1: 318.313, 7: 4.782, 8: 4.499, 9: 4.296, 10: 4.143, 11: 4.024, 12: 3.929}
CONFIDENCES = tuple(_POINTS)

_HEADING = "    N           Min           Max        Median           Avg        Stddev"


class Median(StrEnum):
    """The median of an even number of values."""

    MIDPOINT = "midpoint"  # between the two in the middle
    UPPER = "upper"  # the larger of the two


class Variance(StrEnum):
    """How the squares are summed; it shows in the last digits only."""

    CENTRED = "centred"  # around the mean, in a second pass
    RAW = "raw"  # of the values themselves, in one pass


class RelativeError(StrEnum):
    """The interval of the relative difference."""

    RATIO = "ratio"  # of the ratio of two uncertain means
    SIMPLE = "simple"  # the absolute interval over the first mean, as if that were certain


@dataclass(frozen=True, kw_only=True, slots=True)
class Formulas:
    """One generation of ministat's formulas."""

    median: Median
    variance: Variance
    relative_error: RelativeError


CURRENT = Formulas(median=Median.MIDPOINT, variance=Variance.CENTRED, relative_error=RelativeError.RATIO)
OLDEST = Formulas(median=Median.UPPER, variance=Variance.RAW, relative_error=RelativeError.SIMPLE)


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedSet:
    """One set of values under the name its line carries."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """What one line of the table says, unrounded."""

    n: int
    minimum: float
    maximum: float
    median: float
    mean: float
    variance: float

    @property
    def deviation(self) -> float:
        """Standard deviation; not a number where a one-pass variance came out negative."""
        return math.sqrt(self.variance) if self.variance >= 0 else math.nan


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """A set against the first: the difference of the means and its interval, absolute and relative."""

    absolute: float
    absolute_error: float
    relative: float  # per cent of the first mean
    relative_error: float  # per cent
    pooled: float  # pooled standard deviation

    @property
    def proven(self) -> bool:
        """Whether the interval leaves out zero."""
        return abs(self.absolute) > self.absolute_error


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Which parts are printed, and how wide."""

    plot: bool
    tests: bool
    headings: bool
    separate_bars: bool
    width: int  # columns inside the frame
    confidence: float  # per cent, one of CONFIDENCES


PAGE = Layout(plot=True, tests=True, headings=True, separate_bars=True, width=74, confidence=95.0)


def summary(values: Sequence[float], formulas: Formulas = CURRENT) -> Summary:
    """Number, extremes, median, mean and variance of one set."""
    ordered = sorted(values)
    mean = _total(values) / len(values)
    return Summary(
        n=len(values),
        minimum=ordered[0],
        maximum=ordered[-1],
        median=_median(ordered, formulas.median),
        mean=mean,
        variance=_squares(values, mean, formulas.variance) / (len(values) - 1.0),
    )


def _total(values: Iterable[float]) -> float:
    # One addition after the other, as C does it: Python's own sum keeps the lost digits and can end elsewhere.
    return functools.reduce(lambda total, value: total + value, values, 0.0)


def _median(ordered: Sequence[float], kind: Median) -> float:
    middle = len(ordered) // 2
    if kind is Median.UPPER or len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle] + ordered[middle - 1]) / 2


def _squares(values: Sequence[float], mean: float, kind: Variance) -> float:
    if kind is Variance.RAW:
        total = _total(values)
        return _total(value * value for value in values) - total * total / len(values)
    return _total((value - mean) * (value - mean) for value in sorted(values))


@functools.cache
def student_t(degrees: int, confidence: float) -> float:
    """The quantile ministat's table holds: three decimals, the normal one above 100 degrees of freedom."""
    point = _POINTS[confidence]
    if degrees > _TABLE_ENDS:
        return round(float(ndtri(point)), 3)
    if confidence == 99.5 and degrees in _MISPRINTED:
        return _MISPRINTED[degrees]
    return round(float(stdtrit(degrees, point)), 3)


def difference(base: Summary, new: Summary, confidence: float, formulas: Formulas = CURRENT) -> Difference:
    """Student's t with pooled variance of `new` against `base`; confidence in per cent, one of CONFIDENCES."""
    degrees = new.n + base.n - 2
    quantile = student_t(degrees, confidence)
    pooled = math.sqrt(max(0.0, ((new.n - 1) * new.variance + (base.n - 1) * base.variance) / degrees))
    absolute = new.mean - base.mean
    error = quantile * (pooled * math.sqrt(1.0 / new.n + 1.0 / base.n))
    relative_error = error if formulas.relative_error is RelativeError.SIMPLE else quantile * _ratio_error(base, new)
    return Difference(
        absolute=absolute,
        absolute_error=error,
        relative=_quotient(absolute * 100, base.mean),
        relative_error=_quotient(relative_error * 100, base.mean),
        pooled=pooled,
    )


def _ratio_error(base: Summary, new: Summary) -> float:
    """Standard error of the ratio of the means, times the first mean."""
    scaled = _quotient((base.n - 1) * base.variance * (new.mean * new.mean), base.mean * base.mean)
    squares = (new.n - 1) * new.variance + scaled
    return math.sqrt(squares * ((new.n + base.n) / (new.n * base.n * (new.n + base.n - 2.0))))


def _quotient(numerator: float, denominator: float) -> float:
    """Division as IEEE 754 has it: by zero it is infinite or not a number."""
    if denominator:
        return numerator / denominator
    if numerator == 0 or math.isnan(numerator):
        return math.nan
    return math.copysign(math.inf, numerator) * math.copysign(1.0, denominator)


def ministat_text(sets: Sequence[NamedSet], layout: Layout = PAGE, formulas: Formulas = CURRENT) -> str:
    """What ministat prints of these sets, the first being the one the others are held against."""
    summaries = [summary(item.values, formulas) for item in sets]
    lines = [f"{SYMBOLS[index]} {item.name}" for index, item in enumerate(sets)] if layout.headings else []
    if layout.plot and layout.tests:
        drawn = [_plot_set(item, vitals) for item, vitals in zip(sets, summaries, strict=True)]
        lines += plot_lines(drawn, layout.width, layout.separate_bars, SYMBOLS)
    if layout.headings:
        lines.append(_HEADING)
    for index, vitals in enumerate(summaries):
        lines.append(_summary_line(SYMBOLS[index], vitals))
        if index and layout.tests:
            lines += _difference_lines(difference(summaries[0], vitals, layout.confidence, formulas), layout.confidence)
    return "".join(f"{line}\n" for line in lines)


def _plot_set(item: NamedSet, vitals: Summary) -> PlotSet:
    return PlotSet(values=item.values, mean=vitals.mean, median=vitals.median, deviation=vitals.deviation)


def _summary_line(symbol: str, vitals: Summary) -> str:
    figures = (vitals.minimum, vitals.maximum, vitals.median, vitals.mean, vitals.deviation)
    return f"{symbol} {vitals.n:3d}" + "".join(f" {figure:13.8g}" for figure in figures)


def _difference_lines(found: Difference, confidence: float) -> list[str]:
    if not found.proven:
        return [f"No difference proven at {confidence:.1f}% confidence"]
    return [
        f"Difference at {confidence:.1f}% confidence",
        f"\t{found.absolute:g} +/- {found.absolute_error:g}",
        f"\t{found.relative:g}% +/- {found.relative_error:g}%",
        f"\t(Student's t, pooled s = {found.pooled:g})",
    ]
