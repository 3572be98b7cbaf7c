"""A campaign in one sentence: `pf: -1.41 % +/- 0.98 %, worse; forwarding: same within 1 %`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fwdlab.analyse.result import Comparison, Verdict
from fwdlab.analyse.words import effect_text, percent, repeats_text


def synthesis(comparisons: Sequence[Comparison]) -> str:
    """Every comparison by what tells it from the others, and what it says."""
    titles = titles_of(comparisons)
    return "; ".join(f"{title}: {outcome(item)}" for title, item in zip(titles, comparisons, strict=True))


def titles_of(comparisons: Sequence[Comparison]) -> list[str]:
    """The shortest telling names: those that differ between comparisons, and the new arm where there are several."""
    columns = list(zip(*(item.names for item in comparisons), strict=True))
    telling = [place for place, column in enumerate(columns) if len(set(column)) > 1]
    several_arms = len({item.new_arm for item in comparisons}) > 1 or not telling
    return [
        " ".join([*(item.names[place] for place in telling), *([item.new_arm] if several_arms else [])])
        for item in comparisons
    ]


def outcome(comparison: Comparison) -> str:
    """What one comparison says, with its figure."""
    match comparison.verdict:
        case Verdict.BETTER | Verdict.WORSE:
            return f"{_effect(comparison)}, {comparison.verdict}"
        case Verdict.SAME:
            return f"same within {percent(comparison.threshold)}"
        case Verdict.UNPROVEN:
            return f"{_effect(comparison)}, unproven ({_resolution(comparison)})"
        case Verdict.INVALID:
            return ", ".join((str(Verdict.INVALID), *comparison.caveats[:1]))
        case _:
            assert_never(comparison.verdict)


def _effect(comparison: Comparison) -> str:
    if comparison.delta is None:
        return "no figure"
    return effect_text(comparison.delta, comparison.low, comparison.high)


def _resolution(comparison: Comparison) -> str:
    repeats = repeats_text(len(comparison.base.values), len(comparison.new.values))
    return f"{repeats} resolve {percent(comparison.mde)}" if comparison.mde is not None else repeats
