"""What a comparison says, and in which words."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from fwdlab.analyse.compare import compare, compare_all
from fwdlab.analyse.result import METRICS, Better, Verdict
from fwdlab.analyse.rules import Correction, TTest, usual_rules
from tests.unit.analyse.samples import pair, sample

RULES = usual_rules(0.01)
QUIET = [1_000_000.0, 1_001_000.0, 999_000.0, 1_000_500.0, 999_500.0]


def scaled(values: list[float], factor: float) -> list[float]:
    return [factor * value for value in values]


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(0.95, Verdict.WORSE), (1.05, Verdict.BETTER), (1.0, Verdict.SAME), (1.002, Verdict.SAME)],
)
def test_verdict_of_quiet_samples(factor: float, verdict: Verdict) -> None:
    assert compare(pair(QUIET, scaled(QUIET, factor)), RULES).verdict is verdict


def test_a_metric_says_which_way_is_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS, "forwarded", replace(METRICS["forwarded"], better=Better.LOWER))
    assert compare(pair(QUIET, scaled(QUIET, 0.95)), RULES).verdict is Verdict.BETTER


def test_a_change_below_the_threshold_is_no_finding_however_sure() -> None:
    found = compare(pair(QUIET, scaled(QUIET, 0.9905)), RULES)
    assert found.verdict is Verdict.UNPROVEN
    assert "differs from none (p = 5.9e-08), by less than the practical threshold of 1 %" in found.caveats
    assert found.caveats[0] == (
        "5 repeats put the change at -1.06 % to -0.84 %; 15 repeats would tell whether it stays within 1 %"
    )


def test_unproven_says_what_these_repeats_resolve_and_how_many_would_do() -> None:
    found = compare(pair([807600, 821308, 824480, 808299, 813658], [809224, 815345, 807620, 807351, 824252]), RULES)
    assert found.verdict is Verdict.UNPROVEN
    assert found.caveats == ("5 repeats resolve 1.9 % at 95 %; 15 repeats would resolve 1 %",)


def test_more_comparisons_need_more_proof() -> None:
    some = [pair([100.0, 101.0, 102.0, 103.0], [103.5, 104.0, 105.0, 107.0]) for _ in range(40)]
    machines = [replace(item, machine=str(place)) for place, item in enumerate(some)]
    alone, among = compare(some[0], RULES), compare_all(machines, RULES)[0]
    assert alone.verdict is Verdict.BETTER
    assert among.verdict is Verdict.UNPROVEN
    assert "p = 0.016 alone, p = 0.65 over 40 comparisons (Holm)" in among.caveats


@pytest.mark.parametrize("test", TTest)
def test_zero_variance_leaves_the_noise_floor_to_rule(test: TTest) -> None:
    rules = replace(RULES, threshold=0.002, test=test)
    same = compare(pair([1000.0] * 5, [1000.0] * 5), rules)
    assert (same.verdict, same.p_value) == (Verdict.SAME, 1.0)
    worse = compare(pair([1000.0] * 5, [990.0] * 5), rules)
    assert worse.verdict is Verdict.WORSE
    assert worse.p_value is not None
    assert worse.p_value > 0
    unproven = compare(pair([1000.0] * 5, [990.0] * 5, noise_floor=0.02), rules)
    assert unproven.verdict is Verdict.UNPROVEN
    assert unproven.caveats[-1] == "deviation of base 0 % and new 0 % counted as 2 %: the machine's noise floor"


def test_unmeasured_floor_is_said_where_it_matters() -> None:
    found = compare(pair([1000.0] * 5, [990.0] * 5), RULES)
    assert found.noise_floor is None
    assert found.caveats == (
        "deviation of base 0 % and new 0 % counted as 0.01 %: the least assumed while the noise floor is unmeasured",
    )


def test_too_few_repeats_are_invalid_with_their_reasons() -> None:
    few = replace(pair(QUIET, QUIET), base=sample([1.0, 2.0], "base", ("link down on igb1",)))
    found = compare(few, RULES)
    assert (found.verdict, found.delta, found.p_value, found.mde) == (Verdict.INVALID, None, None, None)
    assert found.caveats == (
        "base has 2 valid repeats of 3; 1 more would allow a comparison",
        "base: link down on igb1",
    )


@pytest.mark.parametrize(
    ("values", "caveat"),
    [
        ([0.0, 0.0, 0.0], "base has a mean of 0; a relative change needs one above zero"),
        ([1.0, 2.0, float("nan")], "base holds a value that is not a finite number"),
    ],
)
def test_values_without_a_ratio_are_invalid(values: list[float], caveat: str) -> None:
    found = compare(pair(values, QUIET), RULES)
    assert (found.verdict, found.caveats) == (Verdict.INVALID, (caveat,))


def test_invalid_pairs_do_not_count_in_the_correction() -> None:
    both = compare_all([pair(QUIET, scaled(QUIET, 0.999)), pair([1.0], QUIET)], RULES)
    assert both[0].p_value == compare(pair(QUIET, scaled(QUIET, 0.999)), RULES).p_value


def test_two_humps_are_named_and_a_second_test_is_asked() -> None:
    found = compare(
        pair([1.231e6, 1.232e6, 1.262e6, 1.261e6, 1.2315e6], [1.23e6, 1.24e6, 1.25e6, 1.26e6, 1.27e6]), RULES
    )
    assert "base is two-humped: 3 repeats about 1.232 Mpps, 2 about 1.262 Mpps, 2.4 % apart" in found.caveats
    assert any(item.startswith("not normal-looking: the exact permutation test") for item in found.caveats)


def test_an_outlier_stays_in_and_is_said() -> None:
    values = [1.0e6, 1.001e6, 1.0005e6, 0.9995e6, 0.9e6, 1.0002e6]
    found = compare(pair(values, values), RULES)
    expected = "base has an outlier: 900.0 kpps, -10 % against the others' 1.000 Mpps; it stays in"
    assert expected in found.caveats


def test_three_repeats_with_an_outlier_prove_what_lies_clear_of_it() -> None:
    found = compare(pair([1000.0, 1000.0, 1001.0], [900.0, 901.0, 902.0]), RULES)
    assert found.verdict is Verdict.WORSE


def test_three_repeats_with_an_outlier_prove_nothing_near_it() -> None:
    found = compare(pair([1000.0, 1000.0, 1010.0], [970.0, 970.5, 971.0]), RULES)
    assert found.verdict is Verdict.UNPROVEN
    assert (
        "not normal-looking: the exact permutation test of the means says p = 0.1 and cannot say less than 0.1; "
        "4 repeats could" in found.caveats
    )


def test_drift_along_rounds_is_said() -> None:
    base = [1.0e6, 0.995e6, 0.9901e6, 0.985e6, 0.9802e6]
    found = compare(pair(base, scaled(base, 1.0001)), RULES)
    assert "both sides drift by -0.5 % a round, -2 % over 5 rounds; warm up longer" in found.caveats


def test_large_samples_take_the_rank_test() -> None:
    humps = [100.0, 100.1, 100.2, 100.15, 100.05, 110.0, 110.1, 110.2, 110.15, 110.05]
    found = compare(pair(humps, humps), RULES)
    assert any("the Mann-Whitney test says p = 1" in item for item in found.caveats)


def test_ten_thousand_comparisons_take_seconds() -> None:
    noise = 1e6 * (1 + 0.008 * np.random.default_rng(1).standard_normal((10_000, 2, 5)))
    pairs = [pair(base, new) for base, new in noise.tolist()]
    started = time.perf_counter()
    assert len(compare_all(pairs, RULES)) == 10_000
    assert time.perf_counter() - started < 5


def test_benjamini_hochberg_finds_no_less_than_holm() -> None:
    pairs = [replace(pair(QUIET, scaled(QUIET, 1 - place / 800)), machine=str(place)) for place in range(12)]
    rules = replace(RULES, threshold=0.0)
    holm, hochberg = (
        compare_all(pairs, replace(rules, correction=way)) for way in (Correction.HOLM, Correction.BENJAMINI_HOCHBERG)
    )
    assert all((b.p_value or 0) <= (a.p_value or 0) for a, b in zip(holm, hochberg, strict=True))
