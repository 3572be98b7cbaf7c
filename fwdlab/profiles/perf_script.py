"""The text of `perf script`, folded as FlameGraph's stackcollapse-perf.pl folds it when given no options.

A sample is a line with the process, an indented line a frame (leaf first), and an empty line. The process name is the
root frame. Only the event seen first counts, since cycles and instructions do not add up; a sample weighs its period.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import Profile, profile_of

_PROCESS = re.compile(r"(?P<name>\S.+?)\s+\d+/*\d*\s+", re.ASCII)
_EVENT = re.compile(r":\s*(?P<period>\d*)\s+(?P<event>\S+):\s*$", re.ASCII)
_FRAME = re.compile(r"\s*\w+\s*(?P<function>.+) \((?P<module>.*)\)", re.ASCII)
_OFFSET = re.compile(r"\+0x[\da-f]+$", re.ASCII)
_ARGUMENTS = re.compile(r"\((?!anonymous namespace\)).*")
_GO_METHOD = re.compile(r"\.\(.*\)\.")
_QUOTES = str.maketrans("", "", "\"'")


@dataclass(kw_only=True, slots=True)
class _Fold:
    """What has been read so far."""

    weights: Counter[str] = field(default_factory=Counter)
    event: str = ""
    samples: int = 0
    other_events: Counter[str] = field(default_factory=Counter)
    unread: list[int] = field(default_factory=list)  # numbers of lines of no known form
    process: str = ""  # of the open sample; empty between samples and within a sample of another event
    period: int = 1
    frames: list[str] = field(default_factory=list)  # of the open sample, leaf first


def recognises(text: str) -> bool:
    """Whether the first line that is no comment begins a sample."""
    first = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    return _PROCESS.match(first) is not None and first.rstrip().endswith(":")


def fold(text: str, origin: str) -> Profile:
    """The profile the text holds; RecordError where it is cut within a sample or holds none."""
    state = _Fold()
    number = 0
    for number, line in _lines(text):
        _read(state, number, line)
    if state.process or (text and not text.endswith("\n")):
        raise RecordError(f"{origin}:{number}:1: ends within a sample, so the profile is cut; collect it again")
    return profile_of(
        state.weights, event=state.event, samples=state.samples, caveats=tuple(_caveats(state)), origin=origin
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    lines = text.removesuffix("\n").split("\n")
    return ((number, line.removesuffix("\r")) for number, line in enumerate(lines, 1) if not line.startswith("#"))


def _read(state: _Fold, number: int, line: str) -> None:
    if not line:
        _end_sample(state)
    elif process := _PROCESS.match(line):
        _begin_sample(state, process["name"], line)
    elif frame := _FRAME.match(line):
        if state.process:
            state.frames += reversed(_functions(frame["function"], frame["module"], state.process))
    else:
        state.unread.append(number)


def _begin_sample(state: _Fold, name: str, line: str) -> None:
    match = _EVENT.search(line)
    if match and not state.event:
        state.event = match["event"]
    if match and match["event"] != state.event:
        state.other_events[match["event"]] += 1
        return
    state.period = int((match and match["period"]) or 1) or 1
    state.process = name.replace(" ", "_")


def _end_sample(state: _Fold) -> None:
    if state.process:
        state.weights[";".join((state.process, *reversed(state.frames)))] += state.period
        state.samples += 1
    state.process = ""
    state.frames.clear()


def _functions(raw: str, module: str, process: str) -> list[str]:
    """The frame's function and what was inlined into it, caller first; none for a frame that is a process name."""
    name = _OFFSET.sub("", raw)
    if name.startswith("("):
        return []
    parts = [_tidy(part, module, process) for part in re.sub("(->)+$", "", name).split("->")]
    return parts[:1] + [part if "_[i]" in part else f"{part}_[i]" for part in parts[1:]]


def _tidy(function: str, module: str, process: str) -> str:
    if function == "[unknown]":
        function = "[unknown]" if module == "[unknown]" else f"[{module.rpartition('/')[2]}]"
    function = function.replace(";", ":")
    if not _GO_METHOD.search(function):
        function = _ARGUMENTS.sub("", function)
    function = function.translate(_QUOTES)
    return function.removeprefix("L") if process.startswith("java") and "/" in function else function


def _caveats(state: _Fold) -> Iterator[str]:
    for event, count in sorted(state.other_events.items()):
        yield f"{_counted(count, 'sample')} of event '{event}' left out: only '{state.event}' is folded"
    if state.unread:
        yield f"{_counted(len(state.unread), 'line')} of no known form left out, the first is line {state.unread[0]}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
