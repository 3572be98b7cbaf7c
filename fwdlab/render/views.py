"""Pages as values: every text, link and number as it will stand there, so that templates only lay out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fwdlab.analyse.result import Comparison
from fwdlab.profiles.folded import Profile, counted
from fwdlab.profiles.idle import idle_reason
from fwdlab.render import findings, names, words
from fwdlab.render.curves import curve_height, curve_text
from fwdlab.render.differences import WentView, difference_href, went_views
from fwdlab.render.figures import curve_unit, notes, unit_of
from fwdlab.render.model import CampaignPage, CaseReport, Earlier, GateReport, MinistatBlock, Pair
from fwdlab.render.names import LinkView
from fwdlab.render.panels import Layout
from fwdlab.render.plan import WIDE, plan
from fwdlab.units import duration_text

_CSS_PIXELS = 96  # an inch
_DOT = " \N{MIDDLE DOT} "


@dataclass(frozen=True, kw_only=True, slots=True)
class RowView:
    """One comparison in the synthesis table."""

    subject: str
    arm: str
    base: str
    new: str
    count: str
    difference: str
    went: str  # its differential flame graph; empty where there is none
    interval: str
    verdict: str
    p_value: str
    mde: str
    threshold: str
    noise_floor: str
    test: str
    caveats: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingView:
    """One line of the findings."""

    label: str
    value: str
    went: tuple[LinkView, ...]  # where its proven differences went


@dataclass(frozen=True, kw_only=True, slots=True)
class FileView:
    """A raw file for download."""

    name: str
    href: str
    size: str
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseView:
    """One case: how it came about and what it left."""

    title: str
    command: str
    provenance: tuple[Pair, ...]
    files: tuple[FileView, ...]
    total: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FaultView:
    """A trial, a case or an attempt with what was wrong."""

    subject: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GateView:
    """One validity gate and how many passed it."""

    name: str
    asks: str
    passed: str
    untold: str  # empty where every one could be checked
    faults: tuple[FaultView, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class GraphView:
    """The graph and its files."""

    folder: str
    alt: str
    notes: tuple[str, ...]
    width: int  # of the wide form, CSS pixels
    height: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CampaignView:
    """A campaign's page."""

    title: str
    question: str
    measured: str
    virtual: bool
    baseline: str
    headline: str
    summary: tuple[FindingView, ...]
    conditions: tuple[Pair, ...]
    graph: GraphView
    curve: GraphView | None  # loss curves, where there are any
    unit: str
    confidence: str
    correction: str
    noise: str
    rows: tuple[RowView, ...]
    tests: str  # the one test all rows share, by name; empty where they differ and each row names its own
    threshold: str  # the one all rows share; empty where they differ
    doubts: bool  # any row has a caveat
    went: tuple[WentView, ...]  # a proven difference each
    ministat: tuple[MinistatBlock, ...]
    flames: tuple[LinkView, ...]
    no_flames: tuple[Pair, ...]
    valid: str
    gates: tuple[GateView, ...]
    failed: tuple[FaultView, ...]
    cases: tuple[CaseView, ...]
    command: str
    spent: tuple[Pair, ...]
    earlier: Earlier | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CardView:
    """A campaign on the home page."""

    title: str
    href: str
    question: str
    measured: str
    virtual: bool
    headline: str
    summary: tuple[Pair, ...]


def card_view(page: CampaignPage) -> CardView:
    """The campaign as the home page tells it."""
    campaign = page.result.campaign
    return CardView(
        title=campaign.title,
        href=names.campaign_page(campaign.name),
        question=campaign.question,
        measured=page.measured,
        virtual=page.virtual,
        headline=findings.headline(page.result),
        summary=findings.summary(page.result),
    )


def campaign_view(page: CampaignPage, layout: Layout) -> CampaignView:
    """The campaign's own page."""
    campaign, rows = page.result.campaign, _rows(page, layout)
    levels = sorted({words.confidence_text(item.confidence) for item in page.result.comparisons})
    return CampaignView(
        title=campaign.title,
        question=campaign.question,
        measured=page.measured,
        virtual=page.virtual,
        baseline=campaign.baseline,
        headline=findings.headline(page.result),
        summary=_findings(page),
        conditions=page.conditions,
        graph=_graph(page, layout),
        curve=_curve(page),
        unit=unit_of(page, layout),
        confidence=words.listed(levels),
        correction=page.result.correction,
        noise=_noise(page),
        rows=rows,
        tests=_shared([row.test for row in rows]),
        threshold=_shared([row.threshold for row in rows]),
        doubts=any(row.caveats for row in rows),
        went=went_views(page),
        ministat=page.ministat,
        flames=tuple(_flame(item) for item in page.cases if item.profile),
        no_flames=tuple(
            Pair(label=_title(item), value=item.profile_note) for item in page.cases if item.profile is None
        ),
        valid=_valid(page),
        gates=tuple(_gate(item) for item in page.gates),
        failed=tuple(
            FaultView(subject=_subject(report.names, item.attempt), reason=item.reason)
            for report in page.cases
            for item in report.failed
        ),
        cases=tuple(_case(item) for item in page.cases),
        command=page.command,
        spent=tuple(Pair(label=item.label, value=duration_text(item.seconds)) for item in page.spent),
        earlier=page.earlier,
    )


def _findings(page: CampaignPage) -> tuple[FindingView, ...]:
    groups = findings.groups(page.result)
    return tuple(
        FindingView(
            label=pair.label,
            value=pair.value,
            went=tuple(
                LinkView(text=findings.panel(page.result, item), href=href, detail="")
                for item in items
                if (href := difference_href(page, item))
            ),
        )
        for pair, items in zip(findings.summary(page.result), groups.values(), strict=True)
    )


def _rows(page: CampaignPage, layout: Layout) -> tuple[RowView, ...]:
    medians = {bar.sample.names: bar.median for bar in layout.bars}
    items = page.result.comparisons
    sides = [medians.get(sample.names) for item in items for sample in (item.base, item.new)]
    texts = words.column(sides, layout.scale, 5)
    return tuple(
        _row(page, item, texts[2 * place], texts[2 * place + 1]) for place, item in enumerate(page.result.comparisons)
    )


def _shared(texts: Sequence[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else ""


def _row(page: CampaignPage, item: Comparison, base: str, new: str) -> RowView:
    floor = words.UNMEASURED if item.noise_floor is None else words.plain_percent(item.noise_floor)
    return RowView(
        subject=findings.subject(page.result, item),
        arm=item.new_arm,
        base=base,
        new=new,
        count=f"{len(item.base.values)}/{len(item.new.values)}",
        difference=words.difference(item),
        went=difference_href(page, item),
        interval=words.interval(item),
        verdict=str(item.verdict),
        p_value=words.p_text(item.p_value),
        mde=words.plain_percent(item.mde),
        threshold=words.plain_percent(item.threshold),
        noise_floor=floor,
        test=item.test,
        caveats=item.caveats,
    )


def _graph(page: CampaignPage, layout: Layout) -> GraphView:
    height = plan(layout, WIDE, notes(page)).height
    return GraphView(
        folder=names.campaign_folder(page.result.campaign.name),
        alt=findings.alt_text(page.result, unit_of(page, layout)),
        notes=notes(page),
        width=round(WIDE.width * _CSS_PIXELS),
        height=round(height * _CSS_PIXELS),
    )


def _curve(page: CampaignPage) -> GraphView | None:
    if page.curves is None:
        return None
    return GraphView(
        folder=names.campaign_folder(page.result.campaign.name),
        alt=curve_text(page.curves, curve_unit(page, page.curves)),
        notes=(),
        width=round(WIDE.width * _CSS_PIXELS),
        height=round(curve_height(page.curves) * _CSS_PIXELS),
    )


def _noise(page: CampaignPage) -> str:
    if page.noise_source:
        return page.noise_source
    return (
        "The noise floor of these machines is unmeasured: no run compared a case with itself. 'fwdlab aa' measures it; "
        "until then the practical threshold alone guards against small false findings."
    )


def _flame(report: CaseReport) -> LinkView:
    return LinkView(text=_title(report), href=f"{names.flame_stem(report)}.html", detail=_profiled(report.profile))


def _profiled(profile: Profile | None) -> str:
    if profile is None:
        return ""
    said = f"{counted(profile.samples, 'sample')}, {words.percent(profile.idle_share, 1, signed=False)} idle"
    return f"{said}: it says nothing about the DUT" if idle_reason(profile) else said


def _valid(page: CampaignPage) -> str:
    kept = sum(len(sample.values) for sample in page.result.samples)
    left_out = len(
        {(fault.names, fault.trial) for gate in page.gates if gate.unit == "trials" for fault in gate.faults}
    )
    attempts = sum(len(report.failed) for report in page.cases)
    empty = "; ".join(_title(report) for report in _without_repeat(page))
    said = [
        f"{kept} of {kept + left_out} trials are valid.",
        f"{left_out} {'is' if left_out == 1 else 'are'} left out." if left_out else "",
        f"{attempts} {'attempt' if attempts == 1 else 'attempts'} did not end well." if attempts else "",
        f"Without a valid repeat: {empty}." if empty else "",
    ]
    return " ".join(filter(None, said))


def _without_repeat(page: CampaignPage) -> list[CaseReport]:
    return [report for report, sample in zip(page.cases, page.result.samples, strict=True) if not sample.values]


def _gate(report: GateReport) -> GateView:
    checked = report.passed + len(report.faults)
    return GateView(
        name=report.name,
        asks=report.asks,
        passed=f"{report.passed} of {checked} {report.unit}" if checked else words.NOTHING,
        untold=f"{report.untold} not checked" if report.untold else "",
        faults=tuple(
            FaultView(subject=_subject(fault.names, fault.trial), reason=fault.reason) for fault in report.faults
        ),
    )


def _subject(names: tuple[str, ...], part: str) -> str:
    return _DOT.join(filter(None, (*names, part)))


def _case(report: CaseReport) -> CaseView:
    files = tuple(
        FileView(
            name=names.file_name(item),
            href=quote(names.download_path(item)),
            size=words.file_size(item.size),
            sha256=item.sha256,
        )
        for item in report.downloads
    )
    total = words.file_size(sum(item.size for item in report.downloads))
    return CaseView(
        title=_title(report),
        command=report.command,
        provenance=report.provenance,
        files=files,
        total=f"{len(files)} {'file' if len(files) == 1 else 'files'}, {total}",
    )


def _title(report: CaseReport) -> str:
    return _DOT.join(report.names)
