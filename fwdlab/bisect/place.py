"""Where a search keeps what it measures and its log: `bisect/TREE/` below the results, the log in a folder of its own.

Searches of one tree share what was measured. A log belongs to one question: anything that can change a judgement is in
the name of its folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fwdlab.bisect.fixup import Fixup
from fwdlab.bisect.judge import Judge
from fwdlab.bisect.search import Question
from fwdlab.case import KEY_LENGTH, Case, Kind, Revision, case_text

_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


def folder_of(results: Path, tree: Path) -> Path:
    """The folder of one tree, by its name and its whole path."""
    whole = tree.resolve()
    return results / "bisect" / f"{_UNSAFE.sub('-', whole.name)}-{_digest(str(whole))}"


def key_of(question: Question, judge: Judge, like: Case, fixups: Sequence[Fixup], *, first_parent: bool) -> str:
    """Twelve hexadecimal digits that change with anything that can change a judgement."""
    unset = Revision(name="", kind=Kind.GIT, package="", version="", sha256="")
    words = (question.good.id, question.bad.id, question.repeats, judge.threshold, first_parent)
    mends = [f"{item.sha256} {item.since} {item.until}" for item in fixups]
    return _digest("\n".join([*map(str, words), *mends, case_text(replace(like, revision=unset))]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]
