"""The log of a search: what `git bisect log` prints and `git bisect replay` takes, with the figures as comments.

It is the state of a search as well. A commit that has a line here is not judged again, by whom ever it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fwdlab.bisect.model import Commit, Mark, Measured, safe
from fwdlab.errors import RecordError

_VALUES = "#   forwarded_pps: "
_ID = r"[0-9a-f]{40,64}"
_HEAD = re.compile(rf"# (?:good|bad|skip): \[(?P<id>{_ID})\]")
_RATE = re.compile(r"(?!0+(\.0+)?$)\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_START = re.compile(rf"git bisect start (?:'--first-parent' )?'(?P<bad>{_ID})' '(?P<good>{_ID})'")
_JUDGED = re.compile(rf"git bisect (?P<mark>good|bad|skip) '?(?P<id>{_ID})'?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What a log says."""

    ends: tuple[str, str] | None  # ids of the good and the bad end; None: nothing is written yet
    marks: tuple[tuple[str, Mark], ...]  # in the order judged, the ends aside
    values: dict[str, tuple[float, ...]]  # pps, by commit


def start_text(good: Commit, bad: Commit, *, first_parent: bool) -> str:
    """git's command that begins a log."""
    along = "'--first-parent' " if first_parent else ""
    return f"git bisect start {along}'{bad.id}' '{good.id}'\n"


def ends_text(good: Measured, bad: Measured) -> str:
    """Both ends with their figures."""
    return _head(Mark.BAD, bad.commit) + _values(bad) + _head(Mark.GOOD, good.commit) + _values(good)


def judged_text(mark: Mark, measured: Measured, notes: Sequence[str]) -> str:
    """A commit that was measured and judged."""
    return _head(mark, measured.commit) + _notes(notes) + _values(measured) + _command(mark, measured.commit)


def skipped_text(commit: Commit, reason: str) -> str:
    """A commit that was skipped, and why."""
    return _head(Mark.SKIP, commit) + _notes([reason]) + _command(Mark.SKIP, commit)


def found_text(commit: Commit, notes: Sequence[str]) -> str:
    """The last lines of a search that found its commit."""
    return f"# first bad commit: [{commit.id}] {commit.subject}\n" + _notes(notes)


def stuck_text(suspects: Sequence[Commit]) -> str:
    """The last lines of a search that only skipped commits are left to."""
    lines = [f"# possible first bad commit: [{commit.id}] {commit.subject}\n" for commit in suspects]
    return "".join(["# only skipped commits left to test\n", *lines])


def _head(mark: Mark, commit: Commit) -> str:
    return f"# {mark}: [{commit.id}] {commit.subject}\n"


def _values(measured: Measured) -> str:
    return f"{_VALUES}{' '.join(map(repr, measured.values))}\n"


def _notes(notes: Sequence[str]) -> str:
    """Comments; one line each, whatever a build said."""
    return "".join(f"#   {safe(' '.join(note.split()))}\n" for note in notes)


def _command(mark: Mark, commit: Commit) -> str:
    return f"git bisect {mark} {commit.id}\n"


def parse_log(text: str, origin: str) -> Known:
    """What a log says; RecordError with the line where it is none."""
    ends: tuple[str, str] | None = None
    marks: dict[str, Mark] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if start := _START.fullmatch(line):
            ends = (start["good"], start["bad"])
        elif (judged := _JUDGED.fullmatch(line)) and ends:
            marks[judged["id"]] = Mark(judged["mark"])
        else:
            raise RecordError(f"{origin}:{number}:1: '{line[:60]}' is no line of a log; remove the file to start anew")
    return Known(ends=ends, marks=tuple(marks.items()), values=dict(_measured(text, origin)))


def _measured(text: str, origin: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Every commit with the rates that the log has of it."""
    commit = ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            commit = head["id"]
        elif line.startswith(_VALUES):
            rates = line.removeprefix(_VALUES).split()
            if not rates or not all(_RATE.fullmatch(rate) for rate in rates):
                raise RecordError(f"{origin}:{number}:1: '{line[:60]}' has no rates; remove the file to start anew")
            yield commit, tuple(map(float, rates))
