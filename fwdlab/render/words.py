"""Numbers and verdicts as people read them: one prefix a column, an interval beside each difference."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fwdlab.analyse import words
from fwdlab.analyse.result import Comparison, Verdict
from fwdlab.units import Scale

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
UNMEASURED = "unmeasured"
_FEWEST_DIGITS = 3


def column(values: Sequence[float | None], scale: Scale, digits: int) -> tuple[str, ...]:
    """The values of one column, all with as many decimals; a dash for None.

    The largest value has at least `digits` digits, and the smallest at least three that say something.
    """
    sizes = [abs(value) / scale.factor for value in values if value]
    decimals = max(_decimals(max(sizes), digits), _decimals(min(sizes), _FEWEST_DIGITS)) if sizes else 0
    return tuple(NOTHING if value is None else f"{value / scale.factor:.{decimals}f}" for value in values)


def _decimals(size: float, digits: int) -> int:
    return max(0, digits - 1 - math.floor(math.log10(size)))


def percent(value: float | None, decimals: int, *, signed: bool) -> str:
    """A fraction in per cent, such as `+29.1 %`; a dash for None."""
    if value is None:
        return NOTHING
    text = f"{abs(value) * 100:.{decimals}f} %"
    sign = MINUS if value < 0 else "+"
    return f"{sign}{text}" if signed and float(f"{value * 100:.{decimals}f}") else text


def plain_percent(value: float | None) -> str:
    """A threshold or a resolution in per cent with two significant digits, such as `0.2 %`; a dash for None."""
    return NOTHING if value is None else words.percent(value)


def decimals_of(comparison: Comparison) -> int:
    """Decimals a difference in per cent is worth: two digits of its interval's half, but one or two."""
    if comparison.low is None or comparison.high is None:
        return 1
    half = (comparison.high - comparison.low) / 2 * 100
    return 1 if half >= 1 else 2


def difference(comparison: Comparison) -> str:
    """The difference in per cent, signed; a dash where there is none."""
    return percent(comparison.delta, decimals_of(comparison), signed=True)


def interval(comparison: Comparison) -> str:
    """The interval of the difference, such as `+28.9 … +29.3 %`; a dash where there is none."""
    if comparison.low is None or comparison.high is None:
        return NOTHING
    low, high = (percent(end, decimals_of(comparison), signed=True) for end in (comparison.low, comparison.high))
    return f"{low.removesuffix(' %')} … {high}"


def p_text(value: float | None) -> str:
    """A corrected p-value, such as `0.034` or `< 0.001`; a dash where no test was possible."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def confidence_text(value: float) -> str:
    """A confidence level, such as `95 %`."""
    return f"{value * 100:.4g} %"


def verdict_text(comparison: Comparison) -> str:
    """What the comparison says, in words: `+29.1 % (+28.9 … +29.3 %), better`."""
    match comparison.verdict:
        case Verdict.BETTER | Verdict.WORSE | Verdict.UNPROVEN if comparison.delta is not None:
            return f"{difference(comparison)} ({interval(comparison)}), {comparison.verdict}"
        case Verdict.SAME:
            return f"same within {plain_percent(comparison.threshold)} ({interval(comparison)})"
        case _:
            return f"{comparison.verdict}: no figure"


def file_size(octets: int) -> str:
    """A file's size, such as `812 B` or `14 kB`; one kB is 1000 octets."""
    if octets < 1000:
        return f"{octets} B"
    return f"{octets / 1e3:.0f} kB" if octets < 1e6 else f"{octets / 1e6:.1f} MB"


def listed(words: Sequence[str]) -> str:
    """The words as a sentence lists them: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
