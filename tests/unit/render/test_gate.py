"""What a pipeline makes of the verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.result import Verdict
from fwdlab.render.gate import gate_error
from fwdlab.render.model import CampaignPage
from tests.unit.render import judged

SEVERITY = (1, 4, 5, 0)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> CampaignPage:
    return judged.page(tmp_path_factory.mktemp("raw"))


def campaign(page: CampaignPage, verdicts: list[Verdict], *, gate: bool) -> CampaignPage:
    found = judged.repeated(page, verdicts)
    return replace(found, result=replace(found.result, campaign=replace(found.result.campaign, gate=gate)))


def status(pages: list[CampaignPage], refused: list[str]) -> int:
    error = gate_error(pages, refused)
    return error.exit_code if error else 0


@pytest.mark.parametrize(
    ("verdict", "gated", "ungated"),
    [
        (Verdict.WORSE, 1, 5),
        (Verdict.INVALID, 4, 0),
        (Verdict.UNPROVEN, 0, 0),
        (Verdict.SAME, 0, 0),
        (Verdict.BETTER, 0, 0),
    ],
)
def test_each_verdict_has_one_end_with_a_gate_and_one_without(
    page: CampaignPage, verdict: Verdict, gated: int, ungated: int
) -> None:
    assert status([campaign(page, [verdict], gate=True)], []) == gated
    assert status([campaign(page, [verdict], gate=False)], []) == ungated


def test_without_campaign_or_refusal_there_is_nothing_to_say() -> None:
    assert gate_error([], []) is None
    assert str(gate_error([], ["a record: is none"])) == "a record: is none"


PARTS = st.lists(st.tuples(st.lists(st.sampled_from(Verdict), max_size=4), st.booleans()), max_size=4)


@given(PARTS, st.lists(st.just("refused"), max_size=2))
def test_the_gravest_decides_and_everything_is_told(
    page: CampaignPage, parts: list[tuple[list[Verdict], bool]], refused: list[str]
) -> None:
    pages = [campaign(page, verdicts, gate=gate) for verdicts, gate in parts]
    alone = [status([found], []) for found in pages] + [4] * len(refused)
    assert status(pages, refused) == min(alone, key=SEVERITY.index, default=0)
    lines = str(gate_error(pages, refused) or "").splitlines()
    worse = sum(verdicts.count(Verdict.WORSE) for verdicts, _ in parts)
    invalid = sum(verdicts.count(Verdict.INVALID) for verdicts, gate in parts if gate)
    assert len(lines) == worse + invalid + len(refused)


@given(st.lists(judged.TEXT, min_size=1))
def test_whatever_the_names_each_sentence_is_a_line(page: CampaignPage, texts: list[str]) -> None:
    found = judged.renamed(campaign(page, [Verdict.WORSE, Verdict.INVALID], gate=True), texts)
    lines = str(gate_error([found], [])).split("\n")
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
