"""The graph of loss curves: what was lost of each intended load, a line an arm, a dot a repeat.

The same curves give the same bytes, as in `graph.py`, whose themes and settings these are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from fwdlab.render.curves import ABOVE, BELOW, PANEL, CurvePanel, Curves, Line, curve_height
from fwdlab.render.graph import SMALL, TEXT, Theme, as_png, as_svg
from fwdlab.render.plan import short

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_STYLES = ("-", "--", ":", "-.")  # of lines of one colour


def curve_svg(curves: Curves, width: float, theme: Theme, colours: Mapping[str, str], unit: str) -> str:
    """The graph as SVG, so many inches wide."""
    return as_svg(lambda: _draw(curves, width, theme, colours, unit), theme)


def curve_png(curves: Curves, width: float, theme: Theme, colours: Mapping[str, str], unit: str) -> bytes:
    """The graph as PNG, 200 dots an inch."""
    return as_png(lambda: _draw(curves, width, theme, colours, unit), theme)


def _draw(curves: Curves, width: float, theme: Theme, colours: Mapping[str, str], unit: str) -> Figure:
    height = curve_height(curves)
    figure = Figure(figsize=(width, height))
    for place, panel in enumerate(curves.panels):
        top = height - place * (PANEL + BELOW + ABOVE) - ABOVE
        rect = (0.62 / width, (top - PANEL) / height, (width - 0.8) / width, PANEL / height)
        axes = figure.add_axes(rect, facecolor="none")
        _panel(axes, panel, theme, colours)
        _frame(axes, curves, theme)
        axes.set_xlabel(f"Intended load, {unit}", fontsize=SMALL, color=theme.ink)
        axes.set_ylabel("Loss ratio, %", fontsize=SMALL, color=theme.ink)
        axes.set_title(panel.title, fontsize=TEXT, color=theme.ink, loc="left", weight="bold")
    return figure


def _panel(axes: Axes, panel: CurvePanel, theme: Theme, colours: Mapping[str, str]) -> None:
    drawn: Counter[str] = Counter()
    for place, line in enumerate(panel.lines):
        colour = colours[line.arm]
        style = _STYLES[drawn[colour] % len(_STYLES)]
        _line(axes, line, (_MARKERS[place % len(_MARKERS)], style), colour, theme)
        drawn[colour] += 1
    legend = axes.legend(loc="upper left", fontsize=SMALL, frameon=False, labelcolor=theme.ink)
    legend.set_zorder(3)


def _line(axes: Axes, line: Line, look: tuple[str, str], colour: str, theme: Theme) -> None:
    marker, style = look
    loads = [point.intended_pps for point in line.points]
    axes.plot(
        loads,
        [point.loss * 100 for point in line.points],
        color=colour,
        marker=marker,
        linestyle=style,
        markersize=3.4,
        mec=theme.ink,
        mew=0.3,
        linewidth=1.1,
        clip_on=False,
        label=f"{short(line.arm)}, n {max(len(point.losses) for point in line.points)}",
    )
    dots = [(point.intended_pps, loss * 100) for point in line.points for loss in point.losses]
    axes.plot([x for x, _ in dots], [y for _, y in dots], ".", color=theme.ink, markersize=1.6, zorder=4, clip_on=False)


def _frame(axes: Axes, curves: Curves, theme: Theme) -> None:
    factor = curves.scale.factor
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0, top=max(1.0, axes.get_ylim()[1]))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / factor:g}"))
    axes.tick_params(length=2, width=0.5, pad=2, labelsize=SMALL, color=theme.muted, labelcolor=theme.muted)
    axes.grid(color=theme.grid, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(color=theme.muted, linewidth=0.6)
