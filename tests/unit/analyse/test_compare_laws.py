"""Laws of every comparison, and its figures against scipy's own tests."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from fwdlab.analyse.compare import compare, compare_all
from fwdlab.analyse.result import Verdict
from fwdlab.analyse.rules import Correction, Rules, TTest, usual_rules
from tests.unit.analyse.samples import VALUES, pair

RULES = st.builds(
    Rules,
    threshold=st.sampled_from([0.0, 0.002, 0.01, 0.05]),
    confidence=st.sampled_from([0.9, 0.95, 0.99]),
    correction=st.sampled_from(Correction),
    test=st.sampled_from(TTest),
)
FLOORS = st.sampled_from([None, 0.0001, 0.003])


@given(base=VALUES, new=VALUES, rules=RULES, floor=FLOORS)
def test_swapping_the_sides_mirrors_the_verdict(
    base: list[float], new: list[float], rules: Rules, floor: float | None
) -> None:
    forth, back = compare(pair(base, new, floor), rules), compare(pair(new, base, floor), rules)
    assert forth.verdict is back.verdict.mirrored()
    assert forth.p_value == back.p_value
    if forth.delta is not None and back.delta is not None:
        assert math.isclose((1 + forth.delta) * (1 + back.delta), 1.0, rel_tol=1e-12)


@given(base=VALUES, new=VALUES, rules=RULES, floor=FLOORS, factor=st.sampled_from([1e-6, 0.3, 7.0, 1234.5]))
def test_a_constant_factor_changes_nothing(
    base: list[float], new: list[float], rules: Rules, floor: float | None, factor: float
) -> None:
    plain = compare(pair(base, new, floor), rules)
    scaled = compare(pair([factor * value for value in base], [factor * value for value in new], floor), rules)
    assert scaled.verdict is plain.verdict
    if plain.p_value is not None and scaled.p_value is not None:
        assert math.isclose(plain.p_value, scaled.p_value, rel_tol=1e-6, abs_tol=1e-12)


@given(base=VALUES, new=VALUES, rules=RULES, floor=FLOORS, data=st.data())
def test_the_order_of_values_matters_to_drift_alone(
    base: list[float], new: list[float], rules: Rules, floor: float | None, data: st.DataObject
) -> None:
    ordered = compare(pair(base, new, floor), rules)
    mixed = compare(pair(data.draw(st.permutations(base)), data.draw(st.permutations(new)), floor), rules)
    without = [
        replace(item, base=ordered.base, new=ordered.new, caveats=tuple(c for c in item.caveats if "drift" not in c))
        for item in (ordered, mixed)
    ]
    assert without[0] == without[1]


@given(base=VALUES, new=VALUES, rules=RULES)
def test_findings_exclude_zero_and_same_stays_within_the_threshold(
    base: list[float], new: list[float], rules: Rules
) -> None:
    found = compare(pair(base, new), rules)
    if found.verdict in {Verdict.BETTER, Verdict.WORSE}:
        assert found.low is not None
        assert found.high is not None
        assert found.low > 0 or found.high < 0
    if found.verdict is Verdict.SAME:
        assert found.low is not None
        assert found.high is not None
        assert -rules.threshold <= found.low <= found.high <= rules.threshold + 1e-9


@pytest.mark.parametrize(("test", "equal"), [(TTest.WELCH, False), (TTest.POOLED, True)])
@given(base=VALUES, new=VALUES)
def test_p_values_are_those_of_scipy(base: list[float], new: list[float], test: TTest, equal: bool) -> None:
    assume(all(len(side) >= 3 and statistics.stdev(side) / statistics.fmean(side) > 0.00011 for side in (base, new)))
    found = compare(pair(base, new), replace(usual_rules(0.01), test=test))
    expected = stats.ttest_ind(new, base, equal_var=equal).pvalue
    assert found.p_value is not None
    assert math.isclose(found.p_value, expected, rel_tol=1e-6, abs_tol=1e-14)


@given(base=VALUES, new=VALUES, rules=RULES)
def test_the_interval_ends_where_the_test_of_that_ratio_turns(
    base: list[float], new: list[float], rules: Rules
) -> None:
    rules = replace(rules, test=TTest.WELCH)
    found = compare(pair(base, new, 0.0001), rules)
    assume(found.low is not None and found.high is not None)
    variances = [
        max(statistics.variance(side), (0.0001 * statistics.fmean(side)) ** 2) / len(side) for side in (base, new)
    ]
    degrees = sum(variances) ** 2 / sum(
        variance**2 / (len(side) - 1) for variance, side in zip(variances, (base, new), strict=True)
    )
    for end in (found.low, found.high):
        ratio = 1 + (end or 0.0)
        gap = statistics.fmean(new) - ratio * statistics.fmean(base)
        statistic = abs(gap) / math.sqrt(variances[1] + ratio**2 * variances[0])
        assert math.isclose(2 * stats.t.sf(statistic, degrees), 1 - rules.confidence, rel_tol=1e-5)


@given(pairs=st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=3))
def test_a_pair_alone_is_found_as_among_others(pairs: list[tuple[list[float], list[float]]]) -> None:
    rules = replace(usual_rules(0.01), correction=Correction.NONE)
    machines = [replace(pair(base, new), machine=str(place)) for place, (base, new) in enumerate(pairs)]
    assert compare_all(machines, rules) == tuple(compare(item, rules) for item in machines)
