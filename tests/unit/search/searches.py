"""Searches against DUTs that are a function."""

from __future__ import annotations

from collections.abc import Callable

from fwdlab.search.bounds import Tried
from fwdlab.search.goal import Program
from fwdlab.search.steps import next_step

Dut = Callable[[int], float]  # from a load to what comes through of it


def searched(program: Program, dut: Dut, maximum: float) -> list[Tried]:
    """The trials of a search to its end; at maximum load `maximum` comes through."""
    trials: list[Tried] = []
    while (step := next_step(program, trials)) is not None:
        came = maximum if step.load is None else min(dut(step.load), step.load)
        loss = 0.0 if step.load is None else 1 - came / step.load
        trials.append(Tried(load=step.load, duration_s=step.duration_s, forwarded_pps=came, loss=loss))
    return trials


def knee(most: float) -> Dut:
    """A DUT that forwards everything up to a rate, and that rate above it."""
    return lambda load: min(load, most)
