"""The shipped patches: each is documented, looks like one, and its table, its truth and its words agree."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from fwdlab.analyse.result import Verdict
from tests.unit.structure.tree import ROOT

PATCHES = ROOT / "patches"
FILES = sorted(PATCHES.glob("*.patch"))
NAMES = {file.stem for file in FILES}
README = (PATCHES / "README.md").read_text()
TRUTH_LINES = [line for line in (PATCHES / "truth.tsv").read_text().splitlines() if not line.startswith("#")]
TRUTH = list(csv.DictReader(TRUTH_LINES, delimiter="\t"))
THRESHOLD = 0.002  # of the campaign in the default matrix
CONTEXT = 3
OFF = 0.001  # as far as the laboratory may be from the disassembly


def truth_of(name: str) -> list[dict[str, str]]:
    return [row for row in TRUTH if row["patch"] == name]


def rate_change(row: dict[str, str]) -> float:
    """Relative change of the forwarding rate: a packet's instructions are its time."""
    before = float(row["before"])
    return before / (before + float(row["difference"])) - 1


def rows(cells: str) -> list[tuple[str, ...]]:
    """Rows of the README's tables whose cells fit, one group of the pattern a cell."""
    return re.findall(rf"^\| `([a-z-]+)` \| {cells} \|$", README, re.MULTILINE)


def hunks(text: str) -> list[list[str]]:
    """Lines of each hunk, the header aside."""
    return [part.splitlines()[1:] for part in re.split(r"^(?=@@ )", text, flags=re.MULTILINE)[1:]]


def context_around(hunk: list[str]) -> tuple[int, int]:
    """Unchanged lines before the first and after the last change."""
    changed = [place for place, line in enumerate(hunk) if line[:1] in "+-"]
    return changed[0], len(hunk) - 1 - changed[-1]


def test_three_are_there() -> None:
    assert len(NAMES) == 3
    assert {row["verdict"] for row in TRUTH} == {"better", "worse", "same"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_patch_says_who_what_and_why(file: Path) -> None:
    head, _, diff = file.read_text().partition("\n---\n")
    fields, _, why = head.partition("\n\n")
    assert re.fullmatch(r"From: \S.* <\S+>\nSubject: \[PATCH\] ipv4: \S.*", fields)
    assert len(why.split()) > 40
    assert max(map(len, why.splitlines())) <= 75
    assert re.search(r"^diff --git a/(\S+) b/\1$", diff, re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_patch_can_be_placed_without_doubt(file: Path) -> None:
    found = hunks(file.read_text())
    assert found
    assert all(min(context_around(hunk)) >= CONTEXT for hunk in found)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_functions_add_up_to_the_difference(name: str) -> None:
    counted = [int(after) - int(before) for patch, before, after in rows(r"`\w+` \| (\d+) \| (\d+)") if patch == name]
    assert counted
    assert {int(row["difference"]) for row in truth_of(name)} == {sum(counted)}


def test_the_readme_says_what_the_truth_says() -> None:
    said = {(patch, int(difference), verdict) for patch, difference, verdict in rows(r"[^|]+ \| ([-+\d]+) \| ([a-z]+)")}
    assert said == {(row["patch"], int(row["difference"]), row["verdict"]) for row in TRUTH}
    assert {patch for patch, _, _ in said} == NAMES


def test_verdicts_follow_from_the_instructions() -> None:
    for row in TRUTH:
        change = rate_change(row)
        expected = Verdict.SAME if abs(change) < THRESHOLD / 10 else Verdict.BETTER if change > 0 else Verdict.WORSE
        assert Verdict(row["verdict"]) is expected
        assert expected is Verdict.SAME or abs(change) >= 2 * THRESHOLD


@pytest.mark.parametrize("firewall", ["forwarding", "nft-stateful"])
def test_the_readme_turns_instructions_into_rates(firewall: str) -> None:
    before = {row["before"] for row in TRUTH if row["firewall"] == firewall}
    changes = sorted(rate_change(row) for row in TRUTH if row["firewall"] == firewall)
    worse, _, better = (f"{100 * change:+.2f} %" for change in changes)
    words = " ".join(README.split())
    assert re.search(rf"{before.pop()} [^;.]*{re.escape(worse)}, 0 % and {re.escape(better)}", words)


def test_what_was_measured_is_near_the_truth() -> None:
    firewalls = ("forwarding", "nft-stateless", "nft-stateful")
    measured = {
        (patch, firewall): float(figure)
        for patch, *figures in rows(r" \| ".join([r"([-+][\d.]+)"] * len(firewalls)))
        for firewall, figure in zip(firewalls, figures, strict=True)
    }
    assert measured.keys() == {(row["patch"], row["firewall"]) for row in TRUTH}
    for row in TRUTH:
        off = measured[row["patch"], row["firewall"]] - float(row["difference"])
        assert abs(off) / float(row["before"]) < OFF
