"""What a store holds: entries, each one file that is named for the SHA-256 of its bytes and so can never change."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fwdlab.errors import LabError, RecordError

MARKER = "fwdlab-store"  # the file that tells a store from other folders and branches
MARKER_TEXT = "fwdlab-store 1\n"
SETTLED_S = 86400.0  # a writer that takes longer than a day is dead


class Kind(StrEnum):
    """What an entry holds. They are written in this order, so that none refers to one that is not there yet."""

    RAW = "raw"
    PROFILE = "profiles"
    RECORD = "records"
    RUN = "runs"
    FLOOR = "floors"
    CAMPAIGN = "campaigns"
    COLOURS = "colours"
    NOTE = "notes"


SHELVED = (Kind.RECORD, Kind.RUN)  # kept by the key of their case, so that a campaign's are found without an index

_ON_SHELF = "|".join(SHELVED)
_OTHERS = "|".join(kind for kind in Kind if kind not in SHELVED)
_PATH = re.compile(
    rf"(?:{_ON_SHELF})/(?P<case>[0-9a-f]{{2}})/(?P=case)[0-9a-f]{{10}}/[0-9a-f]{{64}}"
    rf"|(?:{_OTHERS})/(?P<own>[0-9a-f]{{2}})/(?P=own)[0-9a-f]{{62}}"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """An entry on its way into a store."""

    kind: Kind
    shelf: str  # the case's key; empty where the kind has no shelves
    sha256: str
    source: Path | bytes

    @property
    def path(self) -> str:
        """Where it lies below the store."""
        return entry_path(self.kind, self.sha256, self.shelf)

    def content(self) -> bytes:
        """Its bytes; RecordError where the file is no longer what it was."""
        if isinstance(self.source, bytes):
            return self.source
        try:
            return checked(self.path, self.source.read_bytes(), str(self.source))
        except OSError as error:
            raise LabError(f"{self.source}: cannot be read ({error.strerror}); look at disk and owner") from error


def entry_of(kind: Kind, text: str, shelf: str = "") -> Entry:
    """The entry that holds this text."""
    content = text.encode()
    return Entry(kind=kind, shelf=shelf, sha256=hashlib.sha256(content).hexdigest(), source=content)


def entry_path(kind: Kind, sha256: str, shelf: str = "") -> str:
    """Where the entry with that hash lies below the store: in folders that stay small however many there are."""
    return f"{kind}/{shelf[:2]}/{shelf}/{sha256}" if shelf else f"{kind}/{sha256[:2]}/{sha256}"


def shelf_folder(kind: Kind, shelf: str) -> str:
    """The folder of a case's entries of that kind."""
    return f"{kind}/{shelf[:2]}/{shelf}"


def is_entry(path: str) -> bool:
    """Whether a path below a store is that of an entry."""
    return _PATH.fullmatch(path) is not None


def kind_of(path: str) -> Kind:
    """What the entry at that path holds."""
    return Kind(path.partition("/")[0])


def rank(path: str) -> int:
    """Its kind's place in the order of writing; what is removed goes the other way round."""
    return list(Kind).index(kind_of(path))


def sha256_in(path: str) -> str:
    """The hash that an entry's path promises."""
    return path.rpartition("/")[2]


def checked(path: str, content: bytes, origin: str) -> bytes:
    """The bytes, if they are those the entry's path promises; else RecordError that names `origin`."""
    if hashlib.sha256(content).hexdigest() != sha256_in(path):
        raise RecordError(
            f"{origin}: its bytes are not those of its name, {len(content)} octets; add what it was made from again, "
            "or copy it from another store"
        )
    return content
