"""Corrections for asking many questions at once; a campaign lies along the last axis."""

from __future__ import annotations

import numpy as np

from fwdlab.analyse.rules import Correction
from fwdlab.analyse.student import Floats


def corrected(p: Floats, correction: Correction) -> Floats:
    """The p-values of a campaign, corrected: comparable with the accepted chance of error as they stand."""
    if p.size == 0 or correction is Correction.NONE:
        return p
    return _holm(p) if correction is Correction.HOLM else _benjamini_hochberg(p)


def _holm(p: Floats) -> Floats:
    """Step down from the smallest: each times the number of hypotheses still standing."""
    order = np.argsort(p, axis=-1, kind="stable")
    standing = np.arange(p.shape[-1], 0, -1)
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * standing, axis=-1)
    return _put_back(np.minimum(stepped, 1.0), order)


def _benjamini_hochberg(p: Floats) -> Floats:
    """Step up from the largest: each times the number of hypotheses over its rank."""
    order = np.argsort(p, axis=-1, kind="stable")
    count = p.shape[-1]
    scaled = np.take_along_axis(p, order, axis=-1) * count / np.arange(1, count + 1)
    stepped = np.minimum.accumulate(scaled[..., ::-1], axis=-1)[..., ::-1]
    return _put_back(np.minimum(stepped, 1.0), order)


def _put_back(ordered: Floats, order: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> Floats:
    result = np.empty_like(ordered)
    np.put_along_axis(result, order, ordered, axis=-1)
    return result
