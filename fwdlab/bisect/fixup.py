"""Patches that mend a range of commits, so that they build or boot: `FILE:FROM..TO`.

A fix-up goes on top of every commit that contains FROM and does not contain TO, as FROM is what broke the build and
TO what mended it. Either may be left away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fwdlab.bisect.history import History
from fwdlab.bisect.model import Commit
from fwdlab.errors import MatrixError
from fwdlab.matrix.words import quoted

_DOTS = ".."


@dataclass(frozen=True, kw_only=True, slots=True)
class Fixup:
    """A patch and the commits it is for."""

    file: Path
    content: bytes
    since: str | None  # id of the first commit that needs it; None: every commit does
    until: str | None  # id of the first commit that does not need it any more

    @property
    def sha256(self) -> str:
        """SHA-256 of the patch."""
        return hashlib.sha256(self.content).hexdigest()


def parse_fixup(word: str, history: History) -> Fixup:
    """The fix-up that a word of the command line says; MatrixError where it says none."""
    name, colon, span = word.rpartition(":")
    if not colon or _DOTS not in span:
        raise MatrixError(f"--fixup: {quoted(word)} has no range; write it like 'mend.patch:v6.12..v6.12.4'")
    since, _, until = span.partition(_DOTS)
    try:
        content = Path(name).read_bytes()
    except OSError as error:
        raise MatrixError(f"{name}: cannot be read ({error.strerror}); name the patch of --fixup") from error
    if not content.strip():
        raise MatrixError(f"{name}: is empty; name the patch of --fixup")
    return Fixup(
        file=Path(name),
        content=content if content.endswith(b"\n") else content + b"\n",
        since=history.commit(since).id if since else None,
        until=history.commit(until).id if until else None,
    )


def mending(commit: Commit, fixups: Sequence[Fixup], history: History) -> bytes:
    """One patch of all fix-ups a commit needs, in the order given; empty where it needs none."""
    return b"".join(item.content for item in fixups if _needed(commit, item, history))


def _needed(commit: Commit, fixup: Fixup, history: History) -> bool:
    begun = fixup.since is None or history.is_ancestor(fixup.since, commit.id)
    return begun and not (fixup.until is not None and history.is_ancestor(fixup.until, commit.id))
