"""Figures in words: per cent with two significant digits, and never more digits than their error deserves."""

from __future__ import annotations

import math

from fwdlab.analyse.result import METRICS
from fwdlab.units import common_scale


def percent(fraction: float) -> str:
    """A fraction as per cent with two significant digits: `2.8 %`, `0.037 %`, `1 %`."""
    return f"{_plain(float(f'{100 * fraction:.1e}'))} %"


def _plain(value: float) -> str:
    digits = _decimals(value, 2)
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _decimals(value: float, significant: int) -> int:
    if value == 0 or not math.isfinite(value):
        return 0
    return max(0, significant - 1 - math.floor(math.log10(abs(value))))


def signed_percent(fraction: float) -> str:
    """The same with its sign: `-1.4 %`, `+3 %`."""
    return percent(fraction) if fraction < 0 else f"+{percent(fraction)}"


def effect_text(delta: float, low: float | None, high: float | None) -> str:
    """A change with half the width of its interval, to the error's second digit: `-1.41 % +/- 0.98 %`."""
    if low is None or high is None:
        return signed_percent(delta)
    error = float(f"{50 * (high - low):.1e}")
    digits = _decimals(error, 2)
    return f"{100 * delta:+.{digits}f} % +/- {error:.{digits}f} %"


def interval_text(low: float | None, high: float | None) -> str:
    """Both ends of an interval, to the second digit of its half: `-2.38 % to -0.42 %`."""
    if low is None or high is None:
        return "unbounded"
    digits = _decimals(50 * (high - low), 2)
    return f"{100 * low:+.{digits}f} % to {100 * high:+.{digits}f} %"


def level_text(value: float, metric: str) -> str:
    """A measured value with the unit of its metric: `1.442 Mpps`."""
    return common_scale([abs(value)]).text(value, METRICS[metric].unit)


def p_text(p: float) -> str:
    """A p-value with two significant digits."""
    return f"p = {p:.2g}"


def repeats_text(base_n: int, new_n: int) -> str:
    """How many repeats a comparison has: `5 repeats`, `5 and 8 repeats`."""
    return f"{base_n} repeats" if base_n == new_n else f"{base_n} and {new_n} repeats"
