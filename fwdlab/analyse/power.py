"""What a number of repeats can show: the minimum detectable effect, and the repeats that a given effect needs.

For Welch's t with normal noise of equal size on both sides the power is exact here: the share of the base in the
estimated error follows a beta distribution, independent of the total, and given that share the test is a noncentral t
test with the pooled degrees of freedom against a critical value that the share decides.
"""

from __future__ import annotations

import functools

import numpy as np
from scipy.special import betaincinv, nctdtr, stdtrit

from fwdlab.analyse.rules import POWER, TTest
from fwdlab.analyse.student import Floats, quantile_of, welch_degrees
from fwdlab.campaign import FEWEST_REPEATS

MOST_REPEATS = 400  # of a suggestion; above, the answer is "more than"

_NODES = 24
_ROUNDS = 40  # of halving the bracket; its width is then some 1e-10


@functools.cache
def detectable(base_n: int, new_n: int, alpha: float, test: TTest) -> float:
    """The effect found with 80 % power, in standard errors of the difference."""
    low, high = 0.0, 2.0
    while power_of(base_n, new_n, high, alpha, test) < POWER:
        low, high = high, 2 * high
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if power_of(base_n, new_n, middle, alpha, test) < POWER else (low, middle)
    return high


def power_of(base_n: int, new_n: int, effect: float, alpha: float, test: TTest) -> float:
    """The chance to find an effect of so many standard errors, its direction right, at the two-sided level `alpha`."""
    degrees = base_n + new_n - 2
    if test is TTest.POOLED:
        return _found(degrees, effect, np.array([stdtrit(degrees, 1 - alpha / 2)]))
    chances = (np.arange(_NODES) + 0.5) / _NODES
    base_share = betaincinv((base_n - 1) / 2, (new_n - 1) / 2, chances)
    base_error = base_share / ((base_n - 1) * base_n)
    new_error = (1 - base_share) / ((new_n - 1) * new_n)
    critical = quantile_of(welch_degrees(base_n, new_n, base_error, new_error), 1 - alpha / 2)
    scale = np.sqrt(degrees * (base_error + new_error) / (1 / base_n + 1 / new_n))
    return _found(degrees, effect, critical * scale)


def _found(degrees: int, effect: float, critical: Floats) -> float:
    """Mean chance to pass the critical values on the effect's own side; the other side's share is nothing by then."""
    return float(1 - nctdtr(degrees, effect, critical).mean())


@functools.lru_cache(maxsize=65536)
def repeats_for(ratio: float, alpha: float, test: TTest) -> int | None:
    """The repeats a side that show an effect of `ratio` relative deviations; None above MOST_REPEATS."""
    if _resolved(MOST_REPEATS, alpha, test) > ratio:
        return None
    low, high = FEWEST_REPEATS, MOST_REPEATS
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _resolved(middle, alpha, test) <= ratio else (middle + 1, high)
    return low


def _resolved(n: int, alpha: float, test: TTest) -> float:
    """The minimum detectable effect of n against n repeats, in relative deviations of one repeat."""
    return float(detectable(n, n, alpha, test) * np.sqrt(2 / n))


@functools.lru_cache(maxsize=65536)
def repeats_within(ratio: float, level: float) -> int | None:
    """The repeats a side whose interval reaches no farther than `ratio` relative deviations; None above MOST_REPEATS.

    The interval is that of a one-sided test at `level` on either side, with normal noise.
    """
    sizes = np.arange(FEWEST_REPEATS, MOST_REPEATS + 1)
    reach = stdtrit(2 * sizes - 2, 1 - level) * np.sqrt(2 / sizes)
    enough = sizes[reach <= ratio]
    return int(enough[0]) if enough.size else None
