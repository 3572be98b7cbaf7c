"""The functions whose own cost changed most, as a table: every text as it will stand there."""

from __future__ import annotations

from dataclasses import dataclass

from fwdlab.analyse.sampling import CORRECTION, margins, proven
from fwdlab.profiles.diff import Difference, Unit
from fwdlab.render import words
from fwdlab.render.flame_diff import counted, decimals_of, drawn, unit_text

MOST = 10  # functions in a table


@dataclass(frozen=True, kw_only=True, slots=True)
class MoverView:
    """One function."""

    name: str
    change: str  # with half its interval
    base: str
    new: str
    share: str  # of the whole cost, on both sides
    moved: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MoversView:
    """The table."""

    base: str
    new: str
    note: str
    rows: tuple[MoverView, ...]


def movers_view(difference: Difference, names: tuple[str, str], confidence: float) -> MoversView:
    """The functions that moved most, the largest change first; `names` of base and new."""
    functions = difference.functions
    base = counted(difference.base, [item.base for item in functions])
    new = counted(difference.new, [item.new for item in functions])
    columns = (base.costs, new.costs, margins(base, new, confidence), proven(base, new, confidence))
    figures = zip(functions[:MOST], *(column.tolist() for column in columns), strict=False)
    return MoversView(
        base=names[0],
        new=names[1],
        note=_note(difference, confidence),
        rows=tuple(
            MoverView(
                name=item.name,
                change=f"{_signed(difference, fresh - old)} \N{PLUS-MINUS SIGN} {_text(difference, margin)}",
                base=_text(difference, old),
                new=_text(difference, fresh),
                share=_shares(difference, old, fresh),
                moved="moved" if sure else "within noise",
            )
            for item, old, fresh, margin, sure in figures
        ),
    )


def _note(difference: Difference, confidence: float) -> str:
    count = len(difference.functions)
    return (
        f"{min(MOST, count)} of {count} functions, in {unit_text(difference)}, without what they called. "
        f"Moved: more than sampling noise at {words.confidence_text(confidence)}, corrected over all of them "
        f"({CORRECTION}); intervals are each change's own, at that level"
    )


def _text(difference: Difference, cost: float) -> str:
    return f"{drawn(difference, cost):.{decimals_of(difference)}f}"


def _signed(difference: Difference, change: float) -> str:
    text = _text(difference, abs(change))
    return text if float(text) == 0 else f"{words.MINUS if change < 0 else '+'}{text}"


def _shares(difference: Difference, base: float, new: float) -> str:
    """Empty where costs are shares already."""
    if difference.unit is Unit.SHARE:
        return ""
    old, young = 100 * base / difference.base.cost, 100 * new / difference.new.cost
    return f"{old:.1f} \N{RIGHTWARDS ARROW} {young:.1f} %"
