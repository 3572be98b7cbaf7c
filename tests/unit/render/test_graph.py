from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from fwdlab.analyse.result import CampaignResult
from fwdlab.render import colours
from fwdlab.render.figures import csv_text, figure_files
from fwdlab.render.panels import layout_of
from fwdlab.render.plan import WIDE, plan, short
from tests.unit.render import examples


def files(result: CampaignResult, folder: Path) -> dict[str, bytes]:
    page = examples.page(result, folder)
    return figure_files(page, layout_of(result), colours.assign([result.campaign], {}))


def texts(svg: bytes) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg.decode())


def test_drawn_twice_it_is_the_same_bytes(tmp_path: Path) -> None:
    result = examples.result(hardware=("qemu-x86",))
    assert files(result, tmp_path) == files(result, tmp_path)


def test_no_date_and_no_program_is_in_a_figure(tmp_path: Path) -> None:
    drawn = files(examples.result(hardware=("qemu-x86",)), tmp_path)
    for name in ("graph.svg", "graph.png"):
        assert not re.search(rb"dc:date|matplotlib\.org|tIME|Software", drawn[name])


def test_difference_interval_and_verdict_are_written_on_it(tmp_path: Path) -> None:
    drawn = files(examples.result(hardware=("qemu-x86",)), tmp_path)
    wide = texts(drawn["graph.svg"])
    for text in (
        "+29.15 %",
        "+29.13 … +29.17 %",
        "better",
        "120.5",
        "Forwarding rate at maximum offered load, virtual kpps",
    ):
        assert text in wide
    assert "+29.15 % (+29.13 … +29.17 %), better" in texts(drawn["graph-narrow.svg"])


def test_both_inks_use_the_same_colours_for_arms(tmp_path: Path) -> None:
    drawn = files(examples.result(hardware=("qemu-x86",)), tmp_path)
    for colour in colours.ORDER[:2]:
        assert colour.encode() in drawn["graph.svg"]
        assert colour.encode() in drawn["graph-dark.svg"]


def test_names_are_neither_mathematics_nor_markup(tmp_path: Path) -> None:
    result = examples.result(hardware=("$x^2$<b>&",))
    wide = texts(files(result, tmp_path)["graph.svg"])
    assert "udp4-64" in wide
    odd = examples.result(hardware=("$x^2$<b>&", "qemu-x86"))
    assert "$x^2$&lt;b&gt;&amp; · udp4-64" in texts(files(odd, tmp_path)["graph.svg"])


def test_an_arm_without_a_valid_repeat_is_shown_as_such(tmp_path: Path) -> None:
    result = examples.result(hardware=("qemu-x86",))
    empty = replace(result.samples[0], values=(), invalid=("link down",))
    drawn = files(replace(result, samples=(empty, *result.samples[1:])), tmp_path)
    assert "no valid repeat" in texts(drawn["graph.svg"])
    assert b"forwarded,0,,,,,,,,,,," in drawn["graph.csv"]


def test_panels_are_machines_and_traffic_and_groups_are_rule_sets() -> None:
    layout = layout_of(examples.result())
    assert [panel.title for panel in layout.panels] == [
        "qemu-x86 · udp4-64",
        "qemu-x86 · udp6-64",
        "qemu-arm64 · udp4-64",
        "qemu-arm64 · udp6-64",
    ]
    assert [group.label for group in layout.panels[0].groups] == ["forwarding", "nft-stateless", "nft-stateful"]
    assert [bar.arm for bar in layout.panels[0].groups[0].bars] == ["debian-6.1", "debian-6.12"]


def test_the_data_are_in_base_units_with_every_value() -> None:
    head, first, *_ = csv_text(layout_of(examples.result())).splitlines()
    assert head.startswith("hardware,revision,firewall,patch,traffic,metric,n,min_pps,median_pps,max_pps,values_pps,")
    assert first.startswith("qemu-x86,debian-6.1,forwarding,none,udp4-64,forwarded,5,93288.8,93300.0,93310.3,93288.8 ")


def test_a_long_name_moves_the_bars_and_a_very_long_one_loses_its_middle() -> None:
    layout = layout_of(examples.result())
    assert plan(layout, WIDE, ("",)).form.bars_left == 1.3
    assert short("releng-14.2-p3") == "releng-14.2-p3"
    assert short("a" * 40 + "z") == "a" * 16 + "…" + "a" * 15 + "z"
