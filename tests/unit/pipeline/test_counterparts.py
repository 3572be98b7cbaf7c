"""What a case is compared with is measured along with it, and campaigns that compare nothing are not asked."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.pipeline.counterparts import counterparts, narrowed
from tests.unit.pipeline.example import campaign, cases_of
from tests.unit.records.example import case

ARMS = ("forwarding", "nft-stateless", "nft-stateful")


def test_an_arm_needs_its_baseline_and_a_baseline_its_arms() -> None:
    base, *arms = cases_of(*ARMS)
    found = counterparts([campaign([base, *arms], arms=ARMS)], arms=True)
    assert found == {
        base.names: tuple(arm.names for arm in arms),
        **{arm.names: (base.names,) for arm in arms},
    }


def test_a_baseline_alone_needs_no_arm_where_none_is_asked_for() -> None:
    base, arm = cases_of(*ARMS[:2])
    assert counterparts([campaign([base, arm], arms=ARMS[:2])], arms=False) == {arm.names: (base.names,)}


def test_cases_that_differ_elsewhere_too_are_no_counterparts() -> None:
    cases = [case(revision="old", firewall="forwarding"), case(revision="new", firewall="nft-stateful")]
    asked = campaign(cases, arms=ARMS)
    assert counterparts([asked], arms=True) == {}
    assert narrowed(asked) is None


def test_a_case_of_two_campaigns_needs_what_either_compares() -> None:
    cases = [case(revision=revision, firewall=firewall) for revision, firewall in product(("old", "new"), ARMS[:2])]
    asked = [campaign(cases, arms=ARMS), campaign(cases, axis="revision", arms=("old", "new"))]
    (_, _, forwarding, stateless) = cases
    assert set(counterparts(asked, arms=True)[stateless.names]) == {forwarding.names, cases[1].names}


def test_what_is_left_of_a_campaign_are_its_pairs() -> None:
    cases = [case(revision=revision, firewall=ARMS[0]) for revision in ("old", "new")]
    cases += [case(revision="old", firewall=ARMS[2]), case(revision="only", firewall=ARMS[1])]
    left = narrowed(campaign(cases, arms=ARMS))
    assert left is not None
    assert [member.names for member in left.members] == [cases[0].names, cases[2].names]
    assert left.arms == (ARMS[0], ARMS[2])


chosen = st.lists(st.tuples(st.sampled_from(("r1", "r2")), st.sampled_from(ARMS)), unique=True)


@given(chosen)
def test_narrowing_keeps_whoever_has_a_counterpart(cells: list[tuple[str, str]]) -> None:
    cases = [case(revision=revision, firewall=firewall) for revision, firewall in cells]
    asked = campaign(cases, arms=ARMS)
    left = narrowed(asked)
    assert {member.names for member in left.members} if left else set() == set(counterparts([asked], arms=True))
    assert left is None or narrowed(left) == left
