"""Differential flame graphs: two profiles as the tree the browser draws, each box with the shade of its change."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fwdlab.analyse.sampling import CORRECTION, Counted, proven
from fwdlab.profiles.diff import Difference, Side, Unit
from fwdlab.render import words
from fwdlab.render.tree_text import parsed, tree_text

_STEPS = (1.1, 2.0)  # times as much, or as little, from which a change has a stronger shade
_NAMED = 4  # functions
_COLOURS = {  # after C. Brewer's RdBu, which the colour-blind can tell apart; dark text can be read on each
    -3: "#4393c3",
    -2: "#92c5de",
    -1: "#d1e5f0",
    0: "#d9d9d9",
    1: "#fddbc7",
    2: "#f4a582",
    3: "#d6604d",
}


def sides_text(difference: Difference, names: tuple[str, str]) -> str:
    """What is held against each other: samples, event and cost of both sides."""
    sides = difference.base, difference.new
    events = dict.fromkeys(side.event for side in sides if side.event)
    counts = " and ".join(f"{side.samples} in {name}" for side, name in zip(sides, names, strict=True))
    samples = f"Samples{''.join(f' of {event}' for event in events) or ', as far as weights tell'}: {counts}."
    if difference.unit is Unit.SHARE:
        return (
            f"{samples} What a packet costs is not known here, so shares of each side's samples are compared: where "
            "one function grows, all others shrink."
        )
    costs = (f"{side.cost:.{decimals_of(difference)}f} in {name}" for side, name in zip(sides, names, strict=True))
    return f"{samples} Cost in {difference.unit}: {' and '.join(costs)}."


def reading_text(difference: Difference, names: tuple[str, str], confidence: float) -> str:
    """How the graph is read."""
    return (
        "A box is a function and stands on the one that called it. It is as wide as what it costs on one side, with "
        "all that it calls; what that side lacks is hatched, and as wide as it is on the other. Red costs more in "
        f"{names[1]} than in {names[0]}, blue less. Grey is within sampling noise: not proven at "
        f"{words.confidence_text(confidence)}, corrected over all {len(difference.tree.names)} boxes ({CORRECTION})."
    )


def passing_texts(difference: Difference, names: tuple[str, str]) -> tuple[str, ...]:
    """What was taken out of the stacks, where anything was."""
    taken = zip(names, (difference.base_passing, difference.new_passing), strict=True)
    return tuple(
        f"only {name} has {words.listed(_first(functions))}: taken out of the stacks where they only pass on, so that "
        "what they call can be compared"
        for name, functions in taken
        if functions
    )


def _first(functions: Sequence[str]) -> Sequence[str]:
    rest = len(functions) - _NAMED
    return functions if rest <= 1 else (*functions[:_NAMED], f"{rest} more")


def counted(side: Side, weights: Sequence[int]) -> Counted:
    """So many weights of a profile as samples of it."""
    hits = np.array(weights, dtype=float) * (side.samples / side.weight)
    return Counted(hits=hits, samples=side.samples, cost=side.cost)


def decimals_of(difference: Difference) -> int:
    """Decimals that a cost is written with: four digits of all of it, and hundredths of a per cent."""
    if difference.unit is Unit.SHARE:
        return 2
    return max(0, 3 - math.floor(math.log10(max(difference.base.cost, difference.new.cost))))


def unit_text(difference: Difference) -> str:
    """The unit as it stands behind a number, such as `instructions a packet`."""
    return "% of all samples" if difference.unit is Unit.SHARE else str(difference.unit)


def drawn(difference: Difference, cost: float) -> float:
    """A cost as a number of that unit."""
    return 100 * cost if difference.unit is Unit.SHARE else cost


def shades(base: Counted, new: Counted, confidence: float) -> NDArray[np.int_]:
    """From -3, at most half as much, over 0, which is within sampling noise, to 3, at least twice as much."""
    low, high = np.minimum(base.costs, new.costs), np.maximum(base.costs, new.costs)
    steps = 1 + sum((high >= step * low).astype(int) for step in _STEPS)
    return np.where(proven(base, new, confidence), steps * np.sign(new.costs - base.costs).astype(int), 0)


def difference_script(difference: Difference, names: tuple[str, str], confidence: float) -> str:
    """A script that hands tree, sides and legend to the page; it may be read from disk, where pages cannot fetch."""
    base, new = difference.tree.weights
    codes = shades(counted(difference.base, base), counted(difference.new, new), confidence)
    values = (
        f'"b":{weight},"v":{fresh},"k":{code}' for weight, fresh, code in zip(base, new, codes.tolist(), strict=True)
    )
    told = {
        "base": _side(difference, difference.base, names[0]),
        "new": _side(difference, difference.new, names[1]),
        "unit": unit_text(difference),
        "decimals": decimals_of(difference),
        "colours": {str(code): colour for code, colour in _COLOURS.items()},
        "noise": _noise(confidence),
        "legend": _legend(names, confidence),
    }
    tree = parsed(tree_text(difference.tree, values))
    sides = json.dumps(told, sort_keys=True).replace("<", "\\u003c")
    return f"window.fwdlabFlame = {tree};\nwindow.fwdlabDifference = {sides};\n"


def _side(difference: Difference, side: Side, name: str) -> dict[str, object]:
    return {"name": name, "samples": side.samples, "weight": side.weight, "cost": drawn(difference, side.cost)}


def _legend(names: tuple[str, str], confidence: float) -> list[dict[str, object]]:
    low, high = (f"{step:g}" for step in _STEPS)
    labels = {
        -3: f"less: \N{DIVISION SIGN} {high} or more",
        -2: f"\N{DIVISION SIGN} {low} to {high}",
        -1: f"\N{DIVISION SIGN} under {low}",
        0: _noise(confidence),
        1: f"more: \N{MULTIPLICATION SIGN} under {low}",
        2: f"\N{MULTIPLICATION SIGN} {low} to {high}",
        3: f"\N{MULTIPLICATION SIGN} {high} or more",
    }
    shown = [{"label": label, "colour": _COLOURS[code], "hatched": False} for code, label in labels.items()]
    alone = f"only in {names[0]} or only in {names[1]}, as wide as it is there"
    return [*shown, {"label": alone, "colour": _COLOURS[0], "hatched": True}]


def _noise(confidence: float) -> str:
    return f"within sampling noise ({words.confidence_text(confidence)})"
