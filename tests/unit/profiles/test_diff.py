"""The laws a difference of profiles keeps, whatever the profiles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.profiles.diff import SHARES, Costs, Difference, Function, Unit, difference, mismatch
from fwdlab.profiles.folded import Profile, profile_of
from fwdlab.profiles.formats import fold
from tests.unit.profiles.stacks import profile, profiles

COSTS = st.builds(Costs, base=st.floats(1, 1e5), new=st.floats(1, 1e5), unit=st.just(Unit.INSTRUCTIONS))


def changes(found: Difference) -> dict[str, float]:
    """What each function costs more itself."""
    return {item.name: found.new.cost_of(item.new) - found.base.cost_of(item.base) for item in found.functions}


def scaled(found: Profile, factor: int) -> Profile:
    """The same samples, each weighing so many times as much."""
    weights = {stack.folded: stack.weight * factor for stack in found.stacks}
    return profile_of(weights, event=found.event, samples=found.samples, caveats=(), origin="x")


@given(profiles(), profiles(), COSTS)
def test_own_changes_add_up_to_the_whole_change(base: Profile, new: Profile, costs: Costs) -> None:
    assert sum(changes(difference(base, new, costs)).values()) == pytest.approx(costs.new - costs.base, abs=1e-6)


@given(profiles(), profiles(), COSTS)
def test_swapping_the_sides_turns_every_sign_over(base: Profile, new: Profile, costs: Costs) -> None:
    there = changes(difference(base, new, costs))
    back = changes(difference(new, base, replace(costs, base=costs.new, new=costs.base)))
    assert {name: -change for name, change in back.items()} == there


@given(profiles(), COSTS)
def test_a_profile_against_itself_has_changed_nowhere(same: Profile, costs: Costs) -> None:
    found = difference(same, same, replace(costs, new=costs.base))
    assert set(changes(found).values()) == {0.0}
    assert found.tree.weights[0] == found.tree.weights[1]


@given(profiles(), profiles(), st.integers(2, 100_000))
def test_what_a_sample_weighs_on_one_side_changes_nothing(base: Profile, new: Profile, factor: int) -> None:
    plain, heavy = difference(base, new, SHARES), difference(base, scaled(new, factor), SHARES)
    assert heavy.new.samples == plain.new.samples
    assert changes(heavy) == pytest.approx(changes(plain), abs=1e-12)


@given(profiles(), profiles())
def test_the_largest_change_stands_first(base: Profile, new: Profile) -> None:
    sizes = [round(abs(change), 12) for change in changes(difference(base, new, SHARES)).values()]
    assert sizes == sorted(sizes, reverse=True)


def test_a_function_that_costs_more_leaves_the_others_where_they_were() -> None:
    base = profile("all;ip_forward 200\nall;ip_rcv 800\n")
    found = difference(
        base, profile("all;ip_forward 260\nall;ip_rcv 800\n"), Costs(base=1000, new=1060, unit=Unit.NANOSECONDS)
    )
    assert changes(found) == pytest.approx({"ip_forward": 60.0, "ip_rcv": 0.0})
    assert changes(difference(base, profile("all;ip_forward 260\nall;ip_rcv 800\n"), SHARES))["ip_rcv"] < -0.04


def test_what_vanished_is_in_the_tree_and_in_the_table() -> None:
    found = difference(profile("a;gone 3\na;b 1\n"), profile("a;b 4\n"), SHARES)
    assert dict(zip(found.tree.names, zip(*found.tree.weights, strict=True), strict=True))["gone"] == (3, 0)
    assert found.functions[0] == Function(name="b", base=1, new=4)
    assert Function(name="gone", base=3, new=0) in found.functions


@pytest.mark.parametrize(
    ("text", "samples"),
    [("a 1\nb 99\n", 100), ("a 100270\nb 200540\n", 3), ("a 340007\nb 900000\n", 3), ("a 0\nb 5\n", 1)],
)
def test_folded_text_holds_no_more_samples_than_its_lightest_stack_allows(text: str, samples: int) -> None:
    found = fold(text, "x", "folded")
    assert difference(found, found, SHARES).base.samples == samples


def test_a_profiler_that_counts_its_samples_is_believed() -> None:
    found = replace(fold("a 100\nb 200\n", "x", "folded"), event="cycles", samples=7)
    assert difference(found, found, SHARES).base.samples == 7


@pytest.mark.parametrize(
    ("base", "new", "said"),
    [
        (profile("a 1\n", "cycles"), profile("a 1\n", "cpu-clock"), "'cycles' was sampled on one side and 'cpu-clock'"),
        (profile("a;b 1\n"), profile("c;d 1\n"), "the two have no function in common; name profiles of one program"),
        (profile("a 1\n", "cycles"), profile("a 1\n", ""), ""),
        (profile("a;b 1\n"), profile("c;b 1\n"), ""),
    ],
)
def test_profiles_that_cannot_be_compared_say_why(base: Profile, new: Profile, said: str) -> None:
    assert mismatch(base, new).startswith(said)
    assert bool(mismatch(base, new)) == bool(said)
