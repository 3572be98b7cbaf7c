"""What sampling alone may have moved between two profiles: samples are counts, and counts vary by chance.

A function that takes the share s of a profile of n samples is met about n s times, give or take sqrt(n s (1 - s)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from fwdlab.analyse.correct import corrected
from fwdlab.analyse.rules import Correction
from fwdlab.analyse.student import Flags, Floats

CORRECTION = Correction.BENJAMINI_HOCHBERG  # a graph is looked over: few of its findings may be false, not none


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """How often each of many things was met in one profile."""

    hits: Floats  # samples
    samples: int  # of the profile
    cost: float  # of the profile

    @property
    def costs(self) -> Floats:
        """What each costs."""
        return self.hits * (self.cost / self.samples)


def proven(base: Counted, new: Counted, confidence: float) -> Flags:
    """Which changes of cost are more than chance at that level, corrected for how many were looked at."""
    return corrected(chances(base, new), CORRECTION) <= 1 - confidence


def chances(base: Counted, new: Counted) -> Floats:
    """The p-value of each change: how often as large a one comes about where nothing changed.

    Score test of two shares: both errors are those of one common cost. What is all of both profiles has no error of
    sampling, and any change of it is certain.
    """
    common = (base.hits + new.hits) / (base.samples / base.cost + new.samples / new.cost)
    whole = np.isclose(base.hits, base.samples) & np.isclose(new.hits, new.samples)
    error = np.sqrt(sum(_squared_error(common / side.cost, side) for side in (base, new))) * ~whole
    change = new.costs - base.costs
    same = np.isclose(change, 0.0, atol=1e-9 * max(base.cost, new.cost))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(same, 1.0, 2 * ndtr(-np.abs(change) / error))


def margins(base: Counted, new: Counted, confidence: float) -> Floats:
    """Half the width of each change's interval, each for itself (A. Agresti and B. Caffo, 2000: two hits to each)."""
    squared = sum(_squared_error((side.hits + 1) / (side.samples + 2), side) for side in (base, new))
    return float(ndtri((1 + confidence) / 2)) * np.sqrt(squared)


def _squared_error(share: Floats, side: Counted) -> Floats:
    return side.cost**2 * share * np.maximum(0.0, 1 - share) / side.samples
