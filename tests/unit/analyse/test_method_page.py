"""The method page works its formulas through on one campaign: every figure there is what the code finds."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import fwdlab
from fwdlab.analyse.compare import Pair, compare_all
from fwdlab.analyse.ministat import PAGE, NamedSet, ministat_text
from fwdlab.analyse.result import Comparison
from fwdlab.analyse.rules import usual_rules
from fwdlab.analyse.sampling import Counted, chances, margins
from fwdlab.analyse.synthesis import outcome
from fwdlab.analyse.words import effect_text, interval_text
from fwdlab.cli import main
from tests.unit.analyse.samples import sample

ROOT = Path(fwdlab.__file__).parents[1]
TEXT = (ROOT / "site/content/docs/method.md").read_text(encoding="utf-8")
ARCHIVE = ROOT.parent / "shared/archive/Xeon_L5630_4Cores/Intel_82599EB/firewalls/results"
RUNS = ("fbsd11-head.r295150.mbuf", "fbsd11-head.r295150.mbuf.second")
FIREWALLS = {"none": "fastforwarding", "ipfw": "ipfw-statefull", "pf": "pf-statefull"}  # words: as archived
RULES = usual_rules(0.01)


def listed(arm: str) -> tuple[float, ...]:
    """The values the page lists for one arm."""
    line = re.search(rf"^{arm} +([\d. ]+)$", TEXT, re.MULTILINE)
    assert line is not None
    return tuple(map(float, line[1].split()))


def pair(base: tuple[float, ...], new: tuple[float, ...]) -> Pair:
    sides = {"base": sample(base, "base"), "new": sample(new, "new")}
    return Pair(names=(), base_arm="base", new_arm="new", machine="x3550", noise_floor=None, doubts=(), **sides)


def archived(run: str, name: str) -> tuple[float, ...]:
    return tuple(map(float, (ARCHIVE / run / name).read_text().split()))


def campaign(run: str) -> dict[str, Comparison]:
    pairs = [pair(archived(run, f"295150.{name}"), archived(run, f"295150mbuf.{name}")) for name in FIREWALLS.values()]
    return dict(zip(FIREWALLS, compare_all(pairs, RULES), strict=True))


def test_the_ministat_block_is_ours() -> None:
    sets = [NamedSet(name=arm, values=listed(arm)) for arm in ("base", "new")]
    block = ministat_text(sets, PAGE)
    assert block[block.index("Difference at") :] in TEXT


def test_interval_and_caveat_of_the_example() -> None:
    found = compare_all([pair(listed("base"), listed("new"))], RULES)[0]
    assert found.delta is not None
    assert interval_text(found.low, found.high).replace("+", "") == "-2.38 % to -0.42 %"
    assert "from -2.38 % to -0.42 %, written as -1.41 % +/- 0.98 %" in TEXT
    assert effect_text(found.delta, found.low, found.high) == "-1.41 % +/- 0.98 %"
    assert any("drift by -0.23 % a round" in caveat for caveat in found.caveats)


@pytest.mark.shared
@pytest.mark.skipif(not ARCHIVE.exists(), reason="needs the archived runs of the shared folder")
def test_both_runs_come_out_as_the_page_says() -> None:
    first, second = (campaign(run) for run in RUNS)
    for firewall, name in FIREWALLS.items():
        again = compare_all([pair(*(archived(run, f"295150.{name}") for run in RUNS))], RULES)[0]
        cells = [
            firewall,
            told(first[firewall]),
            told(second[firewall]),
            effect_text(again.delta or 0, again.low, again.high),
        ]
        assert f"| {' | '.join(cells)} |" in TEXT
        corrected = re.search(
            rf"^\| {firewall} \|.*\| ([\d.]+) \| `{second[firewall].verdict}` \|$", TEXT, re.MULTILINE
        )
        assert corrected is not None
        assert float(corrected[1]) == pytest.approx(second[firewall].p_value, rel=0.03)


def told(found: Comparison) -> str:
    effect, word = re.fullmatch(r"(.*), (\w+)(?: \(.*\))?", outcome(found)).groups()  # type: ignore[union-attr]
    return f"{effect}, `{word}`"


def test_the_simulation_asks_what_the_page_shows() -> None:
    small = CliRunner().invoke(main, ["bench", "verdicts", "--campaigns", "300"]).stdout.splitlines()
    shown = [line for line in TEXT.splitlines() if line.endswith(" kept")]
    assert [line[:71] for line in shown] == [line[:71] for line in small[1:]]


def test_what_sampling_may_do_to_a_functions_cost() -> None:
    base = Counted(hits=np.array([209.0]), samples=10_091, cost=6590.0)
    new = Counted(hits=np.array([216.0]), samples=10_173, cost=8410.0)
    (old,), (young,), (margin,) = base.costs, new.costs, margins(base, new, 0.95)
    found = f"{old:.0f} and {young:.0f} instructions, a change of +{young - old:.0f} +/- {margin:.0f}"
    assert f"{found} with p = {chances(base, new)[0]:.1g} alone" in TEXT.replace("\n", " ")
