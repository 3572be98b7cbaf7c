"""A generator's log as values: what it said of each second, and every trouble it told of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class End(StrEnum):
    """Which end of the traffic a log is of."""

    SENDER = "sender"
    RECEIVER = "receiver"
    UNKNOWN = "generator"  # the log does not say


class Kind(StrEnum):
    """What kind of trouble a line tells of."""

    DEAD = "dead"  # a thread of the generator ended with an error
    POLL = "poll"  # the interface took or gave nothing for a while
    DAMAGED = "damaged"  # the line is not what a generator writes
    ROUNDED = "rounded"  # a rate in kilo or mega: its last digits are lost


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """What a generator reported of one part of its run, mostly a second."""

    line: int  # from 1
    pps: int
    packets: int | None  # None where the line tells a rate only, as for the next
    duration_s: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """A line that tells of something that went wrong."""

    line: int  # from 1
    kind: Kind
    said: str  # without the time and place before it, printable


@dataclass(frozen=True, kw_only=True, slots=True)
class Log:
    """One log, whatever became of the generator that wrote it."""

    lines: int
    end: End
    command: str  # that started the generator; empty where the log does not say
    frame_octets: int | None  # of a frame without FCS, as the command has it
    flows: int | None  # different pairs of addresses the log announces
    intervals: tuple[Interval, ...]
    troubles: tuple[Trouble, ...]
    finished: bool  # the generator, or who stopped it, had the last word


NO_LOG = Log(  # what is not a generator's log at all
    lines=1,
    end=End.UNKNOWN,
    command="",
    frame_octets=None,
    flows=None,
    intervals=(),
    troubles=(Trouble(line=1, kind=Kind.DAMAGED, said="no line is a generator's"),),
    finished=False,
)
