"""Verdicts as JUnit XML, for the test widget of a merge request: a suite a campaign, a case a comparison.

`worse` is a failure where the campaign is a gate, and `invalid` is an error. `better` and `same` are proven and pass.
`unproven`, and `worse` where the campaign is no gate, are skipped, not passed: GitLab shows no text of a case that
passes (its parser drops it), and a green tick would hide the doubt or the cost; a skipped case is counted apart, shows
its text, and fails nothing. Of cases with one name GitLab keeps the first only, so names are unique. No case has a
time: a comparison takes none, and what the trials took is on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fwdlab.analyse.result import Verdict
from fwdlab.analyse.words import interval_text, p_text, percent, repeats_text
from fwdlab.render.model import CampaignPage
from fwdlab.render.outcomes import WORSE_FAILS, WORSE_WARNS, Outcome, outcomes, printable

_TAGS = {Verdict.WORSE: "skipped", Verdict.INVALID: "error", Verdict.UNPROVEN: "skipped"}
_GATED = {**_TAGS, Verdict.WORSE: "failure"}
_COUNTERS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def junit_text(pages: Sequence[CampaignPage]) -> str:
    """The campaigns' comparisons as JUnit XML in UTF-8; characters XML cannot hold are told by their number."""
    found = [list(outcomes(page)) for page in pages]
    root = Element("testsuites", {"name": "fwdlab", **_counters(item for suite in found for item in suite)})
    campaigns = [page.result.campaign for page in pages]
    titles = unique(printable(campaign.title) for campaign in campaigns)
    names = unique(printable(campaign.name) for campaign in campaigns)
    for title, name, suite in zip(titles, names, found, strict=True):
        _add_suite(root, title, name, suite)
    indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def unique(texts: Iterable[str]) -> list[str]:
    """The texts, a later one that was there before told apart by a number."""
    found: dict[str, None] = {}
    for text in texts:
        name, number = text, 1
        while name in found:
            number += 1
            name = f"{text} ({number})"
        found[name] = None
    return list(found)


def _add_suite(root: Element, title: str, campaign: str, suite: Sequence[Outcome]) -> None:
    element = SubElement(root, "testsuite", {"name": title, **_counters(suite)})
    names = unique(printable(item.title) for item in suite)
    for name, item in zip(names, suite, strict=True):
        _add_case(SubElement(element, "testcase", {"classname": campaign, "name": name}), item)


def _add_case(case: Element, item: Outcome) -> None:
    sentence, verdict = printable(item.sentence), item.comparison.verdict
    if tag := _tag(item):
        told = SubElement(case, tag, {"message": sentence, "type": str(verdict)})
        told.text = "\n".join((sentence, *map(printable, _details(item))))
    else:
        SubElement(case, "system-out").text = "\n".join((sentence, *map(printable, _methods(item))))


def _tag(item: Outcome) -> str:
    """What the case holds beside its name; empty for one that passes."""
    tags = _GATED if item.page.result.campaign.gate else _TAGS
    return tags.get(item.comparison.verdict, "")


def _details(item: Outcome) -> Iterator[str]:
    """What the sentence rests on, one fact a line."""
    found = item.comparison
    yield f"{found.new_arm} against {found.base_arm}, {repeats_text(len(found.base.values), len(found.new.values))}"
    yield from _methods(item)
    if found.p_value is not None:
        yield f"interval {interval_text(found.low, found.high)} at {percent(found.confidence)}"
        yield f"{p_text(found.p_value)} ({found.test}, {item.page.result.correction})"
    floor = "unmeasured" if found.noise_floor is None else percent(found.noise_floor)
    yield f"threshold {percent(found.threshold)}, noise floor {floor}"
    yield from (f"- {caveat}" for caveat in found.caveats)
    if found.verdict is Verdict.WORSE:
        yield WORSE_FAILS if item.page.result.campaign.gate else WORSE_WARNS
    yield f"measure again: {item.page.command}"


def _methods(item: Outcome) -> Iterator[str]:
    """What the rates are; the sides of what cannot be compared may be of two methods."""
    sides = (item.comparison.base, item.comparison.new)
    yield from dict.fromkeys(f"rate: {sample.method}" for sample in sides if sample.values)


def _counters(items: Iterable[Outcome]) -> dict[str, str]:
    tags = [_tag(item) for item in items]
    return {"tests": str(len(tags)), **{name: str(tags.count(tag)) for name, tag in _COUNTERS.items()}}
