"""Where everything in a figure goes, in inches from its upper left corner; nothing is drawn here.

Two forms of one figure: the wide one is a row a bar with the numbers as columns beside it, the narrow one (for a phone)
has an arm's name and numbers above its bar and the comparison below.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fwdlab.render.panels import Bar, Group, Layout, Panel

VIRTUAL_NOTE = (
    "Virtual packets a second: the instructions of the code path, one a nanosecond. Not in them: caches, memory, "
    "locks between cores, NICs."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """Measures of a figure, in inches."""

    width: float
    bars_left: float
    bars_right: float
    above: float  # from the top of a bar's row to the middle of the bar
    row: float  # height of a bar's row
    note: float  # further height of a bar that is compared
    columns: bool  # numbers in columns beside the bars
    line_length: int  # characters of running text a line holds


WIDE = Form(width=7.6, bars_left=1.5, bars_right=4.35, above=0.11, row=0.22, note=0.0, columns=True, line_length=140)
NARROW = Form(
    width=3.6, bars_left=0.06, bars_right=3.54, above=0.26, row=0.36, note=0.16, columns=False, line_length=68
)

BAR_HEIGHT = 0.145
LINE = 0.145
_CHARACTER = 0.066  # mean width of one, inches
_NARROWEST_NAMES = 1.3
_LONGEST_NAME = 32
_TITLE = 0.2
_GROUP = 0.23
_PANEL = 0.3
_TICKS = 0.24
_GAP = 0.07


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedBar:
    """A bar and the height of its middle."""

    bar: Bar
    y: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedText:
    """A line of text and the height of its middle."""

    text: str
    y: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedPanel:
    """A panel: its axes from `top` to `bottom` with all that stands in it."""

    title: PlacedText
    top: float
    bottom: float
    limit: float  # right end of the axis, base units
    groups: tuple[PlacedText, ...]
    bars: tuple[PlacedBar, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """A whole figure."""

    form: Form
    height: float
    title: tuple[PlacedText, ...]
    notes: tuple[PlacedText, ...]
    head: float  # middle of the line with the columns' heads
    panels: tuple[PlacedPanel, ...]


def short(name: str) -> str:
    """A name as a figure has room for it: a very long one loses its middle."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


def plan(layout: Layout, form: Form, notes: tuple[str, ...]) -> Plan:
    """The figure's plan; `notes` are sentences below its title."""
    form = _with_room(form, layout) if form.columns else form
    title = _lines((layout.campaign.title,), form.line_length * 3 // 5, 0.14, _TITLE)
    y = title[-1].y + _TITLE
    small = _lines(notes, form.line_length, y, LINE)
    head = small[-1].y + 0.3 if form.columns else small[-1].y
    placed = tuple(_panels(layout, form, head + 0.06))
    return Plan(form=form, height=placed[-1].bottom + 0.52, title=title, notes=small, head=head, panels=placed)


def _with_room(form: Form, layout: Layout) -> Form:
    """The form with its bars as far right as the longest name of an arm needs."""
    longest = max(len(short(bar.arm)) for bar in layout.bars)
    return replace(form, bars_left=max(_NARROWEST_NAMES, 0.2 + longest * _CHARACTER))


def _lines(texts: tuple[str, ...], length: int, y: float, step: float) -> tuple[PlacedText, ...]:
    lines = [line for text in texts for line in textwrap.wrap(text, length, break_on_hyphens=False) or [""]]
    return tuple(PlacedText(text=line, y=y + place * step) for place, line in enumerate(lines))


def _panels(layout: Layout, form: Form, y: float) -> Iterator[PlacedPanel]:
    for panel in layout.panels:
        placed = _panel(panel, form, _limit(layout, panel.hardware), y)
        yield placed
        y = placed.bottom + _TICKS


def _panel(panel: Panel, form: Form, limit: float, y: float) -> PlacedPanel:
    title = PlacedText(text=panel.title, y=y + 0.19)
    top = y + (_PANEL if panel.title else _GAP)
    y = top
    labels: list[PlacedText] = []
    bars: list[PlacedBar] = []
    for group in panel.groups:
        y = _group(group, form, y, labels, bars)
    return PlacedPanel(title=title, top=top, bottom=y + _GAP / 2, limit=limit, groups=tuple(labels), bars=tuple(bars))


def _group(group: Group, form: Form, y: float, labels: list[PlacedText], bars: list[PlacedBar]) -> float:
    """Place one group from `y` on; gives back where it ends."""
    if group.label:
        labels.append(PlacedText(text=group.label, y=y + _GROUP * 0.6))
        y += _GROUP
    for bar in group.bars:
        bars.append(PlacedBar(bar=bar, y=y + form.above))
        y += form.row + (form.note if bar.comparison else 0.0)
    return y + _GAP


def _limit(layout: Layout, hardware: str) -> float:
    """Panels of one machine share an axis; those of different machines need not."""
    bars = [bar for panel in layout.panels if panel.hardware == hardware for g in panel.groups for bar in g.bars]
    return 1.05 * max((max(bar.sample.values) for bar in bars if bar.sample.values), default=1.0)
