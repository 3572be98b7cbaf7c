"""Simulated truth: the noise is what it says, and arrays get the verdicts that single samples get."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fwdlab.analyse.compare import compare, compare_all
from fwdlab.analyse.rules import usual_rules
from fwdlab.analyse.simulate import Noise, Setup, judged, noise, simulate
from fwdlab.analyse.verdict import CODES
from tests.unit.analyse.samples import pair

RULES = usual_rules(0.01)


@pytest.mark.parametrize(("kind", "skewness"), [(Noise.NORMAL, 0.0), (Noise.SKEWED, -2.0), (Noise.TWO_HUMPED, 0.0)])
def test_noise_has_mean_nought_and_deviation_one(kind: Noise, skewness: float) -> None:
    values = noise(kind, (400_000,), np.random.default_rng(3))
    assert values.mean() == pytest.approx(0, abs=0.01)
    assert values.std() == pytest.approx(1, abs=0.01)
    assert (values**3).mean() == pytest.approx(skewness, abs=0.1)


@pytest.mark.parametrize("kind", Noise)
def test_arrays_and_samples_get_the_same_verdicts(kind: Noise) -> None:
    draws = np.random.default_rng(11)
    base, new = (1e6 * (1 + 0.004 * noise(kind, (1, 40, 5), draws)) for _ in range(2))
    new[0, :20] *= 0.97
    pairs = [pair(*sides) for sides in zip(base[0].tolist(), new[0].tolist(), strict=True)]
    expected = [item.verdict for item in compare_all(pairs, RULES)]
    assert [CODES[code] for code in judged(base, new, RULES)[0]] == expected
    assert len(set(expected)) > 1


def test_a_lone_comparison_is_a_campaign_of_one() -> None:
    draws = np.random.default_rng(12)
    base, new = (1e6 * (1 + 0.004 * noise(Noise.NORMAL, (30, 1, 5), draws)) for _ in range(2))
    codes = judged(base, new, RULES)
    expected = [
        compare(pair(*sides), RULES).verdict for sides in zip(base[:, 0].tolist(), new[:, 0].tolist(), strict=True)
    ]
    assert [CODES[code] for code in codes[:, 0]] == expected


def test_the_seed_decides_everything() -> None:
    setup = Setup(campaigns=30, comparisons=10, repeats=4, noise=Noise.SKEWED, deviation=0.008, change=-0.03, changed=5)
    first, again = (simulate(setup, RULES, np.random.default_rng(9)) for _ in range(2))
    assert first.shape == (30, 10)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, simulate(replace(setup, change=0.0), RULES, np.random.default_rng(9)))
