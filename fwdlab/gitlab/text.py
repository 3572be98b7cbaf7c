"""What a note says around its summary: the commit it speaks of, and marks by which later jobs find it and its parts.

Where each machine has a child pipeline of its own, each writes a part of the one note, and leaves the others' parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_MARK = re.compile(r"<!-- fwdlab note of pipeline ([0-9]{1,18}) -->")  # GitLab shows no comment of HTML
_PART = re.compile(r"^<!-- fwdlab part ([0-9]{1,4}) -->\n", re.MULTILINE)
_NAMED = re.compile(r"([1-9][0-9]{0,3}) of ([1-9][0-9]{0,3}): ([A-Za-z0-9._+-]+)")
_MOST_CHARACTERS = 200_000  # GitLab takes a million; a page of the site is for what is longer
_MOST_LINES = 60  # of all parts together
_LEAST_LINES = 6  # of one, however many there are


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One machine's part of a note."""

    number: int  # from 1
    of: int
    machine: str


def part_of(text: str) -> Part | None:
    """The part that a pipeline names as `2 of 3: machine`; None where that is none."""
    found = _NAMED.fullmatch(text)
    return Part(number=int(found[1]), of=int(found[2]), machine=found[3]) if found else None


def note_text(summary: str, *, commit: str, pipeline: int) -> str:
    """The summary with commit and mark in its first line; cut at the end of a line where it is too long for a note."""
    headline, _, rest = summary.partition("\n")
    named = f", commit {commit[:12]}" if commit else ""
    return _cut(f"{headline}{named} <!-- fwdlab note of pipeline {pipeline} -->\n{rest}", _MOST_CHARACTERS)


def pipeline_of(body: str) -> int | None:
    """The pipeline that wrote the note, by the mark in its first line; None where the note is none of ours."""
    found = _MARK.search(body.partition("\n")[0])
    return int(found[1]) if found else None


def parts_of(body: str) -> dict[int, str]:
    """The parts of a note by their numbers; none where it was written in one piece."""
    _, *found = _PART.split(body)
    return {int(number): f"{text.strip()}\n" for number, text in zip(found[::2], found[1::2], strict=True)}


def part_text(summary: str, part: Part) -> str:
    """A machine's part: its summary under its name, cut so that the parts of all fit into a note."""
    headline, _, rest = summary.strip().partition("\n")
    lines = [f"#### `{part.machine}`{headline.removeprefix('### fwdlab')}", *rest.splitlines()]
    most = max(_LEAST_LINES, (_MOST_LINES - 2) // part.of - 2)
    if len(lines) > most:
        lines[most - 2 :] = ["", _left_out(len(lines) - most + 2)]
    return _cut("\n".join(lines) + "\n", _MOST_CHARACTERS // part.of)


def whole_text(parts: Mapping[int, str], of: int, *, commit: str, pipeline: int) -> str:
    """The note of these parts, in their order whoever came first; says how many machines are still to report."""
    headline = f"### fwdlab: {len(parts)} of {of} machines have reported"
    told = "\n".join(f"<!-- fwdlab part {number} -->\n{parts[number]}" for number in sorted(parts))
    return note_text(f"{headline}\n\n{told}", commit=commit, pipeline=pipeline)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    whole = text[:most].rpartition("\n")[0]
    return f"{whole}\n\n{_left_out(text.count(chr(10)) - whole.count(chr(10)) - 1)}\n"


def _left_out(lines: int) -> str:
    return f"Lines that did not fit into a note: {lines}. The pages of the site have them all."
