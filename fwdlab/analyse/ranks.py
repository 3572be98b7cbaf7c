"""Tests that assume no shape, to stand beside a t test where a sample does not look normal."""

from __future__ import annotations

import functools
import math
from itertools import combinations

import numpy as np
from scipy.special import ndtr

from fwdlab.analyse.student import Floats

EXACT = "exact permutation test of the means"
RANKS = "Mann-Whitney test"

_MOST_SPLITS = 13_000  # C(16, 8) = 12 870: up to 8 against 8 repeats every split is looked at
_TIE = 1e-9  # splits this close to the observed one, relative to its mean, are as extreme
_ROWS = 512  # comparisons at a time, to bound memory


def shape_free_test(base_n: int, new_n: int) -> str:
    """The name of the test that suits these numbers of repeats."""
    return EXACT if math.comb(base_n + new_n, base_n) <= _MOST_SPLITS else RANKS


def smallest_p(base_n: int, new_n: int) -> float:
    """The least p-value the exact test can give: two splits of all."""
    return 2 / math.comb(base_n + new_n, base_n)


def shape_free_p(base: Floats, new: Floats) -> Floats:
    """p-value of each row of `base` against the same row of `new`."""
    if shape_free_test(base.shape[-1], new.shape[-1]) == RANKS:
        return _mann_whitney(base, new)
    starts = range(0, len(base), _ROWS)
    parts = [_permutation(base[start : start + _ROWS], new[start : start + _ROWS]) for start in starts]
    return np.concatenate([np.zeros(0), *parts])


def _permutation(base: Floats, new: Floats) -> Floats:
    """Share of all splits whose means lie as far apart as those seen (Fisher 1935, Pitman 1937)."""
    pool = np.concatenate([base, new], axis=-1)
    centred = pool - pool.mean(axis=-1, keepdims=True)
    splits = _splits(base.shape[-1], new.shape[-1])
    sums = np.abs(centred @ splits)
    seen = np.abs(centred[..., : base.shape[-1]].sum(axis=-1, keepdims=True))
    extreme = sums >= seen - _TIE * np.abs(pool).mean(axis=-1, keepdims=True)
    return np.asarray(extreme.mean(axis=-1), dtype=np.float64)


@functools.lru_cache(maxsize=64)
def _splits(base_n: int, new_n: int) -> Floats:
    """One column a split: 1 where the pooled value goes to the base."""
    chosen = np.array(list(combinations(range(base_n + new_n), base_n)))
    matrix = np.zeros((base_n + new_n, len(chosen)))
    matrix[chosen.T, np.arange(len(chosen))] = 1.0
    return matrix


def _mann_whitney(base: Floats, new: Floats) -> Floats:
    """Mann and Whitney's U (1947): normal approximation with ties and continuity corrected."""
    base_n, new_n = base.shape[-1], new.shape[-1]
    total = base_n + new_n
    wins = np.sign(new[..., :, None] - base[..., None, :]).sum(axis=(-2, -1)) / 2
    pool = np.sort(np.concatenate([base, new], axis=-1), axis=-1)
    tied = (np.square((pool[..., :, None] == pool[..., None, :]).sum(axis=-1)) - 1).sum(axis=-1)
    deviation = np.sqrt(base_n * new_n / 12 * ((total + 1) - tied / (total * (total - 1))))
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.where(deviation > 0, (np.abs(wins) - 0.5) / deviation, 0.0)
    p: Floats = np.minimum(1.0, 2 * ndtr(-score))
    return p
