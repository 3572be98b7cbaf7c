"""A campaign's result: its pairs, its synthesis, its ceilings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fwdlab.analyse.campaign import campaign_result
from fwdlab.analyse.ceiling import ceilings
from fwdlab.analyse.result import CampaignResult, Sample, Verdict
from fwdlab.analyse.rules import Correction, usual_rules
from fwdlab.analyse.synthesis import synthesis, titles_of
from fwdlab.campaign import Campaign, Member

QUIET = (1.000e6, 1.001e6, 0.999e6, 1.0005e6, 0.9995e6)
FIREWALLS = ("forwarding", "pf-stateful", "ipfw-stateful")


def member(hardware: str, revision: str, firewall: str) -> Member:
    return Member(names=(hardware, revision, firewall, "none", "udp4-64"), key=f"{hardware}-{revision}-{firewall}")


def campaign(hardware: tuple[str, ...] = ("apu2",)) -> Campaign:
    members = tuple(
        member(machine, revision, firewall)
        for machine in hardware
        for revision in ("14.1", "15.0")
        for firewall in FIREWALLS
    )
    return Campaign(
        name="release",
        title="15.0 against 14.1",
        question="What did the release cost?",
        conditions=(),
        axis="revision",
        arms=("14.1", "15.0"),
        members=members,
        repeats=5,
        threshold=0.01,
    )


def samples(asked: Campaign, factors: Mapping[str, float]) -> dict[str, Sample]:
    """Quiet samples; cases whose key ends in a name of `factors` are scaled."""
    return {
        item.key: Sample(
            names=item.names,
            key=item.key,
            metric="forwarded",
            values=tuple(value * factors.get(item.key, 1.0) for value in QUIET),
            invalid=(),
        )
        for item in asked.members
    }


def result(factors: Mapping[str, float], floors: Mapping[str, float] | None = None) -> CampaignResult:
    asked = campaign()
    return campaign_result(asked, samples(asked, factors), floors or {}, usual_rules(asked.threshold))


def test_every_arm_meets_the_baseline_of_its_own_group() -> None:
    found = result({})
    assert [(item.names[1], item.base_arm, item.new_arm) for item in found.comparisons] == [
        (firewall, "14.1", "15.0") for firewall in FIREWALLS
    ]
    assert all(item.base.names[2] == item.new.names[2] for item in found.comparisons)
    assert found.correction == "Holm"
    assert len(found.samples) == 6


def test_synthesis_says_each_outcome_with_its_figure() -> None:
    found = result({"apu2-15.0-pf-stateful": 0.98, "apu2-15.0-ipfw-stateful": 1.0105})
    assert synthesis(found.comparisons) == (
        "forwarding: same within 1 %; pf-stateful: -2.00 % +/- 0.11 %, worse; ipfw-stateful: +1.05 % +/- 0.12 %, better"
    )


def test_synthesis_names_the_arm_where_nothing_else_tells_comparisons_apart() -> None:
    assert titles_of(result({}).comparisons[:1]) == ["15.0"]


def test_synthesis_of_what_is_not_proven_and_not_measured() -> None:
    asked = campaign()
    taken = samples(asked, {})
    noisy = replace(taken["apu2-15.0-forwarding"], values=(1.0e6, 1.02e6, 0.98e6))
    given = {key: value for key, value in taken.items() if key != "apu2-15.0-pf-stateful"} | {noisy.key: noisy}
    found = campaign_result(asked, given, {}, usual_rules(0.01))
    assert [item.verdict for item in found.comparisons] == [Verdict.UNPROVEN, Verdict.INVALID, Verdict.SAME]
    told = synthesis(found.comparisons)
    assert told.startswith("forwarding: +0.0 % +/- 5.0 %, unproven (5 and 3 repeats resolve ")
    assert "pf-stateful: invalid, new has 0 valid repeats of 1; 3 more would allow a comparison" in told
    assert "new: not measured" in found.comparisons[1].caveats


def test_noise_floor_of_the_machine_is_used_and_told() -> None:
    found = result({"apu2-15.0-pf-stateful": 0.98}, {"apu2": 0.02})
    assert {item.noise_floor for item in found.comparisons} == {0.02}
    assert found.comparisons[1].verdict is Verdict.UNPROVEN


def test_the_correction_is_the_rules() -> None:
    asked = campaign()
    rules = replace(usual_rules(0.01), correction=Correction.BENJAMINI_HOCHBERG)
    assert campaign_result(asked, samples(asked, {}), {}, rules).correction == "Benjamini-Hochberg"


def test_two_firewalls_at_one_far_too_steady_value_stand_at_a_ceiling() -> None:
    asked = campaign()
    taken = samples(asked, {"apu2-14.1-ipfw-stateful": 0.9, "apu2-15.0-ipfw-stateful": 0.9})
    steady = {
        key: replace(item, values=tuple(1.488e6 + place for place in range(5)))
        for key, item in taken.items()
        if key.startswith("apu2-15.0") and not key.endswith("ipfw-stateful")
    }
    found = campaign_result(asked, taken | steady, {"apu2": 0.002}, usual_rules(0.01))
    assert found.comparisons[0].caveats[0] == (
        "new: 1.488 Mpps is that of pf-stateful too, with a deviation of 0.00011 % where the machine has 0.2 %: "
        "a ceiling of generator or link, not of the DUT"
    )
    assert not any("ceiling" in caveat for caveat in found.comparisons[2].caveats)


def test_a_ceiling_is_told_from_none_and_from_what_cannot_be_judged() -> None:
    taken = list(samples(campaign(), {"apu2-14.1-forwarding": 0.9}).values())
    short = replace(taken[1], values=taken[1].values[:2])
    assert ceilings(taken, {"apu2": 0.002})[taken[0].key] == ""
    assert short.key not in ceilings([taken[0], short, *taken[2:]], {"apu2": 0.002})
    assert ceilings(taken[:3], {}) == {}


def test_a_comparison_tells_the_trials_that_were_left_out() -> None:
    asked = campaign()
    taken = samples(asked, {})
    without = replace(taken["apu2-14.1-forwarding"], invalid=("repeat-6: the receiver saw no frame",))
    few = replace(taken["apu2-15.0-pf-stateful"], values=QUIET[:2], invalid=("repeat-3: the receiver saw no frame",))
    found = campaign_result(asked, taken | {without.key: without, few.key: few}, {}, usual_rules(0.01)).comparisons
    assert found[0].verdict is Verdict.SAME
    assert found[0].caveats[0] == "base: left out repeat-6: the receiver saw no frame"
    assert found[1].verdict is Verdict.INVALID
    assert [caveat for caveat in found[1].caveats if "repeat-3" in caveat] == [
        "new: repeat-3: the receiver saw no frame"
    ]
    assert found[2].caveats == ()
