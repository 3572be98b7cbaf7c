"""Loss curves as values: what was lost of each load, by case, in panels of cases that differ in their arm alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from fwdlab.analyse.gates import faults_of
from fwdlab.campaign import Campaign
from fwdlab.case import AXES
from fwdlab.records.model import Label, Record
from fwdlab.render.panels import shared_label
from fwdlab.units import Scale, common_scale

PANEL, BELOW, ABOVE = 2.1, 0.5, 0.3  # inches of the graph


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One load of a curve."""

    intended_pps: float  # median of the repeats, whose maximum may differ
    losses: tuple[float, ...]  # of each repeat, 0..1

    @property
    def loss(self) -> float:
        """Median of the repeats."""
        return median(self.losses)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """The curve of one arm."""

    arm: str
    names: tuple[str, ...]
    points: tuple[Point, ...]  # in the order of their loads


@dataclass(frozen=True, kw_only=True, slots=True)
class CurvePanel:
    """Curves that are compared with each other."""

    title: str  # empty where the campaign has one panel
    lines: tuple[Line, ...]  # in the order of the campaign's arms


@dataclass(frozen=True, kw_only=True, slots=True)
class Curves:
    """All loss curves of a campaign, with the one scale their loads share."""

    axis: str
    scale: Scale
    panels: tuple[CurvePanel, ...]


def curves_of(campaign: Campaign, records: Iterable[Record]) -> Curves | None:
    """The campaign's loss curves; None where it has none."""
    by_case: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        if record.label is Label.CURVE and not faults_of(record):
            by_case.setdefault(record.names, []).append(record)
    at = AXES.index(campaign.axis)
    panels: dict[tuple[str, ...], list[Line]] = {}
    for names in (member.names for member in campaign.members):
        if found := by_case.get(names):
            line = Line(arm=names[at], names=names, points=tuple(_points(found)))
            panels.setdefault((*names[:at], *names[at + 1 :]), []).append(line)
    if not panels:
        return None
    made = tuple(
        CurvePanel(title=shared_label(campaign, held), lines=tuple(_in_order(campaign, lines)))
        for held, lines in panels.items()
    )
    loads = [point.intended_pps for panel in made for line in panel.lines for point in line.points]
    return Curves(axis=campaign.axis, scale=common_scale(loads), panels=made)


def curve_height(curves: Curves) -> float:
    """Height of the graph in inches."""
    return len(curves.panels) * (PANEL + BELOW + ABOVE)


def curve_csv(curves: Curves) -> str:
    """The curves' data, one row a load of a case; loads in pps, losses as fractions."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*AXES, "intended_pps", "n", "median_loss", "losses"))
    for line in (line for panel in curves.panels for line in panel.lines):
        for point in line.points:
            losses = " ".join(f"{loss:.6g}" for loss in point.losses)
            writer.writerow((*line.names, f"{point.intended_pps:.0f}", len(point.losses), f"{point.loss:.6g}", losses))
    return out.getvalue()


def curve_text(curves: Curves, unit: str) -> str:
    """What the graph shows, for who cannot see it."""
    told = []
    for panel in curves.panels:
        for line in panel.lines:
            losses = ", ".join(
                f"{point.loss * 100:.3g} % at {curves.scale.number(point.intended_pps)}" for point in line.points
            )
            told.append(f"{' '.join(filter(None, (line.arm, panel.title)))}: {losses}")
    return f"Loss by intended load in {unit}. {'; '.join(told)}."


def _points(records: Sequence[Record]) -> Iterable[Point]:
    """The loads of a case's repeats, one after another; one at maximum load, or made again, is none of the curve."""
    series = [
        [item for item in record.searched.trials if item.intended_pps is not None and not item.fault]
        for record in records
        if record.searched
    ]
    for items in zip(*series, strict=False):
        yield Point(
            intended_pps=median(item.intended_pps or 0.0 for item in items),
            losses=tuple(item.loss_ratio for item in items),
        )


def _in_order(campaign: Campaign, lines: list[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: campaign.arms.index(line.arm))
