"""What a note says around its summary: the commit it speaks of, and a mark by which a later job finds it."""

from __future__ import annotations

import re

_MARK = re.compile(r"<!-- fwdlab note of pipeline ([0-9]{1,18}) -->")  # GitLab shows no comment of HTML
_MOST_CHARACTERS = 200_000  # GitLab takes a million; a page of the site is for what is longer


def note_text(summary: str, *, commit: str, pipeline: int) -> str:
    """The summary with commit and mark in its first line; cut at the end of a line where it is too long for a note."""
    headline, _, rest = summary.partition("\n")
    named = f", commit {commit[:12]}" if commit else ""
    return _cut(f"{headline}{named} <!-- fwdlab note of pipeline {pipeline} -->\n{rest}")


def pipeline_of(body: str) -> int | None:
    """The pipeline that wrote the note, by the mark in its first line; None where the note is none of ours."""
    found = _MARK.search(body.partition("\n")[0])
    return int(found[1]) if found else None


def _cut(text: str) -> str:
    if len(text) <= _MOST_CHARACTERS:
        return text
    whole = text[:_MOST_CHARACTERS].rpartition("\n")[0]
    lines = text.count("\n") - whole.count("\n") - 1
    return f"{whole}\n\nLines that did not fit into a note: {lines}. The pages of the site have them all.\n"
