"""Loss curves of a campaign: a line an arm, a panel for what is held, and nothing where nobody offered several."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.result import CampaignResult
from fwdlab.profiles.diff import Unit
from fwdlab.records.model import Label, Record
from fwdlab.render import colours
from fwdlab.render.assemble import searches
from fwdlab.render.attribution import unit_of
from fwdlab.render.conditions import conditions_of
from fwdlab.render.curve_graph import curve_svg
from fwdlab.render.curves import Curves, curve_csv, curve_text, curves_of
from fwdlab.render.figures import figure_files
from fwdlab.render.graph import LIGHT
from fwdlab.render.panels import layout_of
from fwdlab.render.plan import WIDE
from fwdlab.render.views import campaign_view
from tests.unit.analyse.records import record, searched, with_facts
from tests.unit.render import examples
from tests.unit.render.searches import curve, curve_records


@pytest.fixture
def result() -> CampaignResult:
    return examples.result("firewall", ("qemu-x86",))


@pytest.fixture
def curves(result: CampaignResult) -> Curves:
    found = curves_of(result.campaign, curve_records(result))
    assert found is not None
    return found


def test_arms_of_one_group_share_a_panel(curves: Curves) -> None:
    assert [len(panel.lines) for panel in curves.panels] == [3] * 4
    assert [line.arm for line in curves.panels[0].lines] == ["forwarding", "nft-stateless", "nft-stateful"]
    assert "debian-6.1" in curves.panels[0].title


def test_a_point_has_every_repeat_and_the_trial_at_maximum_load_is_none(curves: Curves) -> None:
    points = curves.panels[0].lines[0].points
    assert len(points) == 5
    assert all(len(point.losses) == 3 for point in points)
    assert [round(point.loss, 2) for point in points] == [0, 0, 0, 0.09, 0.23]


def test_a_trial_that_was_made_again_is_no_point(result: CampaignResult, curves: Curves) -> None:
    first, *others = curve_records(result)
    assert first.searched
    at_maximum, *trials = first.searched.trials
    flapped = replace(trials[1], loss_ratio=1.0, fault="the link changed")
    searched_again = replace(first.searched, trials=(at_maximum, trials[0], flapped, *trials[1:]))
    assert curves_of(result.campaign, [replace(first, searched=searched_again), *others]) == curves


@pytest.mark.parametrize("other", [record(), searched(), searched(label=Label.PDR)])
def test_one_load_or_a_search_is_no_curve(result: CampaignResult, other: Record) -> None:
    names = result.campaign.members[0].names
    assert curves_of(result.campaign, [replace(other, names=names)]) is None


def test_a_repeat_that_is_invalid_is_not_drawn(result: CampaignResult) -> None:
    names = result.campaign.members[0].names
    assert curves_of(result.campaign, [replace(curve(names, 1e5), faults=None, withdrawn="a loose cable")]) is None


def test_without_curves_a_campaign_has_no_such_file(result: CampaignResult, tmp_path: Path) -> None:
    page = examples.page(result, tmp_path)
    files = figure_files(page, layout_of(result), colours.assign([result.campaign], {}))
    assert not [name for name in files if name.startswith("curve")]
    assert campaign_view(page, layout_of(result)).curve is None


def test_with_curves_it_has_the_same_files_every_time(result: CampaignResult, curves: Curves, tmp_path: Path) -> None:
    page = replace(examples.page(result, tmp_path), curves=curves)
    assigned = colours.assign([result.campaign], {})
    first, second = (figure_files(page, layout_of(result), assigned) for _ in range(2))
    assert first == second
    assert {
        "curve.svg",
        "curve-dark.svg",
        "curve-narrow.svg",
        "curve-narrow-dark.svg",
        "curve.png",
        "curve.csv",
    } <= set(first)
    view = campaign_view(page, layout_of(result)).curve
    assert view is not None
    assert view.alt == curve_text(curves, "virtual kpps")


def test_who_cannot_see_it_is_told_every_loss(curves: Curves) -> None:
    told = curve_text(curves, "virtual kpps")
    assert told.startswith("Loss by intended load in virtual kpps. forwarding debian-6.1")
    assert "23.1 % at" in told


def test_its_data_have_every_repeat(curves: Curves) -> None:
    rows = curve_csv(curves).splitlines()
    assert rows[0].endswith("intended_pps,n,median_loss,losses")
    assert len(rows) == 1 + 12 * 5


def test_a_graph_of_two_methods_names_neither_on_its_axis(result: CampaignResult, tmp_path: Path) -> None:
    first, *others = result.samples
    mixed = replace(result, samples=(replace(first, metric="ndr", goal="loss goal 0 %"), *others))
    layout = layout_of(mixed)
    assert layout.metric.label == "Rates of several methods, named above"
    files = figure_files(examples.page(mixed, tmp_path), layout, colours.assign([mixed.campaign], {}))
    assert b"NDR (MLRsearch, RFC 9971): loss goal 0 %." in files["graph.svg"]


def test_a_graph_of_searches_says_on_its_axis_which(result: CampaignResult) -> None:
    searches = replace(
        result, samples=tuple(replace(item, metric="throughput", goal="loss goal 0 %") for item in result.samples)
    )
    assert layout_of(searches).metric.label == "Throughput (RFC 2544)"


@pytest.mark.parametrize("label", [label for label in Label if label is not Label.FRMOL])
def test_what_a_packet_costs_is_told_by_the_maximum_alone(label: Label) -> None:
    assert unit_of(record()) is Unit.INSTRUCTIONS
    assert unit_of(searched(label=label)) is Unit.SHARE


def test_the_conditions_of_a_search_say_what_counts_as_loss(result: CampaignResult) -> None:
    names = result.campaign.members[0].names
    pairs = {item.label: item.value for item in conditions_of(result.campaign, [replace(searched(), names=names)])}
    assert pairs["offered load"] == (
        "udp4-64: NDR, several trials a repeat; an offered load that falls short of the intended one is counted as loss"
    )
    assert pairs["rate"] == "NDR: a search: loss goal 0 %"
    assert pairs["repeats"].startswith("5 repeats a case")


def test_the_conditions_name_an_attack_and_say_once_what_counts_as_loss(result: CampaignResult) -> None:
    real = with_facts(searched(), topology="two-senders", attack="20000")
    names = result.campaign.members[0].names
    ours = [replace(real, names=(*names[:4], traffic)) for traffic in ("udp4-ndr", "udp6-ndr")]
    pairs = {item.label: item.value for item in conditions_of(result.campaign, ours)}
    assert pairs["offered load"] == (
        "udp4-ndr: NDR, several trials a repeat; udp6-ndr: NDR, several trials a repeat; "
        "loss is counted against what was sent, and a trial is made again whose sender offers less than 99 %"
    )
    assert pairs["attack"].startswith("udp4-ndr: 20000 pps beside every load, from a network of its own, counted apart")
    most = conditions_of(result.campaign, [with_facts(ours[0], attack="max")])
    assert {item.label: item.value for item in most}["attack"].startswith(
        "udp4-ndr: as much as the attacker can beside"
    )


def test_lines_of_one_colour_are_told_apart(curves: Curves) -> None:
    one = dict.fromkeys(("forwarding", "nft-stateless", "nft-stateful"), "#cc79a7")
    drawn = curve_svg(curves, WIDE.width, LIGHT, one, "kpps")
    assert "stroke-dasharray" in drawn


def test_a_case_tells_the_bounds_of_each_repeat() -> None:
    (told,) = searches([searched()])
    assert (told.label, told.value) == (
        "NDR of repeat 1",
        "120000 pps; lower bound 120000 pps, upper bound 120600 pps; 2 trials; regular",
    )


def test_a_mix_of_sizes_is_stated_with_its_frames(result: CampaignResult) -> None:
    names = result.campaign.members[0].names
    mixed = replace(with_facts(record(), imix="7x64 4x594 1x1518"), names=names)
    pairs = {item.label: item.value for item in conditions_of(result.campaign, [mixed])}
    assert pairs["frames"].startswith("udp4-64: IMIX of 7x64 4x594 1x1518 (weight x octets with FCS, drawn at random")
    repeated = replace(with_facts(record(), imix="3x64 1x594", imix_order="repeated"), names=names)
    pairs = {item.label: item.value for item in conditions_of(result.campaign, [repeated])}
    order = "repeated in this order, genome AAAB with A 64, B 594; RFC 6985"
    assert pairs["frames"] == f"udp4-64: IMIX of 3x64 1x594 (weight x octets with FCS, {order}), 64 octets in the mean"
