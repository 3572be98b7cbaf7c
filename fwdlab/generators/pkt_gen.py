"""Logs of netmap's pkt-gen: a line a second, and what it says of its start and its end.

    693.774649 main_thread [2277] 806612 pps (808223 pkts 387947040 bps in 1001997 usec) 2.16 avg_batch 2039 min_space
    113.690987 main_thread [1553] 1164562 pps (1165729 pkts in 1001002 usec)
    693.774649 main_thread [2277] 806.612 Kpps (808.223 Kpkts 387.947 Mbps in 1001997 usec) 2.16 avg_batch 2039 ...

The first is today's with `-N`, the second was there before 2016, the third is what today's says without `-N`.
"""

from __future__ import annotations

import ipaddress
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from fwdlab.errors import RecordError
from fwdlab.generators.lines import Line, lines_of
from fwdlab.generators.log import End, Interval, Kind, Log, Trouble

_PLACE = re.compile(r"\d+\.\d+ (?P<who>\w+) \[\d+\] (?P<said>.*)")
_COMMAND = re.compile(r"CMD: (?P<command>.*\bpkt-gen\b.*)")
_RATE = re.compile(r"(?P<pps>\d{1,18}) pps(?: (?P<rest>.*))?")
_DETAIL = re.compile(r"(?:\[avg/std [^\]]*\])?\((?P<packets>\d{1,18}) pkts (?:\d+ bps )?in (?P<usec>\d{1,18}) usec\).*")
_ROUNDED = re.compile(r"\d+\.\d+ [KMGT]?pps .*")
_RANGE = re.compile(r"range is (?P<first>\S+):(?P<low>\d{1,5}) to (?P<last>\S+):(?P<high>\d{1,5})")
_FRAME = re.compile(r" -l +(?P<octets>\d{1,5})(?: |$)")
_TROUBLES = (
    (Kind.DEAD, re.compile(r"\bouch\b|exited with error")),
    (Kind.POLL, re.compile(r"\bpoll (?:err|timeout|error)")),
)
_LAST = re.compile(r"Terminated|Killed|Interrupt|Speed: .*")
_ENDS = {"sender_body": End.SENDER, "receiver_body": End.RECEIVER}
_ROLES = ((" -f tx", End.SENDER), (" -f rx", End.RECEIVER))
_MOST_TROUBLES = 1000  # kept; a log of millions of damaged lines is damaged enough
_LONGEST_QUOTE = 200
_MICROSECONDS = 1_000_000  # a second


@dataclass(slots=True)
class _Reading:
    """What was read so far."""

    lines: int = 0
    known: bool = False  # some line is one of pkt-gen
    end: End = End.UNKNOWN
    command: str = ""
    ranges: list[int] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    finished: bool = False


def kept_log(path: Path, end: End, *, unknown: Log | None) -> Log | None:
    """The log that was kept of that end; None where there is no such file, `unknown` where it is none of pkt-gen's."""
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        try:
            return replace(read_log(stream, str(path)), end=end)
        except RecordError:
            return unknown and replace(unknown, end=end)


def read_log(stream: IO[bytes], origin: str) -> Log:
    """The log in the stream; RecordError where it is none of pkt-gen's. An empty one is a log without lines."""
    reading = _Reading()
    for line in lines_of(stream):
        _take(reading, line)
    if reading.lines and not reading.known:
        raise RecordError(f"{origin}: is no log of pkt-gen; give what its sender or receiver printed, unpacked")
    frame = _FRAME.search(reading.command)
    return Log(
        lines=reading.lines,
        end=reading.end,
        command=reading.command,
        frame_octets=int(frame["octets"]) if frame else None,
        flows=math.prod(reading.ranges) if reading.end is End.SENDER and len(reading.ranges) == 2 else None,
        intervals=tuple(reading.intervals),
        troubles=tuple(reading.troubles),
        finished=reading.finished,
    )


def _take(reading: _Reading, line: Line) -> None:
    reading.lines = line.number
    reading.finished = _LAST.fullmatch(line.text) is not None
    if "\0" in line.text or line.cut:
        found = "it holds a NUL" if "\0" in line.text else "it is longer than any of pkt-gen"
        _note(reading, line, Kind.DAMAGED, found)
    elif command := _COMMAND.fullmatch(line.text):
        reading.known, reading.command = True, _printable(command["command"])
        reading.end = next((end for role, end in _ROLES if role in reading.command), reading.end)
    elif place := _PLACE.fullmatch(line.text):
        reading.known = True
        reading.end = _ENDS.get(place["who"], reading.end)
        _take_message(reading, line, place["who"], place["said"])


def _take_message(reading: _Reading, line: Line, who: str, said: str) -> None:
    for kind, pattern in _TROUBLES:
        if pattern.search(said):
            _note(reading, line, kind, said)
            return
    if addresses := _RANGE.fullmatch(said):
        reading.ranges.append(_count(addresses))
    elif who != "main_thread" or "pps" not in said:
        return
    elif rate := _RATE.fullmatch(said):
        reading.intervals.append(_interval(line, rate))
    else:
        _note(reading, line, Kind.ROUNDED if _ROUNDED.fullmatch(said) else Kind.DAMAGED, said)


def _note(reading: _Reading, line: Line, kind: Kind, said: str) -> None:
    if len(reading.troubles) < _MOST_TROUBLES:
        reading.troubles.append(Trouble(line=line.number, kind=kind, said=_printable(said)[:_LONGEST_QUOTE]))


def _interval(line: Line, rate: re.Match[str]) -> Interval:
    detail = _DETAIL.fullmatch(rate["rest"] or "")
    return Interval(
        line=line.number,
        pps=int(rate["pps"]),
        packets=int(detail["packets"]) if detail else None,
        duration_s=int(detail["usec"]) / _MICROSECONDS if detail else None,
    )


def _count(addresses: re.Match[str]) -> int:
    """How many pairs of address and port a range holds; one where it is none that can be counted."""
    try:
        first, last = (
            int(ipaddress.ip_address(addresses[end].rpartition("@")[2].strip("[]"))) for end in ("first", "last")
        )
    except ValueError:
        return 1
    return max(1, last - first + 1) * max(1, int(addresses["high"]) - int(addresses["low"]) + 1)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
