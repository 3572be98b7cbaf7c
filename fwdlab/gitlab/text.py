"""What a note says around its summary: the commit it speaks of, and marks by which later jobs find it and its parts.

Where each machine has a child pipeline of its own, each writes a part of the one note, and leaves the others' parts. A
part is folded: of each machine one line shows, those first where most is wrong or has changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

_MARK = re.compile(r"<!-- fwdlab note of pipeline ([0-9]{1,18}) -->")  # GitLab shows no comment of HTML
_PART = re.compile(r"^<!-- fwdlab part ([0-9]{1,4}) -->\n", re.MULTILINE)
_NAMED = re.compile(r"([1-9][0-9]{0,3}) of ([1-9][0-9]{0,3}): ([A-Za-z0-9._+-]+)")
_MOST_CHARACTERS = 200_000  # GitLab takes a million; a page of the site is for what is longer
_AROUND = 300  # characters of a part beside what is folded
URGENCY = ("invalid", "worse", "better", "unproven", "same")  # verdicts, what to read first
_COUNT = re.compile(rf"\b([0-9]+) ({'|'.join(URGENCY)})\b")


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
    """A machine's part: its name with the summary's first line, and the rest folded, cut so that all parts fit."""
    headline, _, rest = summary.strip().partition("\n")
    told = f"<code>{part.machine}</code>: {escape(headline.removeprefix('### fwdlab: '))}"
    if not rest.strip():
        return f"<p>{told}</p>\n"
    below = _cut(f"{rest.strip()}\n", max(0, _MOST_CHARACTERS // part.of - _AROUND))
    return f"<details>\n<summary>{told}</summary>\n\n{below}\n</details>\n"


def whole_text(parts: Mapping[int, str], of: int, *, commit: str, pipeline: int) -> str:
    """The note of these parts, the most urgent first; its first line counts them all, and who has reported."""
    counts = {number: _counts(text) for number, text in parts.items()}
    order = sorted(parts, key=lambda number: (*(-counts[number][word] for word in URGENCY), number))
    every = sum(counts.values(), Counter[str]())
    counted = ", ".join(f"{every[word]} {word}" for word in URGENCY if every[word]) or "no comparison"
    headline = f"### fwdlab: {counted}; {len(parts)} of {of} machines have reported"
    told = "\n".join(f"<!-- fwdlab part {number} -->\n{parts[number]}" for number in order)
    return note_text(f"{headline}\n\n{told}", commit=commit, pipeline=pipeline)


def _counts(part: str) -> Counter[str]:
    """The verdicts of a machine, by the line that shows."""
    told = _COUNT.findall(part.partition("</summary>")[0])
    return Counter({word: int(number) for number, word in told})


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[: text.rfind("\n", 0, most) + 1]
    return f"{kept}\n{_left_out(text.count(chr(10)) - kept.count(chr(10)))}\n"


def _left_out(lines: int) -> str:
    return f"Lines that did not fit into a note: {lines}. The pages of the site have them all."
