"""The graph of a campaign: bars from zero, every repeat on them, the difference and the verdict written beside.

The same campaign gives the same bytes: fixed salt, no date, no clock. Text stays text in the SVG.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator

from fwdlab.analyse.result import Verdict
from fwdlab.render import words
from fwdlab.render.panels import Bar, Layout
from fwdlab.render.plan import BAR_HEIGHT, PlacedBar, PlacedPanel, Plan, short

_DOTS_AT_MOST = 12
_PNG_DPI = 200
_SVG_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
SMALL, TEXT, _HEADING = 6.6, 7.4, 9.6  # points


@dataclass(frozen=True, kw_only=True, slots=True)
class Theme:
    """Inks of a figure; the arms' colours are the same in every theme."""

    ink: str
    muted: str
    grid: str
    halo: str  # around marks that lie on bars
    better: str
    worse: str
    background: str  # "none" lets the page show through


LIGHT = Theme(
    ink="#1f2328", muted="#59636e", grid="#d1d9e0", halo="#ffffff", better="#0a5ca8", worse="#a6400f", background="none"
)
DARK = Theme(
    ink="#e6e9ed", muted="#9ea7b1", grid="#3d444d", halo="#14171a", better="#79b8ff", worse="#ffa26b", background="none"
)
PAPER = Theme(
    ink="#1f2328",
    muted="#59636e",
    grid="#d1d9e0",
    halo="#ffffff",
    better="#0a5ca8",
    worse="#a6400f",
    background="#ffffff",
)

# Where the columns of the wide form end, in inches; the verdict's begins.
_MEDIAN, _COUNT, _DIFFERENCE, _INTERVAL, _VERDICT = 4.94, 5.16, 5.8, 6.96, 7.04


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """A figure being drawn, with what every part of it needs."""

    figure: Figure
    plan: Plan
    layout: Layout
    theme: Theme
    colours: Mapping[str, str]  # of each arm
    unit: str  # with its prefix, such as `virtual kpps`
    medians: Mapping[str, str]  # text of each bar's median, by `_bar_id`

    def write(self, x: float, y: float, text: str, **style: object) -> None:
        """Text at inches from the upper left corner, vertically centred."""
        style = {"fontsize": TEXT, "color": self.theme.ink, "va": "center", **style}
        self.figure.text(x / self.plan.form.width, 1 - y / self.plan.height, text, **style)  # type: ignore[arg-type]


def svg(layout: Layout, plan: Plan, theme: Theme, colours: Mapping[str, str], unit: str) -> str:
    """The graph as SVG."""
    return as_svg(lambda: _draw(layout, plan, theme, colours, unit), theme)


def png(layout: Layout, plan: Plan, theme: Theme, colours: Mapping[str, str], unit: str) -> bytes:
    """The graph as PNG, 200 dots an inch."""
    return as_png(lambda: _draw(layout, plan, theme, colours, unit), theme)


def as_svg(draw: Callable[[], Figure], theme: Theme) -> str:
    """A figure as SVG, drawn under the settings that make it repeat."""
    out = io.StringIO()
    with _settings():
        figure = draw()
        FigureCanvasSVG(figure)
        figure.savefig(out, format="svg", metadata=_SVG_METADATA, facecolor=theme.background)
    return out.getvalue()


def as_png(draw: Callable[[], Figure], theme: Theme) -> bytes:
    """A figure as PNG, 200 dots an inch, drawn under the same settings."""
    out = io.BytesIO()
    with _settings():
        figure = draw()
        FigureCanvasAgg(figure)
        figure.savefig(out, format="png", dpi=_PNG_DPI, metadata={"Software": None}, facecolor=theme.background)
    return out.getvalue()


def _settings() -> AbstractContextManager[None]:
    """What makes figures repeat to the byte, and keeps a `$` in a name from being read as mathematics."""
    return mpl.rc_context(
        {"svg.hashsalt": "fwdlab", "svg.fonttype": "none", "font.family": "DejaVu Sans", "text.parse_math": False}
    )


def _draw(layout: Layout, plan: Plan, theme: Theme, colours: Mapping[str, str], unit: str) -> Figure:
    figure = Figure(figsize=(plan.form.width, plan.height))
    texts = words.column([bar.median for bar in layout.bars], layout.scale, 4)
    medians = {_bar_id(bar): text for bar, text in zip(layout.bars, texts, strict=True)}
    picture = Picture(figure=figure, plan=plan, layout=layout, theme=theme, colours=colours, unit=unit, medians=medians)
    _heading(picture)
    for panel in plan.panels:
        _panel(picture, panel)
    picture.write(plan.form.bars_left, plan.height - 0.14, f"{layout.metric.label}, {unit}", fontsize=SMALL)
    return figure


def _bar_id(bar: Bar) -> str:
    return "\t".join(bar.sample.names)


def _heading(picture: Picture) -> None:
    plan, muted = picture.plan, picture.theme.muted
    for line in plan.title:
        picture.write(0.06, line.y, line.text, fontsize=_HEADING, weight="bold")
    for line in plan.notes:
        picture.write(0.06, line.y, line.text, fontsize=SMALL, color=muted)
    if plan.form.columns:
        confidence = {words.confidence_text(bar.comparison.confidence) for bar in picture.layout.bars if bar.comparison}
        heads = (
            (_MEDIAN, picture.unit.removeprefix("virtual "), "right"),
            (_COUNT, "n", "right"),
            (_DIFFERENCE, "difference", "right"),
            (_INTERVAL, f"{words.listed(sorted(confidence))} interval", "right"),
            (_VERDICT, "verdict", "left"),
        )
        for x, text, align in heads:
            picture.write(x, plan.head, text, fontsize=SMALL, color=muted, ha=align)


def _panel(picture: Picture, panel: PlacedPanel) -> None:
    form, height, theme = picture.plan.form, picture.plan.height, picture.theme
    if panel.title.text:
        picture.write(0.06, panel.title.y, panel.title.text, weight="bold", fontsize=TEXT + 0.6)
    for label in panel.groups:
        picture.write(0.06, label.y, label.text, style="italic")
    rect = (
        form.bars_left / form.width,
        1 - panel.bottom / height,
        (form.bars_right - form.bars_left) / form.width,
        (panel.bottom - panel.top) / height,
    )
    axes = picture.figure.add_axes(rect, facecolor="none")
    _frame(axes, picture, panel)
    for placed in panel.bars:
        _bar(axes, placed, picture.colours[placed.bar.arm], theme)
        if placed.bar.median is None:
            picture.write(form.bars_left + 0.06, placed.y, "no valid repeat", fontsize=SMALL, color=theme.muted)
        (_beside if form.columns else _around)(picture, placed)


def _frame(axes: Axes, picture: Picture, panel: PlacedPanel) -> None:
    theme, factor = picture.theme, picture.layout.scale.factor
    axes.set_xlim(0, panel.limit)
    axes.set_ylim(panel.bottom, panel.top)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / factor:g}"))
    axes.tick_params(axis="x", length=2, width=0.5, pad=2, labelsize=SMALL, color=theme.muted, labelcolor=theme.muted)
    axes.grid(axis="x", color=theme.grid, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(color=theme.muted, linewidth=0.6)


def _bar(axes: Axes, placed: PlacedBar, colour: str, theme: Theme) -> None:
    values, middle = placed.bar.sample.values, placed.bar.median
    if middle is None:
        return
    axes.barh(placed.y, middle, height=BAR_HEIGHT, color=colour, edgecolor=theme.ink, linewidth=0.4)
    ends, cap = (min(values), max(values)), BAR_HEIGHT * 0.3
    halo = [withStroke(linewidth=1.7, foreground=theme.halo)]  # marks stand on bar and ground alike
    axes.hlines(placed.y, *ends, color=theme.ink, linewidth=0.8, path_effects=halo)
    axes.vlines(ends, placed.y - cap, placed.y + cap, color=theme.ink, linewidth=0.8, path_effects=halo)
    if len(values) <= _DOTS_AT_MOST:
        step = BAR_HEIGHT * 0.8 / len(values)
        heights = [placed.y + (place - (len(values) - 1) / 2) * step for place in range(len(values))]
        axes.plot(values, heights, "o", color=theme.ink, mec=theme.halo, mew=0.25, markersize=1.9, clip_on=False)


def _verdict_style(verdict: Verdict, theme: Theme) -> dict[str, object]:
    inks = {Verdict.BETTER: theme.better, Verdict.WORSE: theme.worse, Verdict.SAME: theme.ink}
    return {"color": inks.get(verdict, theme.muted), "weight": "bold" if verdict in inks else "normal"}


def _beside(picture: Picture, placed: PlacedBar) -> None:
    """The wide form: name left of the bar, numbers in columns right of it."""
    bar, y, theme = placed.bar, placed.y, picture.theme
    picture.write(picture.plan.form.bars_left - 0.08, y, short(bar.arm), ha="right")
    picture.write(_MEDIAN, y, picture.medians[_bar_id(bar)], ha="right")
    picture.write(_COUNT, y, str(len(bar.sample.values)), ha="right", color=theme.muted)
    if bar.comparison is None:
        picture.write(_DIFFERENCE, y, "baseline", ha="right", color=theme.muted)
        return
    picture.write(_DIFFERENCE, y, words.difference(bar.comparison), ha="right")
    picture.write(_INTERVAL, y, words.interval(bar.comparison), ha="right", color=theme.muted, fontsize=SMALL)
    picture.write(_VERDICT, y, bar.comparison.verdict, ha="left", **_verdict_style(bar.comparison.verdict, theme))


def _around(picture: Picture, placed: PlacedBar) -> None:
    """The narrow form: name and median above the bar, the comparison below it."""
    bar, form, theme = placed.bar, picture.plan.form, picture.theme
    above, below = placed.y - BAR_HEIGHT / 2 - 0.085, placed.y + BAR_HEIGHT / 2 + 0.09
    picture.write(form.bars_left + 0.02, above, short(bar.arm))
    count = f"{picture.medians[_bar_id(bar)]} {picture.unit.removeprefix('virtual ')}, n {len(bar.sample.values)}"
    picture.write(form.bars_right, above, count, ha="right", color=theme.muted)
    if bar.comparison is not None:
        style = _verdict_style(bar.comparison.verdict, theme)
        text = words.verdict_text(bar.comparison)
        picture.write(form.bars_left + 0.02, below, text, **{**style, "weight": "normal"})
