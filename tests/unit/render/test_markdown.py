"""The note for a merge request: short, what matters first, and no name becomes Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from fwdlab.analyse.result import Verdict
from fwdlab.render.markdown import MOST_LINES, escaped, summary_text
from fwdlab.render.model import CampaignPage
from fwdlab.render.outcomes import URGENCY, printable
from tests.unit.render import judged

SITE = "https://lab.example/fwdlab/"
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {  # all that our own layout is made of
    *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline"),
    *("table_open", "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close"),
    *("tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close"),
    *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    *("text", "strong_open", "strong_close", "link_open", "link_close", "code_inline"),
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> CampaignPage:
    return judged.page(tmp_path_factory.mktemp("raw"))


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def plain(token: Token) -> str:
    return "".join(child.content for child in token.children or ())


def rows(text: str) -> list[list[str]]:
    """The table's cells as a reader sees them, its head aside."""
    found: list[list[str]] = []
    block = READER.parse(text)
    for place, token in enumerate(block):
        if token.type == "tr_open":
            found.append([])
        elif token.type in {"td_open", "th_open"}:
            found[-1].append(plain(block[place + 1]))
    return found[1:]


def links(text: str) -> list[str]:
    return [str(token.attrs["href"]) for token in tokens(text) if token.type == "link_open"]


def test_a_campaign_says_what_its_rates_are_and_three_of_many(page: CampaignPage) -> None:
    (told,) = (line for line in summary_text([page], None).splitlines() if line.startswith("- **"))
    assert "; rates: Forwarding rate at maximum offered load; " in told
    first = page.result.samples[0]
    goals = [replace(first, metric="pdr", goal=f"loss goal {number} %") for number in (1, 2, 3, 4)]
    result = replace(page.result, samples=tuple(goals))
    (told,) = (line for line in summary_text([replace(page, result=result)], None).splitlines() if "- **" in line)
    pdr = "PDR (MLRsearch, RFC 9971): loss goal"
    assert f"rates: {pdr} 1 %, {pdr} 2 %, {pdr} 3 % and 1 more; " in told


def test_what_matters_most_comes_first(page: CampaignPage) -> None:
    text = summary_text([page], None)
    assert [row[0] for row in rows(text)] == [str(verdict) for verdict in URGENCY]
    assert text.splitlines()[0] == "### fwdlab: 1 invalid, 1 worse, 1 better, 1 unproven, 1 same in 1 campaign"


def test_a_larger_change_comes_before_a_smaller_one(page: CampaignPage) -> None:
    worse = page.result.comparisons[1]
    arms = {"small": -0.01, "large": -0.2, "middle": -0.1}
    items = tuple(replace(worse, new_arm=arm, delta=delta) for arm, delta in arms.items())
    text = summary_text([replace(page, result=replace(page.result, comparisons=items))], None)
    assert [row[2] for row in rows(text)] == ["large against none", "middle against none", "small against none"]


def test_no_figure_stands_alone(page: CampaignPage) -> None:
    text = summary_text([page], None)
    worse = rows(text)[1]
    assert worse[1:4] == ["What five patches cost", "slower against none", "\N{MINUS SIGN}2.00 %"]
    assert worse[4].startswith("\N{MINUS SIGN}2.0")
    assert worse[5:7] == ["5", "< 0.001"]
    for told in ("baseline none", "intervals at 95 %", "p corrected by Holm", "threshold 0.2 %", "3 A/A pairs"):
        assert told in text
    assert "virtual packets" in text
    assert "measure again: `./lab run`" in text
    assert "noise floor unmeasured" in summary_text([replace(page, noise_source="")], None)


def test_what_fails_the_pipeline_is_told_from_what_warns(page: CampaignPage) -> None:
    assert "; 'worse' warns only; " in summary_text([page], None)
    gated = replace(page, result=replace(page.result, campaign=replace(page.result.campaign, gate=True)))
    text = summary_text([gated], None)
    assert [row[0] for row in rows(text)] == ["invalid", "worse, fails", "better", "unproven", "same"]
    assert "; 'worse' fails the pipeline; " in text


def test_links_lead_to_page_and_flame_graphs_of_the_site(page: CampaignPage) -> None:
    found = links(summary_text([page], SITE))
    assert set(found) >= {f"{SITE}campaigns/five-patches.html"}
    flames = [link for link in found if "/flames/" in link]
    assert f"{SITE}flames/qemu-x86-debian-6.12-forwarding-slower-udp4-64-000000000002.html" in flames
    assert len(flames) == 10
    assert links(summary_text([page], None)) == []


def test_a_case_without_profile_has_no_link_to_one(page: CampaignPage) -> None:
    bare = replace(page, cases=tuple(replace(report, profile=None) for report in page.cases))
    assert not [link for link in links(summary_text([bare], SITE)) if "flames" in link]


def test_an_address_cannot_end_its_link(page: CampaignPage) -> None:
    found = links(summary_text([page], "https://lab.example/a) <b> [c](x|y"))
    assert found
    assert all(link.startswith("https://lab.example/a%29%20%3Cb%3E%20") and "|" not in link for link in found)


def test_a_doubt_is_said_once_for_all_it_belongs_to(page: CampaignPage) -> None:
    items = tuple(replace(item, caveats=("one doubt", "one doubt")) for item in page.result.comparisons)
    text = summary_text([replace(page, result=replace(page.result, comparisons=items))], None)
    assert text.count("one doubt") == 1
    assert "- For all: one doubt" in text
    items = (*items[:4], replace(items[4], caveats=()))
    text = summary_text([replace(page, result=replace(page.result, comparisons=items))], None)
    assert "- For slower, faster and 2 more: one doubt" in text


def test_without_comparisons_it_says_so(page: CampaignPage) -> None:
    bare = replace(page, result=replace(page.result, comparisons=()))
    assert summary_text([bare], None).startswith("### fwdlab: no comparison in 1 campaign\n")
    assert summary_text([], None) == "### fwdlab: no comparison in 0 campaigns\n"


def test_the_longest_note_has_60_lines_and_counts_the_rest(page: CampaignPage) -> None:
    many = judged.repeated(page, [*[Verdict.SAME] * 900, *[Verdict.WORSE] * 29])
    doubtful = tuple(replace(item, caveats=(f"doubt {place}",)) for place, item in enumerate(many.result.comparisons))
    many = replace(many, result=replace(many.result, comparisons=doubtful))
    text = summary_text([many] * 20, SITE)
    assert text.count("\n") == MOST_LINES
    assert len(rows(text)) == 28
    assert "\n18552 more: 552 worse, 18000 same.\n" in text
    assert "\n- 919 more on the pages.\n" in text
    assert text.endswith("\n- 12 more.\n")


def check(text: str) -> None:
    """At most 60 lines; nothing in them but our own layout, and every link leads to the site."""
    assert text.count("\n") <= MOST_LINES
    assert text.endswith("\n")
    assert text.replace("\n", "").isprintable()
    assert "<" not in text
    assert {token.type for token in tokens(text)} <= OURS
    assert all(link.startswith(SITE) for link in links(text))
    assert not re.search(r"^\s*/", text, re.MULTILINE)


@given(
    st.lists(judged.TEXT, min_size=1),
    st.lists(st.sampled_from(Verdict), max_size=40),
    st.integers(1, 10),
    st.sampled_from([None, SITE]),
)
def test_whatever_the_names_they_stay_text(
    page: CampaignPage, texts: list[str], verdicts: list[Verdict], campaigns: int, base_url: str | None
) -> None:
    found = judged.renamed(judged.repeated(page, verdicts), texts)
    text = summary_text([found] * campaigns, base_url)
    assert text == summary_text([found] * campaigns, base_url)
    check(text)
    shown = rows(text)
    assert len(shown) == min(28, len(verdicts) * campaigns)
    assert all(len(row) == 9 for row in shown)
    title = printable(found.result.campaign.title) or "\N{EN DASH}"
    assert {row[1] for row in shown} <= {title}


@given(judged.TEXT)
def test_escaped_text_is_read_as_it_was(text: str) -> None:
    written = escaped(text)
    assert not re.search(r"[<>|]", written)
    expected = printable(text) or "\N{EN DASH}"
    found = READER.parse(f"| head |\n|---|\n| {written} |\n\n- For {written}: **{written}**\n")
    assert [plain(token) for token in found if token.type == "inline"] == [
        "head",
        expected,
        f"For {expected}: {expected}",
    ]
    assert {token.type for token in tokens(f"x {written}")} <= {"paragraph_open", "inline", "text", "paragraph_close"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("@all", r"\@all"),
        ("#1 !2 ~bug $3 %4 &5", r"\#1 \!2 \~bug \$3 \%4 \&5"),
        ("2.8 % resolved: yes", "2.8 % resolved: yes"),
        (":tada: https://x.example", r"\:tada: https\://x.example"),
        ("www.x.example", r"www\.x.example"),
        ("debian-6.12 nft_stateful", r"debian-6.12 nft\_stateful"),
        ("a" * 201, "a" * 199 + "…"),
    ],
)
def test_what_gitlab_would_read_something_into_is_escaped(text: str, written: str) -> None:
    assert escaped(text) == written
