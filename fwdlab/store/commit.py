"""Commits of a store, made from the last one without an index or a work tree."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from fwdlab.store.entry import MARKER, MARKER_TEXT
from fwdlab.store.git import SIGNATURE
from fwdlab.store.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What one commit does to the store before it."""

    added: Sequence[str]  # paths
    removed: Collection[str]

    @property
    def message(self) -> str:
        """What the log says; a pipeline of its own for it would measure nothing."""
        parts = [f"{len(paths)} {word}" for paths, word in ((self.added, "added"), (self.removed, "removed")) if paths]
        return f"store: {', '.join(parts)}\n\n[skip ci]\n"

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def commit_of(base: Snapshot, change: Change, read: Callable[[str], bytes]) -> str:
    """The id of a new commit on top of `base`; no ref points at it yet."""
    git = base.git
    none = "0" * (len(base.commit) or _hash_length(base))
    said = git.said("fast-import", "--quiet", "--done", fed=_stream(base.commit, none, change, read))
    return said.strip()


def _hash_length(base: Snapshot) -> int:
    return 64 if base.git.said("rev-parse", "--show-object-format").strip() == "sha256" else 40


def _stream(tip: str, none: str, change: Change, read: Callable[[str], bytes]) -> Iterator[bytes]:
    """What fast-import reads. The ref it asks for is given up at the end, so that none is left whenever this stops."""
    ref = f"refs/fwdlab/new-{secrets.token_hex(8)}"
    mark = len(change.added) + 2
    for number, path in enumerate(change.added, 1):
        yield f"blob\nmark :{number}\n".encode() + _data(read(path))
    yield f"blob\nmark :{mark - 1}\n".encode() + _data(MARKER_TEXT.encode())
    yield f"commit {ref}\nmark :{mark}\ncommitter {SIGNATURE} {int(time.time())} +0000\n".encode()
    yield _data(change.message.encode())
    yield f"from {tip}\n".encode() if tip else b""
    yield f"M 100644 :{mark - 1} {MARKER}\n".encode()
    for path in sorted(change.removed):
        yield f"D {path}\n".encode()
    for number, path in enumerate(change.added, 1):
        yield f"M 100644 :{number} {path}\n".encode()
    yield f"get-mark :{mark}\nreset {ref}\nfrom {none}\n\ndone\n".encode()


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"
