"""The text of `perf script`, folded as FlameGraph's stackcollapse-perf.pl folds it when given no options.

A sample is a line with the process, an indented line a frame (leaf first), and an empty line. The process name is the
root frame. Only the event seen first counts, or the one asked for, since cycles and instructions do not add up; a
sample weighs its period.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import Profile, chosen_event, first_line, left_out, profile_of, unread_lines

_PROCESS = re.compile(r"(?P<name>\S.+?)\s+\d+/*\d*\s+", re.ASCII)
_EVENT = re.compile(r":\s*(?P<period>\d{0,18})\s+(?P<event>\S+):\s*$", re.ASCII)
_FRAME = re.compile(r"\s*\w+\s*(?P<function>.+) \((?P<module>.*)\)", re.ASCII)
_FLAT = re.compile(r": +(?:\d+ +)?\S+: +[\da-f]+ .+ \(.*\)\s*$", re.ASCII)  # ends a sample recorded without -g
_OFFSET = re.compile(r"\+0x[\da-f]+$", re.ASCII)
_ARGUMENTS = re.compile(r"\((?!anonymous namespace\)).*")
_GO_METHOD = re.compile(r"\.\(.*\)\.")
_QUOTES = str.maketrans("", "", "\"'")


_Frames = tuple[str, ...]


@dataclass(kw_only=True, slots=True)
class _Fold:
    """What has been read so far."""

    origin: str
    event: str  # empty until the first is seen
    weights: Counter[str] = field(default_factory=Counter)
    samples: int = 0
    other_events: Counter[str] = field(default_factory=Counter)
    unread: list[int] = field(default_factory=list)  # numbers of lines of no known form
    process: str = ""  # of the open sample; empty between samples and within a sample of another event
    period: int = 1
    frames: list[str] = field(default_factory=list)  # of the open sample, leaf first
    known: dict[str, _Frames] = field(default_factory=dict)  # by their lines: most come again and again
    known_java: dict[str, _Frames] = field(default_factory=dict)


def recognises(text: str) -> bool:
    """Whether the first line that is no comment begins a sample."""
    first = first_line(text)
    return _PROCESS.match(first) is not None and (first.rstrip().endswith(":") or _FLAT.search(first) is not None)


def fold(text: str, origin: str, event: str | None = None) -> Profile:
    """The profile the text holds; RecordError where it is cut within a sample or holds none."""
    state = _Fold(origin=origin, event=event or "")
    lines = text.removesuffix("\n").split("\n")
    known = state.known
    for number, line in enumerate(lines, 1):
        if (frames := known.get(line)) is not None:
            if state.process:
                state.frames += frames
        elif line:
            _read(state, number, line)
            known = _known(state)
        else:
            _end_sample(state)
    if state.process or not text.endswith("\n"):
        raise RecordError(f"{origin}:{len(lines)}:1: {_open_end(lines[-1])}")
    seen = Counter({state.event: state.samples} if state.samples else {}) + state.other_events
    name = chosen_event(seen, event, origin)
    caveats = (*left_out(seen, name), *unread_lines(state.unread))
    return profile_of(state.weights, event=name, samples=state.samples, caveats=caveats, origin=origin)


def _open_end(last: str) -> str:
    if _FLAT.search(last):
        return "a sample has no call chain; record with 'perf record -g'"
    return "ends within a sample, so the profile is cut; collect it again"


def _read(state: _Fold, number: int, line: str) -> None:
    """Take a line that was not read before: the begin of a sample, or a frame, which is known from now on."""
    if line.startswith("#"):
        return
    if process := _PROCESS.match(line):
        _begin_sample(state, process["name"], line)
    elif frame := _FRAME.match(line):
        functions = _functions(frame["function"], frame["module"], state.process)
        frames = _known(state)[line] = tuple(reversed(functions))
        if state.process:
            state.frames += frames
    else:
        state.unread.append(number)


def _known(state: _Fold) -> dict[str, _Frames]:
    return state.known_java if state.process.startswith("java") else state.known


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
