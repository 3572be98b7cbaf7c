"""What DTrace prints of `@[stack()] = count()`, folded as FlameGraph's stackcollapse.pl folds it.

A stack is a line for each frame, leaf first, and one with its count. A frame loses its offset, and a C++ function its
arguments; equal stacks are summed.

Where the script makes stacks that were never sampled ours differ. It takes the first three lines for a header, whatever
they say; here a header is what stands before the first empty line without a count, and every line about a probe that
fired. It has no frame for a sample without a stack; here that is `-`, its own word for an empty frame. It cuts a name
such as `operator+` at the plus; here only an offset goes. It drops a last stack without a count, and so it is here, but
a caveat says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import Profile, counted, profile_of

_PROBE = re.compile(r"CPU\s+ID\s+FUNCTION:NAME|\d+\s+\d+\s+\S*:\S*(?:\s.*)?", re.ASCII)
_OFFSET = re.compile(r"\+0x[\da-f]+$", re.ASCII)
_ARGUMENTS = re.compile(r"(::.*)[(<].*")
_EMPTY = "-"
_MOST_DIGITS = 18


@dataclass(kw_only=True, slots=True)
class _Fold:
    """What has been read so far."""

    origin: str
    weights: Counter[str] = field(default_factory=Counter)
    frames: list[str] = field(default_factory=list)  # of the open stack, leaf first
    empty: int = 0  # samples without a stack
    messages: list[str] = field(default_factory=list)


def recognises(text: str) -> bool:
    """Whether some count follows a frame, which has a module and a backtick or is an address."""
    frame = False
    for line in text.split("\n"):
        if frame and line.strip().isdecimal():
            return True
        frame = "`" in line or line.lstrip().startswith("0x")
    return False


def fold(text: str, origin: str, event: str | None = None) -> Profile:
    """The profile the stacks make; RecordError where there is none or a count is absurd."""
    if event is not None:
        raise RecordError(f"{origin}: DTrace's stacks name no event, so '{event}' cannot be chosen; leave out --event")
    lines = text.split("\n")
    cut = lines.pop() != ""
    header = _header(lines)
    state = _Fold(origin=origin, messages=list(filter(_is_message, lines[:header])))
    frames: dict[str, str] = {}  # by their lines: most come again and again
    for number, line in enumerate(lines[header:], header + 1):
        frame = frames.get(line)
        if frame is None:
            frame = frames[line] = _frame(line.strip())
        if frame:
            state.frames.append(frame)
        else:
            _end_stack(state, number, line.strip())
    caveats = tuple(_caveats(state, len(lines) + cut))
    return profile_of(state.weights, event="", samples=state.weights.total(), caveats=caveats, origin=origin)


def _header(lines: list[str]) -> int:
    """How many lines stand before the first empty one; none where a count is among them, since that is a stack."""
    block = [line.strip() for line in takewhile(str.strip, lines)]
    return 0 if any(line.isdecimal() for line in block) else len(block)


def _is_message(line: str) -> bool:
    """Whether DTrace speaks of itself there, such as of what it dropped."""
    return line.startswith("dtrace: ")


def _frame(line: str) -> str:
    """The frame of a line; empty where the line is none."""
    if not line or line.isdecimal() or _is_message(line) or _PROBE.fullmatch(line):
        return ""
    return _ARGUMENTS.sub(r"\1", _OFFSET.sub("", line)) or _EMPTY


def _end_stack(state: _Fold, number: int, line: str) -> None:
    """Take a line that is no frame: a count ends the open stack, a message is kept."""
    if _is_message(line):
        state.messages.append(line)
    if not line.isdecimal():
        return
    if len(line) > _MOST_DIGITS:
        raise RecordError(
            f"{state.origin}:{number}:1: a count has {len(line)} digits, more than any profiler's; check what wrote it"
        )
    state.weights[";".join(reversed(state.frames)) or _EMPTY] += int(line)
    if not state.frames:
        state.empty += int(line)
    state.frames.clear()


def _caveats(state: _Fold, last: int) -> Iterator[str]:
    if state.empty:
        yield f"{counted(state.empty, 'sample')} without a stack, shown as '{_EMPTY}'"
    if state.frames:
        yield f"the last stack has no count and is left out: the text is cut in line {last}"
    yield from state.messages
