from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.result import CampaignResult, Verdict
from fwdlab.render import colours
from fwdlab.render.curves import curves_of
from fwdlab.render.figures import figure_files
from fwdlab.render.panels import layout_of
from tests.golden.conftest import Golden
from tests.unit.render import examples
from tests.unit.render.searches import curve_records

DOUBT = "5 repeats resolve 5.9 %; 40 repeats would resolve 2 %"
FILES = ("graph.svg", "graph-narrow-dark.svg", "graph.csv")


def all_verdicts() -> CampaignResult:
    """One arm a verdict, on one machine; the last has no valid repeat."""
    arms = ("none", "faster", "slower", "same", "unclear", "broken")
    centres = dict(zip(arms, (120.5e3, 125.1e3, 118.0e3, 120.52e3, 121.9e3, 1e3), strict=True))
    cases: list[tuple[str, ...]] = [("qemu-x86", "debian-6.12", "forwarding", arm, "udp4-64") for arm in arms]
    samples = [examples.sample(names, centres[names[3]]) for names in cases]
    samples[4] = examples.sample(cases[4], centres["unclear"], (-0.04, -0.01, 0.0, 0.02, 0.05))
    samples[5] = replace(samples[5], values=(), invalid=("guest panicked",) * 5)
    found = [examples.comparison(samples[0], new, "patch") for new in samples[1:5]]
    found[3] = replace(found[3], verdict=Verdict.UNPROVEN, low=-0.031, high=0.054, caveats=(DOUBT,))
    nothing = replace(found[0], new_arm="broken", new=samples[5], delta=None, low=None, high=None, p_value=None)
    return CampaignResult(
        campaign=examples.campaign("patch", arms, cases, "What five patches cost"),
        samples=tuple(samples),
        comparisons=(*found, replace(nothing, verdict=Verdict.INVALID)),
        correction="Holm",
    )


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("three_rule_sets_on_two_kernels", examples.result("firewall", ("qemu-x86",))),
        ("every_verdict_and_an_arm_without_a_repeat", all_verdicts()),
    ],
)
def test_graph_and_its_data(golden: Golden, tmp_path: Path, name: str, result: CampaignResult) -> None:
    page = examples.page(result, tmp_path)
    drawn = figure_files(page, layout_of(result), colours.assign([result.campaign], {}))
    for file in FILES:
        golden.check(f"{name}/{file}", drawn[file].decode())


def test_loss_curves_and_their_data(golden: Golden, tmp_path: Path) -> None:
    result = examples.result("firewall", ("qemu-x86",))
    page = examples.page(result, tmp_path)
    curves = curves_of(result.campaign, curve_records(result))
    drawn = figure_files(replace(page, curves=curves), layout_of(result), colours.assign([result.campaign], {}))
    for file in ("curve.svg", "curve-narrow-dark.svg", "curve.csv"):
        golden.check(f"loss_curves_of_three_rule_sets/{file}", drawn[file].decode())
