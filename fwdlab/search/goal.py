"""What a repeat of several trials looks for, as values and as the text that a case carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from fwdlab.search.connections import (
    Connections,
    Measure,
    connections_text,
    connections_words,
    parse_connections,
)

CURVE = "curve"  # the load of a case that is offered several


class Search(StrEnum):
    """A rate that is searched for, by its name in the matrix."""

    THROUGHPUT = "throughput"  # RFC 2544, section 26.1: no frame lost in one trial
    NDR = "ndr"  # MLRsearch (RFC 9971) with a loss goal of zero
    PDR = "pdr"  # MLRsearch with another loss goal


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
    """A search goal of MLRsearch (RFC 9971, section 4.5)."""

    search: Search
    loss: float  # most loss ratio of a low-loss trial
    width: float  # most relative difference between the bounds
    initial_s: float  # shortest trial
    final_s: float  # trial that is not short
    sum_s: float  # of trials at one load
    exceed: float  # share of them that may lose more
    trials: int  # most trials; a search that has made so many ends without a regular result
    most: int | None = None  # packets a second that the link carries, of the machine and not of what is asked


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """Loads to offer one after another."""

    loads: tuple[float, ...]  # rising; packets a second, or shares of what came through at maximum load
    shares: bool
    final_s: float


Program = Goal | Curve | Connections

USUAL = Goal(search=Search.NDR, loss=0.0, width=0.005, initial_s=1, final_s=1, sum_s=1, exceed=0.5, trials=60)
USUAL_LOSS = 0.005  # of PDR, as csit has it


def usual_goal(search: Search) -> Goal:
    """The goal of a search of which nothing but its name is said."""
    exceed = 0.0 if search is Search.THROUGHPUT else USUAL.exceed
    return replace(USUAL, search=search, exceed=exceed, loss=USUAL_LOSS if search is Search.PDR else 0.0)


def program_text(program: Program) -> str:
    """The program as `key=value` words, the text of a case's `traffic.goal`."""
    if isinstance(program, Curve):
        unit = "%" if program.shares else ""
        loads = ",".join(f"{load * (100 if program.shares else 1):.9g}{unit}" for load in program.loads)
        return f"loads={loads} final_s={program.final_s:g}"
    if isinstance(program, Connections):
        return connections_text(program)
    numbers = {key: value for key, value in asdict(program).items() if key not in ("search", "most")}
    return " ".join(f"{key}={value:.9g}" for key, value in numbers.items())


def parse_program(load: str, text: str) -> Program:
    """The program of a case's load and goal; ValueError where they are none."""
    words: Mapping[str, str] = dict(_pair(word) for word in text.split())
    if load == CURVE:
        return _curve(words)
    if load in list(Measure):
        return parse_connections(load, words)
    numbers = {key: float(words[key]) for key in ("loss", "width", "initial_s", "final_s", "sum_s", "exceed")}
    return Goal(search=Search(load), trials=int(words["trials"]), most=None, **numbers)


def _pair(word: str) -> tuple[str, str]:
    key, _, value = word.partition("=")
    return key, value


def _curve(words: Mapping[str, str]) -> Curve:
    loads = words["loads"].split(",")
    shares = loads[0].endswith("%")
    numbers = tuple(float(load.removesuffix("%")) / (100 if shares else 1) for load in loads)
    return Curve(loads=numbers, shares=shares, final_s=float(words["final_s"]))


def goal_words(program: Program) -> str:
    """The program for people, short enough for an axis or a condition."""
    if isinstance(program, Curve):
        times = f"trials of {program.final_s:g} s"
        if program.shares:
            loads = ", ".join(f"{load * 100:g} %" for load in program.loads)
            return f"at {loads} of what comes through at maximum load, {times}"
        return f"at {', '.join(f'{load:.0f}' for load in program.loads)} pps, {times}"
    if isinstance(program, Connections):
        return connections_words(program)
    lengths = dict.fromkeys((program.initial_s, program.final_s))
    return (
        f"loss goal {program.loss * 100:g} %, width {program.width * 100:g} %, "
        f"trials of {' and '.join(f'{length:g}' for length in lengths)} s, {program.sum_s:g} s a load, "
        f"exceed ratio {program.exceed * 100:g} %"
    )
