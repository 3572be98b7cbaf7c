"""Repeats by need: who goes on after a look, and that looking more than once makes no false finding likelier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fwdlab.analyse.adaptive import next_repeats
from fwdlab.analyse.compare import Pair, compare
from fwdlab.analyse.result import CampaignResult, Comparison, Sample, Verdict
from fwdlab.analyse.rules import usual_rules
from fwdlab.campaign import Adaptive, Campaign, Member, campaigns_text, parse_campaigns

BASE = ("box", "old", "forwarding", "none", "udp")
NEW = ("box", "new", "forwarding", "none", "udp")


def campaign(first: int = 5, most: int = 20) -> Campaign:
    return Campaign(
        name="c",
        title="C",
        question="Q",
        conditions=(),
        axis="revision",
        arms=("old", "new"),
        members=(Member(names=BASE, key="b"), Member(names=NEW, key="n")),
        repeats=first,
        threshold=0.01,
        adaptive=Adaptive(most=most, until=0.01),
    )


def comparison(verdict: Verdict, mde: float | None) -> Comparison:
    def sample(names: tuple[str, ...], key: str) -> Sample:
        return Sample(names=names, key=key, metric="forwarded", values=(1.0, 2.0, 3.0), invalid=())

    return Comparison(
        names=("box", "forwarding", "none", "udp"),
        base_arm="old",
        new_arm="new",
        base=sample(BASE, "b"),
        new=sample(NEW, "n"),
        verdict=verdict,
        delta=0.0,
        low=-0.1,
        high=0.1,
        confidence=0.95,
        p_value=0.5,
        test="Welch's t",
        mde=mde,
        threshold=0.01,
        noise_floor=None,
        caveats=(),
    )


def result(verdict: Verdict, mde: float | None, first: int = 5, most: int = 20) -> CampaignResult:
    return CampaignResult(
        campaign=campaign(first, most), samples=(), comparisons=(comparison(verdict, mde),), correction="Holm"
    )


def test_looks_are_fixed_beforehand_and_few() -> None:
    assert campaign(5, 20).looks == (5, 10, 15, 20)
    assert campaign(5, 7).looks == (5, 6, 7)
    assert campaign(3, 100).looks == (3, 36, 69, 100)
    assert replace(campaign(), adaptive=None).looks == (5,)


def test_both_sides_of_an_unproven_comparison_go_on_to_the_next_look() -> None:
    assert next_repeats(result(Verdict.UNPROVEN, 0.03), {"b": 5, "n": 5}, ()) == {"b": 10, "n": 10}
    assert next_repeats(result(Verdict.UNPROVEN, None), {"b": 10, "n": 10}, ()) == {"b": 15, "n": 15}


@pytest.mark.parametrize("verdict", [Verdict.BETTER, Verdict.WORSE, Verdict.SAME, Verdict.INVALID])
def test_a_settled_comparison_goes_no_further(verdict: Verdict) -> None:
    assert next_repeats(result(verdict, 0.03), {"b": 5, "n": 5}, ()) == {}


def test_rounds_end_where_the_repeats_would_show_the_size_asked_for() -> None:
    assert next_repeats(result(Verdict.UNPROVEN, 0.01), {"b": 5, "n": 5}, ()) == {}


def test_rounds_end_at_the_most() -> None:
    assert next_repeats(result(Verdict.UNPROVEN, 0.03), {"b": 20, "n": 20}, ()) == {}


def test_a_campaign_with_fixed_repeats_asks_for_no_more() -> None:
    fixed = result(Verdict.UNPROVEN, 0.03)
    assert next_repeats(replace(fixed, campaign=replace(fixed.campaign, adaptive=None)), {"b": 5, "n": 5}, ()) == {}


def test_the_looks_share_the_level_and_say_so() -> None:
    rules = usual_rules(0.01, 4)
    assert rules.confidence == pytest.approx(0.9875)
    assert rules.corrections == "Holm; Bonferroni over 4 looks"
    assert usual_rules(0.01).corrections == "Holm"


def test_four_looks_find_no_more_false_changes_than_one() -> None:
    """2000 lone comparisons without a change, looked at after 5, 10, 15 and 20 repeats."""
    random, rules, false = np.random.default_rng(5), usual_rules(0.0001, 4), 0
    for _ in range(2000):
        sides = random.normal(1e6, 8e3, size=(2, 20))
        false += any(_found(sides[:, :look], rules) for look in (5, 10, 15, 20))
    assert false / 2000 <= 0.05


def _found(sides: np.ndarray, rules: object) -> bool:
    base, new = (
        Sample(names=BASE, key="k", metric="forwarded", values=tuple(map(float, side)), invalid=()) for side in sides
    )
    pair = Pair(names=(), base_arm="old", new_arm="new", base=base, new=new, machine="box", noise_floor=None, doubts=())
    return compare(pair, rules).verdict in (Verdict.BETTER, Verdict.WORSE)  # type: ignore[arg-type]


def test_campaigns_survive_their_file() -> None:
    both = (campaign(), replace(campaign(), adaptive=None, gate=True))
    assert parse_campaigns(campaigns_text(both), "campaigns.json") == both


@pytest.mark.parametrize("key", ["b", "n"])
def test_what_an_earlier_look_settled_is_not_taken_up_again(key: str) -> None:
    assert next_repeats(result(Verdict.UNPROVEN, 0.03), {"b": 10, "n": 10}, {key}) == {}
