"""Which proven differences have a differential flame graph, and why others have none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.result import CampaignResult, Verdict
from fwdlab.profiles.diff import Unit
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.formats import fold
from fwdlab.records.model import Clock
from fwdlab.render.attribution import attributions, unit_of
from fwdlab.render.differences import difference_href, difference_view, drawn, went_views
from fwdlab.render.model import Attribution, CampaignPage
from tests.unit.analyse.records import record, with_facts, with_trial
from tests.unit.render import examples

BUSY = fold(examples.FOLDED, "x")
IDLE = fold("swapper;do_idle;default_idle 9\nkpktgend_0 1\n", "x")
OTHER = fold("dtrace`sched 9\n", "x")


def result() -> CampaignResult:
    """One comparison whose sides have keys of their own."""
    found = examples.result(hardware=("qemu-x86",))
    first = found.comparisons[0]
    item = replace(first, base=replace(first.base, key="base"), new=replace(first.new, key="new"))
    return replace(found, comparisons=(item,))


def attribution(**profiles: Profile) -> Attribution:
    (found,) = attributions(result(), profiles, dict.fromkeys(("base", "new"), Unit.INSTRUCTIONS))
    return found


def test_in_the_virtual_lab_a_packet_costs_what_its_rate_says() -> None:
    found = attribution(base=BUSY, new=BUSY).difference
    assert found is not None
    assert (found.base.cost, found.new.cost) == pytest.approx((1e9 / 93_300.37, 1e9 / 120_500.48), rel=1e-5)
    assert found.unit is Unit.INSTRUCTIONS


@pytest.mark.parametrize(
    ("units", "unit"),
    [
        ((Unit.NANOSECONDS, Unit.NANOSECONDS), Unit.NANOSECONDS),
        ((Unit.INSTRUCTIONS, Unit.NANOSECONDS), Unit.SHARE),
        ((Unit.SHARE, Unit.NANOSECONDS), Unit.SHARE),
        ((Unit.SHARE, Unit.SHARE), Unit.SHARE),
    ],
)
def test_where_rates_do_not_tell_a_packets_cost_in_one_unit_shares_are_compared(
    units: tuple[Unit, Unit], unit: Unit
) -> None:
    (found,) = attributions(result(), {"base": BUSY, "new": BUSY}, dict(zip(("base", "new"), units, strict=True)))
    assert found.difference is not None
    assert found.difference.unit is unit
    assert (found.difference.base.cost == 1.0) == (unit is Unit.SHARE)


def test_a_lab_whose_facts_name_the_one_processor_counts_in_nanoseconds() -> None:
    wall = with_trial(record(), time=Clock.WALL)
    assert unit_of(record()) is Unit.INSTRUCTIONS
    assert unit_of(wall) is Unit.SHARE
    assert unit_of(with_facts(wall, processor="number 1 of 2")) is Unit.NANOSECONDS


@pytest.mark.parametrize(
    ("profiles", "note"),
    [
        ({"new": BUSY}, "base has no profile"),
        ({"base": BUSY}, "new has no profile"),
        ({"base": IDLE, "new": BUSY}, "base's profile: 90.0 % of it is idle; profile while the load is offered"),
        ({"base": BUSY, "new": IDLE}, "new's profile: 90.0 % of it is idle; profile while the load is offered"),
        ({"base": BUSY, "new": OTHER}, "the two have no function in common; name profiles of one program or kernel"),
    ],
)
def test_what_cannot_be_drawn_says_why_and_the_finding_stands(
    profiles: dict[str, Profile], note: str, tmp_path: Path
) -> None:
    found = attribution(**profiles)
    assert (found.difference, found.note) == (None, note)
    page = replace(examples.page(examples.result(), tmp_path), attributions=(found,))
    (went,) = went_views(page)
    assert (went.finding, went.href, went.note, went.movers) == ("+29.15 % (+29.13 … +29.17 %), better", "", note, None)
    assert list(drawn(page)) == []


@pytest.mark.parametrize("verdict", [Verdict.SAME, Verdict.UNPROVEN, Verdict.INVALID])
def test_what_is_not_proven_went_nowhere(verdict: Verdict) -> None:
    found = result()
    undecided = replace(found, comparisons=(replace(found.comparisons[0], verdict=verdict),))
    assert list(attributions(undecided, {"base": BUSY, "new": BUSY}, {})) == []


def page(folder: Path) -> CampaignPage:
    return examples.page(examples.result(hardware=("qemu-x86",)), folder)


def test_the_page_says_sides_samples_repeats_baseline_and_conditions(tmp_path: Path) -> None:
    made = page(tmp_path)
    item, difference = next(drawn(made))
    view = difference_view(made, item, difference)
    assert view.subject == "debian-6.12 against debian-6.1 · qemu-x86 · forwarding · none · udp4-64"
    assert view.finding == "+29.15 % (+29.13 … +29.17 %), better"
    assert view.repeats == "5 and 5 repeats, interval at 95 %, baseline debian-6.1"
    assert view.sides.startswith("Samples of cpu-clock: 2905 in debian-6.1 and 2320 in debian-6.12. Cost in instr")
    assert view.conditions == made.conditions
    assert [link.text for link in view.flames] == ["debian-6.1", "debian-6.12"]
    assert view.caveats[0].startswith("only debian-6.1 has ret_from_fork: taken out of the stacks")


def test_each_proven_difference_has_a_page_of_its_own(tmp_path: Path) -> None:
    made = page(tmp_path)
    hrefs = [difference_href(made, item) for item in made.result.comparisons]
    assert len(set(hrefs)) == len(hrefs)
    assert [went.href for went in went_views(made)] == hrefs
