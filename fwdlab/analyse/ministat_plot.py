"""ministat's picture in characters: a stack of symbols per value, and below it mean, median and deviation as bars."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_NO_SPAN = "[no plot, span is zero width]"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlotSet:
    """One set as the plot needs it."""

    values: tuple[float, ...]
    mean: float
    median: float
    deviation: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Axis:
    """Columns over values; the smallest value stands half a step inside the first column."""

    origin: float
    step: float
    width: int

    def column(self, value: float) -> int:
        return min(max(int((value - self.origin) / self.step), 0), self.width - 1)


def plot_lines(sets: Sequence[PlotSet], width: int, separate_bars: bool, symbols: str) -> list[str]:
    """The framed plot, line by line; one line that says so where all values are one."""
    axis = _axis(sets, width)
    if axis is None:
        return [_NO_SPAN]
    frame = f"+{'-' * width}+"
    stacks = ["".join(f" {symbols}"[cell] for cell in row) for row in reversed(_grid(sets, axis))]
    return [frame, *(f"|{row}|" for row in [*stacks, *_bars(sets, axis, separate_bars)]), frame]


def _axis(sets: Sequence[PlotSet], width: int) -> _Axis | None:
    reach = [
        end
        for item in sets
        for end in (*item.values, item.mean - item.deviation, item.mean + item.deviation)
        if not math.isnan(end)
    ]
    lowest, highest = min(reach), max(reach)
    step = (highest - lowest) / (width - 1.0)
    if step == 0 or not math.isfinite(step):
        return None
    return _Axis(origin=lowest - 0.5 * step, step=step, width=width)


def _grid(sets: Sequence[PlotSet], axis: _Axis) -> list[list[int]]:
    """Cells from the lowest row up; sets that meet in a cell are or-ed together into a third set's symbol.

    The height is that of the last set, and a set taller than the one before it clears the rows it adds: taller sets
    drawn earlier lose their tops. Ten years of archived pages look like this.
    """
    rows: list[list[int]] = []
    for mark, item in enumerate(sets, 1):
        stacks = Counter(axis.column(value) for value in item.values)
        tallest = max(stacks.values())
        rows = rows[:tallest] + [[0] * axis.width for _ in range(tallest - len(rows))]
        for column, height in stacks.items():
            for row in rows[:height]:
                row[column] |= mark
    return rows


def _bars(sets: Sequence[PlotSet], axis: _Axis, separate: bool) -> list[str]:
    bars = [[" "] * axis.width for _ in (sets if separate else sets[:1])]
    for index, item in enumerate(sets):
        _draw_bar(bars[index if separate else 0], item, axis)
    return ["".join(bar) for bar in bars]


def _draw_bar(bar: list[str], item: PlotSet, axis: _Axis) -> None:
    if not math.isnan(item.deviation):
        left, right = axis.column(item.mean - item.deviation), axis.column(item.mean + item.deviation)
        bar[left] = bar[right] = "|"
        for column in range(left + 1, right):
            if bar[column] == " ":
                bar[column] = "_"
    bar[axis.column(item.median)] = "M"
    bar[axis.column(item.mean)] = "A"
