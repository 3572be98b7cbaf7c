from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.analyse.result import Verdict
from fwdlab.render import findings, words
from fwdlab.units import Scale
from tests.unit.render import examples

KILO = Scale(factor=1e3, prefix="k")


def test_a_column_has_one_prefix_and_one_number_of_decimals() -> None:
    assert words.column([93300.0, 120512.0, None], KILO, 4) == ("93.3", "120.5", words.NOTHING)
    assert words.column([25e6, 320e3], Scale(factor=1e6, prefix="M"), 4) == ("25.000", "0.320")
    assert words.column([], KILO, 4) == ()
    assert words.column([0.0], KILO, 4) == ("0",)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.28, "28 %"),
        (0.028, "2.8 %"),
        (0.002, "0.2 %"),
        (0.00012, "0.012 %"),
        (0.1, "10 %"),
        (0.0, "0 %"),
        (None, words.NOTHING),
    ],
)
def test_a_threshold_has_the_digits_that_say_something(value: float | None, text: str) -> None:
    assert words.plain_percent(value) == text


def test_a_difference_that_rounds_to_nothing_has_no_sign() -> None:
    assert words.percent(-0.000001, 2, signed=True) == "0.00 %"


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Verdict.BETTER, "+29.15 % (+29.13 … +29.17 %), better"),
        (Verdict.UNPROVEN, "+29.15 % (+29.13 … +29.17 %), unproven"),
        (Verdict.SAME, "same within 0.2 % (+29.13 … +29.17 %)"),
    ],
)
def test_a_verdict_never_stands_without_its_interval(verdict: Verdict, text: str) -> None:
    found = replace(examples.result().comparisons[0], verdict=verdict)
    assert words.verdict_text(found) == text


def test_an_invalid_comparison_says_so_and_gives_no_figure() -> None:
    found = replace(examples.result().comparisons[0], verdict=Verdict.INVALID, delta=None, low=None, high=None)
    assert words.verdict_text(found) == "invalid: no figure"


def test_the_summary_has_a_line_for_each_rule_set_over_all_machines() -> None:
    lines = findings.summary(examples.result())
    assert [line.label for line in lines] == ["forwarding", "nft-stateless", "nft-stateful"]
    assert lines[0].value == "+29.15 % (each ± 0.021 % or less), better in all 4"


def test_the_summary_counts_verdicts_that_differ() -> None:
    result = examples.result()
    unproven = replace(result.comparisons[0], verdict=Verdict.UNPROVEN)
    mixed = replace(result, comparisons=(unproven, *result.comparisons[1:]))
    assert findings.summary(mixed)[0].value.endswith(", 3 better and 1 unproven")
    assert findings.headline(mixed) == "12 comparisons against debian-6.1: 11 better and 1 unproven."


def test_a_campaign_of_one_comparison_names_its_arm() -> None:
    result = examples.result(hardware=("qemu-x86",))
    cases = tuple(item for item in result.samples if item.names[2] == "forwarding" and item.names[4] == "udp4-64")
    campaign = examples.campaign("revision", examples.REVISIONS, [item.names for item in cases], "one")
    one = replace(result, campaign=campaign, samples=cases, comparisons=result.comparisons[:1])
    assert findings.finding(one, one.comparisons[0]).startswith("debian-6.12: +29.15 %")
    assert findings.headline(one) == "1 comparison against debian-6.1: 1 better."


def test_several_arms_are_named_first() -> None:
    result = examples.result("firewall")
    assert findings.subject(result, result.comparisons[0]) == "nft-stateless, qemu-x86 · debian-6.1 · udp4-64"
