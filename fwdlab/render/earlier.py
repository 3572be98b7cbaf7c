"""A campaign held against an earlier run of itself: did the same question get the same answer?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from fwdlab.analyse.ministat import CURRENT, FEWEST_VALUES, RelativeError, difference, summary
from fwdlab.analyse.result import Comparison
from fwdlab.campaign import Ministat
from fwdlab.render import findings, words
from fwdlab.render.model import CampaignPage, Earlier, EarlierRow

_CONFIDENCE = 95.0  # per cent, as ministat counts it


def with_earlier(pages: Sequence[CampaignPage], earlier: Sequence[CampaignPage]) -> list[CampaignPage]:
    """The pages, each with what an earlier run answered where that has a campaign of the same name."""
    by_name = {page.result.campaign.name: page for page in earlier}
    return [_with(page, by_name.get(page.result.campaign.name)) for page in pages]


def _with(page: CampaignPage, before: CampaignPage | None) -> CampaignPage:
    if before is None:
        return page
    return replace(page, earlier=Earlier(measured=before.measured, rows=tuple(_rows(page, before))))


def _rows(page: CampaignPage, before: CampaignPage) -> Iterator[EarlierRow]:
    known = {(item.names, item.base_arm, item.new_arm): item for item in before.result.comparisons}
    form = page.result.campaign.ministat
    for item in page.result.comparisons:
        other = known.get((item.names, item.base_arm, item.new_arm))
        if other is not None:
            yield EarlierRow(
                subject=findings.subject(page.result, item),
                now=_figure(item, form),
                before=_figure(other, form),
                verdicts=(str(item.verdict), str(other.verdict)),
                agreement=_agreement(item, other),
            )


def _figure(item: Comparison, form: Ministat) -> str:
    """The relative difference to the digit that ministat prints."""
    sides = (item.base.values, item.new.values)
    if min(map(len, sides)) < FEWEST_VALUES:
        return words.NOTHING
    formulas = replace(CURRENT, relative_error=RelativeError(form.relative_error))
    base, new = (summary(values, formulas) for values in sides)
    found = difference(base, new, _CONFIDENCE, formulas)
    return f"{found.relative:g}% +/- {found.relative_error:g}%" if found.proven else "no difference proven"


def _agreement(now: Comparison, before: Comparison) -> str:
    """Whether verdict and effect repeat; two effects agree that differ by no more than both intervals allow."""
    same = now.verdict is before.verdict
    verdict = "same verdict" if same else f"{before.verdict} then, {now.verdict} now"
    halves = [_half(item) for item in (now, before)]
    if now.delta is None or before.delta is None or None in halves:
        return verdict
    apart, allowed = abs(now.delta - before.delta), hypot(*(half for half in halves if half is not None))
    relation = "within" if apart <= allowed else "more than"
    points, most = (words.plain_percent(value) for value in (apart, allowed))
    return f"{verdict}; effects {points} apart, {relation} the {most} that both intervals allow"


def _half(item: Comparison) -> float | None:
    return None if item.low is None or item.high is None else (item.high - item.low) / 2
