"""What a note says around its summary."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.result import Verdict
from fwdlab.gitlab.text import note_text, pipeline_of
from fwdlab.render.markdown import MOST_LINES, summary_text
from fwdlab.render.model import CampaignPage
from tests.unit.render import judged

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> CampaignPage:
    return judged.page(tmp_path_factory.mktemp("raw"))


def test_commit_and_mark_stand_in_the_first_line() -> None:
    assert note_text("### fwdlab: 1 worse\n\n| a |\n", commit=COMMIT, pipeline=17) == (
        "### fwdlab: 1 worse, commit 0123456789ab <!-- fwdlab note of pipeline 17 -->\n\n| a |\n"
    )
    assert note_text("### fwdlab\n", commit="", pipeline=17) == "### fwdlab <!-- fwdlab note of pipeline 17 -->\n"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "a note",
        "> ### fwdlab\n<!-- fwdlab note of pipeline 17 -->",
        "### fwdlab <!-- fwdlab note of pipeline x -->",
        f"### fwdlab <!-- fwdlab note of pipeline {'9' * 19} -->",
    ],
)
def test_a_note_without_our_mark_is_none_of_ours(body: str) -> None:
    assert pipeline_of(body) is None


@given(st.text(), st.sampled_from(["", COMMIT]), st.integers(1, 10**18 - 1))
def test_a_note_knows_its_pipeline(summary: str, commit: str, pipeline: int) -> None:
    text = note_text(f"### {summary}", commit=commit, pipeline=pipeline)
    assert pipeline_of(text) == pipeline or "<!-- fwdlab note" in summary


def test_a_note_too_long_is_cut_at_the_end_of_a_line_and_says_so() -> None:
    text = note_text(
        "### fwdlab\n" + "".join(f"| {place} | {'x' * 9990} |\n" for place in range(59)), commit="", pipeline=1
    )
    assert len(text) < 201_000
    whole, last = text.rstrip("\n").rsplit("\n\n", 1)
    assert last == "Lines that did not fit into a note: 40. The pages of the site have them all."
    assert whole.splitlines()[-1] == f"| 18 | {'x' * 9990} |"
    assert pipeline_of(text) == 1


@given(st.lists(judged.TEXT, min_size=1), st.lists(st.sampled_from(Verdict), max_size=40))
def test_whatever_the_names_no_line_is_a_quick_action_and_the_mark_is_ours(
    page: CampaignPage, texts: list[str], verdicts: list[Verdict]
) -> None:
    found = judged.renamed(judged.repeated(page, verdicts), [*texts, "<!-- fwdlab note of pipeline 999 -->", "/merge"])
    text = note_text(summary_text([found], "https://lab.example"), commit=COMMIT, pipeline=17)
    assert text.count("\n") <= MOST_LINES
    assert not re.search(r"^\s*/", text, re.MULTILINE)
    assert text.count("<") == text.count("<!-- fwdlab note of pipeline 17 -->") == 1
    shown = re.sub(r"(?<!\\)`[^`]*`|\]\([^)]*\)", "", text)  # in code and in addresses nobody is called
    assert not re.search(r"(?<![\\\w])@\w", shown)
