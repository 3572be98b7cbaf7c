"""Simulated campaigns whose truth is known, to find out how often verdicts are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from fwdlab.analyse.rules import Rules
from fwdlab.analyse.student import Floats, side_of
from fwdlab.analyse.verdict import Codes, evidence_of, judge, stand_in_floor

_BATCH = 20_000  # comparisons at a time, to bound memory
_MEAN = 1e6
_INSIDE = 0.2  # deviation inside a hump, as a share of the whole


class Noise(StrEnum):
    """Shapes of noise, all of one mean and one deviation."""

    NORMAL = "normal"
    SKEWED = "skewed"  # exponential with the long tail below: skewness -2
    TWO_HUMPED = "two-humped"  # two humps of equal weight, ten of their own deviations apart


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What is simulated: so many campaigns of so many comparisons, each side with so many repeats."""

    campaigns: int
    comparisons: int
    repeats: int
    noise: Noise
    deviation: float  # relative, of one repeat
    change: float  # true relative change of the comparisons that have one
    changed: int  # how many comparisons of a campaign have it


def simulate(setup: Setup, rules: Rules, draws: np.random.Generator) -> Codes:
    """Verdicts as places in `verdict.CODES`, one row a campaign; more is better, no noise floor measured."""
    return np.concatenate([judged(base, new, rules) for base, new in _samples(setup, draws)])


def judged(base: Floats, new: Floats, rules: Rules) -> Codes:
    """Verdicts of campaigns of samples: campaigns, then comparisons, then repeats."""
    spreads = np.concatenate([side_of(values).spread for values in (base, new)], axis=-1)
    floor = np.broadcast_to(stand_in_floor(spreads, base.shape[-1], None)[:, None], base.shape[:-1])
    evidence = evidence_of(base, new, floor, rules)
    return judge(evidence, rules, np.array(1.0)).codes


def _samples(setup: Setup, draws: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    truth = np.ones((setup.comparisons, 1))
    truth[: setup.changed] += setup.change
    at_once = max(1, _BATCH // setup.comparisons)
    for start in range(0, setup.campaigns, at_once):
        shape = (min(at_once, setup.campaigns - start), setup.comparisons, setup.repeats)
        base, new = (_MEAN * (1 + setup.deviation * noise(setup.noise, shape, draws)) for _ in range(2))
        yield base, new * truth


def noise(kind: Noise, shape: tuple[int, ...], draws: np.random.Generator) -> Floats:
    """Noise of mean 0 and deviation 1."""
    if kind is Noise.NORMAL:
        return draws.standard_normal(shape)
    if kind is Noise.SKEWED:
        return 1 - draws.standard_exponential(shape)
    humps = np.where(draws.random(shape) < 0.5, -1.0, 1.0) * np.sqrt(1 - _INSIDE**2)
    return np.asarray(humps + _INSIDE * draws.standard_normal(shape), dtype=np.float64)
