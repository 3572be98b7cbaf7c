"""What runs when: changed, stale or asked for, with what it is compared with, and a reason for all the rest."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.campaign import Campaign
from fwdlab.case import Case, Lab
from fwdlab.errors import MatrixError
from fwdlab.pipeline.decide import COMPARED, Decision, Known, Request, Source, decide
from tests.unit.pipeline.example import NOW, campaign, cases_of, known, request

ARMS = ("forwarding", "nft-stateless", "nft-stateful")
CASES = cases_of(*ARMS)
BASE, STATELESS, STATEFUL = CASES
ASKED = campaign(CASES, arms=ARMS)
RULES = {STATEFUL.names: ("rule file 'stateful.nft' changed",)}


def decided(
    asked: Request, of: Known, cases: list[Case] = CASES, campaigns: tuple[Campaign, ...] = (ASKED,)
) -> Decision:
    return decide(cases, campaigns, asked, of)


def reasons(decision: Decision) -> dict[str, str]:
    return {item.case.firewall.name: item.why for item in (*decision.taken, *decision.left)}


def taken(decision: Decision) -> list[str]:
    return [case.firewall.name for case in decision.cases]


def ago(days: float) -> object:
    return NOW - timedelta(days=days)


@pytest.mark.parametrize("source", [Source.MERGE_REQUEST, Source.PUSH])
def test_a_change_is_measured_with_its_baseline_and_nothing_else(source: Source) -> None:
    found = decided(request(source), known(CASES, changed=RULES))
    assert taken(found) == ["forwarding", "nft-stateful"]
    assert reasons(found) == {
        "forwarding": COMPARED,
        "nft-stateful": "rule file 'stateful.nft' changed",
        "nft-stateless": "nothing it depends on changed",
    }


def test_a_changed_baseline_takes_every_arm_along() -> None:
    found = decided(request(Source.MERGE_REQUEST), known(CASES, changed={BASE.names: ("x",)}))
    assert taken(found) == list(ARMS)


def test_a_change_that_touches_no_case_measures_nothing() -> None:
    found = decided(request(Source.MERGE_REQUEST), known(CASES))
    assert found.taken == ()
    assert set(reasons(found).values()) == {"nothing it depends on changed"}


def test_what_is_measured_as_it_now_stands_is_not_measured_again() -> None:
    of = known(CASES, changed=RULES, measured={STATEFUL.key: ago(3)})
    found = decided(request(Source.MERGE_REQUEST), of)
    assert taken(found) == []
    assert reasons(found)["nft-stateful"] == "is measured as it now stands, on 2026-11-18"


def test_a_schedule_takes_what_has_no_result_or_an_old_one() -> None:
    measured = {BASE.key: ago(2), STATELESS.key: ago(8), STATEFUL.key: ago(1)}
    found = decided(request(Source.SCHEDULE), known(CASES, measured=measured))
    assert taken(found) == ["forwarding", "nft-stateless"]
    assert reasons(found) == {
        "forwarding": COMPARED,
        "nft-stateless": "has no result younger than 168 h 00 min",
        "nft-stateful": "has a result younger than 168 h 00 min",
    }


def test_a_schedule_without_any_result_takes_everything() -> None:
    found = decided(request(Source.SCHEDULE), known(CASES))
    assert taken(found) == list(ARMS)
    assert set(reasons(found).values()) == {"has no result as it now stands"}


def test_a_budget_goes_to_the_oldest_and_a_comparison_is_taken_whole() -> None:
    measured = {BASE.key: ago(1), STATELESS.key: ago(8), STATEFUL.key: ago(9)}
    found = decided(request(Source.SCHEDULE, budget_s=120.0), known(CASES, measured=measured))
    assert taken(found) == ["forwarding", "nft-stateful"]
    assert reasons(found)["nft-stateless"] == (
        "has no result younger than 168 h 00 min; beyond the budget of 2 min 00 s of each machine"
    )
    none = decided(request(Source.SCHEDULE, budget_s=119.0), known(CASES, measured=measured))
    assert taken(none) == []


def test_each_machine_has_a_budget_of_its_own() -> None:
    cases = [*cases_of("forwarding"), *cases_of("forwarding", hardware="qemu-arm64")]
    found = decide(cases, (), request(Source.SCHEDULE, budget_s=60.0), known(cases))
    assert len(found.taken) == 2


def test_the_budget_is_the_schedules_alone() -> None:
    found = decided(request(Source.HAND, budget_s=0.0), known(CASES))
    assert taken(found) == list(ARMS)


def test_by_hand_everything_is_measured_where_nothing_is_named() -> None:
    found = decided(request(Source.HAND), known(CASES, measured={BASE.key: NOW}))
    assert reasons(found) == dict.fromkeys(ARMS, "asked for")


def test_by_hand_a_pattern_names_cases_and_their_baseline_comes_along() -> None:
    found = decided(request(Source.HAND, pattern="*/nft-stateless/*"), known(CASES))
    assert reasons(found) == {"forwarding": COMPARED, "nft-stateless": "asked for", "nft-stateful": "not asked for"}


def test_by_hand_a_baseline_can_be_measured_alone() -> None:
    assert taken(decided(request(Source.HAND, pattern="*/forwarding/*"), known(CASES))) == ["forwarding"]


def test_by_hand_a_campaign_names_its_members() -> None:
    extra = cases_of("pf")
    found = decided(request(Source.HAND, campaign="by-firewall"), known([*CASES, *extra]), cases=[*CASES, *extra])
    assert taken(found) == list(ARMS)
    assert reasons(found)["pf"] == "not asked for"


def test_by_hand_a_campaign_brings_nothing_of_another_one() -> None:
    other = campaign([STATELESS, STATEFUL], arms=("nft-stateless", "nft-stateful"))
    pair = campaign([BASE, STATEFUL], axis="firewall", arms=("forwarding", "nft-stateful"))
    named = Campaign(**{**{name: getattr(pair, name) for name in pair.__dataclass_fields__}, "name": "pair"})
    found = decided(request(Source.HAND, campaign="pair"), known(CASES), campaigns=(other, named))
    assert taken(found) == ["forwarding", "nft-stateful"]


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"campaign": "by-firewal"}, "--campaign: there is no 'by-firewal'; did you mean 'by-firewall'?"),
        ({"campaign": "x"}, "--campaign: there is no 'x'; known are 'by-firewall'"),
        ({"pattern": "*/pf/*"}, "--cases '*/pf/*': no case has that name; "),
    ],
)
def test_what_is_not_there_cannot_be_asked_for(others: dict[str, str], said: str) -> None:
    with pytest.raises(MatrixError) as caught:
        decided(request(Source.HAND, **others), known(CASES))
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("source", list(Source))
def test_real_machines_are_not_for_refs_that_nobody_protects(source: Source) -> None:
    cases = [*CASES, *cases_of("forwarding", hardware="apu2", lab=Lab.SSH)]
    everything = {case.names: ("new in the matrix",) for case in cases}
    found = decide(cases, (ASKED,), request(source, trusted=False), known(cases, changed=everything))
    assert taken(found) == list(ARMS)
    assert found.left[0].why == "its runner serves protected refs alone; a maintainer starts it by hand on one"
    assert len(decide(cases, (ASKED,), request(source), known(cases, changed=everything)).taken) == 4


flags = st.lists(st.booleans(), min_size=3, max_size=3)
ages = st.lists(st.none() | st.floats(0, 20), min_size=3, max_size=3)


@given(st.sampled_from(list(Source)), flags, ages, st.none() | st.floats(0, 300))
def test_every_case_is_on_one_side_with_a_reason(
    source: Source, changed: list[bool], days: list[float | None], budget_s: float | None
) -> None:
    of = known(
        CASES,
        changed={case.names: ("x",) for case, flag in zip(CASES, changed, strict=True) if flag},
        measured={case.key: ago(age) for case, age in zip(CASES, days, strict=True) if age is not None},
    )
    found = decided(request(source, budget_s=budget_s), of)
    assert sorted(reasons(found)) == sorted(ARMS)
    assert len(found.taken) + len(found.left) == len(CASES)
    assert all(item.why for item in (*found.taken, *found.left))
    assert not taken(found) or taken(found)[0] == "forwarding", "no arm without its baseline"
    if source is Source.SCHEDULE and budget_s is not None:
        assert 60.0 * len(found.taken) <= budget_s
