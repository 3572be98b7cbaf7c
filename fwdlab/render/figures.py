"""The files of a campaign's graph: wide and narrow, light and dark, a picture for other media, and its data."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from fwdlab.case import AXES
from fwdlab.render.colours import Arm
from fwdlab.render.curves import Curves, curve_csv
from fwdlab.render.drawn import NOT_KEPT, Drawings
from fwdlab.render.model import CampaignPage
from fwdlab.render.panels import Bar, Layout
from fwdlab.render.plan import NARROW, VIRTUAL_NOTE, WIDE, Plan, plan

_COMPARED = ("base_arm", "difference", "low", "high", "confidence", "p_value", "verdict")


def figure_files(
    page: CampaignPage, layout: Layout, colours: Mapping[Arm, str], drawings: Drawings = NOT_KEPT
) -> dict[str, bytes]:
    """Every file of the graph by its name; the same campaign gives the same bytes."""
    arms = {arm: colours[layout.campaign.axis, arm] for arm in layout.campaign.arms}
    unit = unit_of(page, layout)
    wide, narrow = (plan(layout, form, notes(page)) for form in (WIDE, NARROW))
    drawn = drawings.files((layout, wide, narrow, arms, unit), lambda: _drawn(layout, wide, narrow, arms, unit))
    return {**drawn, "graph.csv": csv_text(layout).encode(), **_curve_files(page, arms, drawings)}


def _curve_files(page: CampaignPage, arms: Mapping[str, str], drawings: Drawings) -> dict[str, bytes]:
    curves = page.curves
    if curves is None:
        return {}
    unit = curve_unit(page, curves)
    drawn = drawings.files((curves, arms, unit), lambda: _drawn_curves(curves, arms, unit))
    return {**drawn, "curve.csv": curve_csv(curves).encode()}


def _drawn_curves(curves: Curves, arms: Mapping[str, str], unit: str) -> dict[str, bytes]:
    from fwdlab.render import curve_graph, graph  # noqa: PLC0415 - as above

    forms = {
        "curve.svg": (WIDE, graph.LIGHT),
        "curve-dark.svg": (WIDE, graph.DARK),
        "curve-narrow.svg": (NARROW, graph.LIGHT),
        "curve-narrow-dark.svg": (NARROW, graph.DARK),
    }
    files = {
        name: curve_graph.curve_svg(curves, form.width, theme, arms, unit).encode()
        for name, (form, theme) in forms.items()
    }
    return {**files, "curve.png": curve_graph.curve_png(curves, WIDE.width, graph.PAPER, arms, unit)}


def curve_unit(page: CampaignPage, curves: Curves) -> str:
    """The unit of the curves' loads with its prefix, such as `virtual kpps`."""
    return f"{'virtual ' if page.virtual else ''}{curves.scale.prefix}pps"


def _drawn(layout: Layout, wide: Plan, narrow: Plan, arms: Mapping[str, str], unit: str) -> dict[str, bytes]:
    from fwdlab.render import graph  # noqa: PLC0415 - matplotlib is slow to import, and most figures were drawn before

    drawings = {
        "graph.svg": (wide, graph.LIGHT),
        "graph-dark.svg": (wide, graph.DARK),
        "graph-narrow.svg": (narrow, graph.LIGHT),
        "graph-narrow-dark.svg": (narrow, graph.DARK),
    }
    files = {name: graph.svg(layout, form, theme, arms, unit).encode() for name, (form, theme) in drawings.items()}
    return {**files, "graph.png": graph.png(layout, wide, graph.PAPER, arms, unit)}


def unit_of(page: CampaignPage, layout: Layout) -> str:
    """The unit of the campaign's figures with its prefix, such as `virtual kpps`."""
    unit = f"{layout.scale.prefix}{layout.metric.unit}"
    return f"virtual {unit}" if page.virtual else unit


def notes(page: CampaignPage) -> tuple[str, ...]:
    """How to read the graph, in sentences."""
    legend = (
        "Bars from zero: median of the repeats. Whiskers: minimum to maximum. Dots: every repeat. "
        f"Differences are of the means, against {page.result.campaign.baseline}."
    )
    goals = dict.fromkeys(f"{sample.method}." for sample in page.result.samples if sample.goal)
    return (legend, *goals, *((VIRTUAL_NOTE,) if page.virtual else ()))


def csv_text(layout: Layout) -> str:
    """The graph's data, one row a bar; rates in base units, differences as fractions."""
    unit = layout.metric.unit
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    measured = ("metric", "n", f"min_{unit}", f"median_{unit}", f"max_{unit}", f"values_{unit}")
    writer.writerow((*AXES, *measured, *_COMPARED))
    writer.writerows((*bar.sample.names, *_measured(bar), *_compared(bar)) for bar in layout.bars)
    return out.getvalue()


def _measured(bar: Bar) -> Iterator[str]:
    values = bar.sample.values
    yield bar.sample.metric
    yield str(len(values))
    yield from (repr(end) for end in (min(values), bar.median, max(values))) if values else ("", "", "")
    yield " ".join(map(repr, values))


def _compared(bar: Bar) -> Iterator[str]:
    found = bar.comparison
    if found is None:
        yield from ("" for _ in _COMPARED)
        return
    yield found.base_arm
    for number in (found.delta, found.low, found.high, found.confidence, found.p_value):
        yield "" if number is None else f"{number:.6g}"
    yield found.verdict
