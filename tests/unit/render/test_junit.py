"""JUnit XML as a test widget reads it."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.result import Verdict
from fwdlab.render.junit import junit_text, unique
from fwdlab.render.model import CampaignPage
from fwdlab.render.outcomes import printable
from tests.unit.render import judged

TAGS = {Verdict.WORSE: "skipped", Verdict.INVALID: "error", Verdict.UNPROVEN: "skipped"}
GATED = {**TAGS, Verdict.WORSE: "failure"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> CampaignPage:
    return judged.page(tmp_path_factory.mktemp("raw"))


def gated(found: CampaignPage) -> CampaignPage:
    return replace(found, result=replace(found.result, campaign=replace(found.result.campaign, gate=True)))


def read(text: str) -> Element:
    return ElementTree.fromstring(text.encode())  # noqa: S314 - our own text


def only_child(case: Element) -> Element:
    (child,) = case
    return child


def check_structure(root: Element, pages: list[CampaignPage]) -> None:
    """One suite a campaign, one case a comparison, counters that count, and no two cases of one name."""
    assert (root.tag, [suite.tag for suite in root]) == ("testsuites", ["testsuite"] * len(pages))
    for suite, page in zip(root, pages, strict=True):
        verdicts = [item.verdict for item in page.result.comparisons]
        tags = GATED if page.result.campaign.gate else TAGS
        assert [case.tag for case in suite] == ["testcase"] * len(verdicts)
        assert [only_child(case).tag for case in suite] == [tags.get(verdict, "system-out") for verdict in verdicts]
    for element in (root, *root):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(name) == str(len(list(element.iter(tag))))
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    assert len({suite.get("name") for suite in root}) == len(root)


def test_each_verdict_is_what_a_widget_makes_of_it(page: CampaignPage) -> None:
    page = gated(page)
    root = read(junit_text([page]))
    check_structure(root, [page])
    told = {case.get("name"): only_child(case) for case in root.iter("testcase")}
    assert {name: child.tag for name, child in told.items()} == {
        "faster": "system-out",
        "slower": "failure",
        "same": "system-out",
        "unclear": "skipped",
        "broken": "error",
    }
    failure = told["slower"]
    assert (failure.get("message") or "").startswith("slower: -2.00")
    assert failure.get("type") == "worse"
    assert told["same"].text == "same: same within 0.2 %\nrate: Forwarding rate at maximum offered load"
    assert {case.get("classname") for case in root.iter("testcase")} == {"five-patches"}


def test_a_cost_without_a_gate_is_told_and_fails_nothing(page: CampaignPage) -> None:
    root = read(junit_text([page, gated(page)]))
    check_structure(root, [page, gated(page)])
    assert [suite.get("failures") for suite in root] == ["0", "1"]
    told = next(child for child in root[0].iter("skipped") if child.get("type") == "worse")
    assert (told.get("message") or "").startswith("slower: -2.00")
    assert (told.text or "").splitlines()[-2:] == ["'worse' warns only", "measure again: ./lab run"]


def test_a_failure_says_what_it_rests_on_and_how_to_repeat_it(page: CampaignPage) -> None:
    failure = next(read(junit_text([gated(page)])).iter("failure"))
    lines = (failure.text or "").splitlines()
    assert lines[0] == failure.get("message")
    assert lines[1] == "slower against none, 5 repeats"
    assert lines[2] == "rate: Forwarding rate at maximum offered load"
    assert lines[3].endswith("at 95 %")
    assert lines[4].endswith("(Welch's t, Holm)")
    assert lines[5] == "threshold 0.2 %, noise floor 0.01 %"
    assert lines[-2:] == ["'worse' fails the pipeline", "measure again: ./lab run"]


def test_an_error_gives_the_reasons_and_no_figure(page: CampaignPage) -> None:
    error = next(read(junit_text([page])).iter("error"))
    assert "interval" not in (error.text or "")
    assert f"- new: {judged.PANIC}" in (error.text or "").splitlines()


def test_no_case_claims_a_time(page: CampaignPage) -> None:
    assert all("time" not in case.attrib for case in read(junit_text([page])).iter())


def test_without_a_campaign_there_is_an_empty_whole() -> None:
    root = read(junit_text([]))
    assert (root.tag, root.get("tests"), len(root)) == ("testsuites", "0", 0)


def test_comparisons_and_campaigns_of_one_name_are_told_apart(page: CampaignPage) -> None:
    first = page.result.comparisons[0]
    twice = replace(page, result=replace(page.result, comparisons=(first, first)))
    root = read(junit_text([twice, twice]))
    check_structure(root, [twice, twice])
    assert [suite.get("name") for suite in root] == ["What five patches cost", "What five patches cost (2)"]


@given(st.lists(st.sampled_from(["a", "a (2)", "b"])))
def test_unique_names_keep_their_number_and_order(texts: list[str]) -> None:
    found = unique(texts)
    assert len(set(found)) == len(found) == len(texts)
    assert all(name.startswith(text) for name, text in zip(found, texts, strict=True))


@given(st.lists(judged.TEXT, min_size=1), st.lists(st.sampled_from(Verdict), max_size=6))
def test_whatever_the_names_it_is_whole_and_says_them(
    page: CampaignPage, texts: list[str], verdicts: list[Verdict]
) -> None:
    found = judged.renamed(judged.repeated(page, verdicts), texts)
    both = [found, gated(found)]
    text = junit_text(both)
    assert text == junit_text(both)
    root = read(text)
    check_structure(root, both)
    for case, item in zip(root[0], found.result.comparisons, strict=True):
        said = (only_child(case).text or "").splitlines()
        caveats = [printable(f"- {caveat}") for caveat in item.caveats]
        assert item.verdict not in TAGS or set(caveats) <= set(said)
        assert case.get("classname") == printable(found.result.campaign.name)


@given(st.text())
def test_what_is_printable_stays_and_the_rest_is_told_by_its_number(text: str) -> None:
    found = printable(text)
    assert found.isprintable()
    assert printable(found) == found
    assert printable("a\x00\x1b\u202e\ud800\n b") == "a\\x00\\x1b\\u202e\\ud800 b"
