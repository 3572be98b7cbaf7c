"""The page of a differential flame graph: where one proven difference of a campaign went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fwdlab.analyse.result import Comparison, Sample
from fwdlab.profiles.diff import Difference
from fwdlab.render import findings, names, words
from fwdlab.render.flame_diff import difference_script, passing_texts, reading_text, sides_text
from fwdlab.render.model import Attribution, CampaignPage, CaseReport, Pair
from fwdlab.render.movers import MoversView, movers_view
from fwdlab.render.names import LinkView


@dataclass(frozen=True, kw_only=True, slots=True)
class DifferenceView:
    """The page, every text as it will stand there."""

    title: str
    subject: str  # which two cases
    finding: str
    repeats: str
    sides: str
    reading: str
    virtual: bool
    campaign: LinkView
    flames: tuple[LinkView, ...]  # of base and new
    widths: tuple[str, str]  # the sides whose widths can be chosen, base first
    conditions: tuple[Pair, ...]
    caveats: tuple[str, ...]
    movers: MoversView
    data: str  # the tree's file, relative to the site


@dataclass(frozen=True, kw_only=True, slots=True)
class WentView:
    """Where one proven difference went, on the campaign's page."""

    title: str
    finding: str
    href: str  # of the differential flame graph; empty where there is none
    note: str  # why there is none, or what both sides are
    movers: MoversView | None


def drawn(page: CampaignPage) -> Iterator[tuple[Comparison, Difference]]:
    """The campaign's comparisons that have a differential flame graph."""
    for found in page.attributions:
        if found.difference is not None:
            yield found.comparison, found.difference


def difference_href(page: CampaignPage, item: Comparison) -> str:
    """A comparison's differential flame graph, relative to the site; empty where there is none."""
    if all(item is not other for other, _ in drawn(page)):
        return ""
    return f"{names.difference_stem(page.result.campaign.name, item)}.html"


def difference_view(page: CampaignPage, item: Comparison, difference: Difference) -> DifferenceView:
    """The page about one comparison."""
    campaign, sides = page.result.campaign, (item.base_arm, item.new_arm)
    reports = [_report(page, sample) for sample in (item.base, item.new)]
    return DifferenceView(
        title="Differential flame graph",
        subject=" \N{MIDDLE DOT} ".join((f"{item.new_arm} against {item.base_arm}", *item.names)),
        finding=words.verdict_text(item),
        repeats=_repeats(item),
        sides=sides_text(difference, sides),
        reading=reading_text(difference, sides, item.confidence),
        virtual=page.virtual,
        campaign=LinkView(text=campaign.title, href=names.campaign_page(campaign.name), detail=page.measured),
        flames=tuple(
            LinkView(text=arm, href=f"{names.flame_stem(report)}.html", detail="")
            for arm, report in zip(sides, reports, strict=True)
        ),
        widths=sides,
        conditions=page.conditions,
        caveats=(*passing_texts(difference, sides), *_profile_caveats(reports, sides), *item.caveats),
        movers=movers_view(difference, sides, item.confidence),
        data=f"{names.difference_stem(campaign.name, item)}.js",
    )


def tree_data(item: Comparison, difference: Difference) -> str:
    """The script with the comparison's boxes."""
    return difference_script(difference, (item.base_arm, item.new_arm), item.confidence)


def went_views(page: CampaignPage) -> tuple[WentView, ...]:
    """Every proven difference of the campaign, in its order."""
    return tuple(_went(page, found) for found in page.attributions)


def _went(page: CampaignPage, found: Attribution) -> WentView:
    item, difference = found.comparison, found.difference
    sides = (item.base_arm, item.new_arm)
    return WentView(
        title=findings.subject(page.result, item),
        finding=words.verdict_text(item),
        href=difference_href(page, item),
        note=found.note if difference is None else sides_text(difference, sides),
        movers=None if difference is None else movers_view(difference, sides, item.confidence),
    )


def _report(page: CampaignPage, sample: Sample) -> CaseReport:
    return next(report for report in page.cases if report.names == sample.names)


def _repeats(item: Comparison) -> str:
    return (
        f"{len(item.base.values)} and {len(item.new.values)} repeats, interval at "
        f"{words.confidence_text(item.confidence)}, baseline {item.base_arm}"
    )


def _profile_caveats(reports: list[CaseReport], sides: tuple[str, str]) -> Iterator[str]:
    for arm, report in zip(sides, reports, strict=True):
        said = (*(report.profile.caveats if report.profile else ()), report.profile_note)
        yield from (f"{arm}: {caveat}" for caveat in said if caveat)
