"""Everything in one store, on its way into another."""

from __future__ import annotations

from collections.abc import Iterator

from fwdlab.store.access import Reader, sound
from fwdlab.store.entry import SHELVED, Entry, kind_of, rank, sha256_in


def copied(reader: Reader) -> Iterator[Entry]:
    """Every entry, those referred to before those that refer; RecordError at one that is damaged."""
    paths = sorted(reader.names(""), key=rank)
    for path, content in reader.contents(paths):
        kind = kind_of(path)
        shelf = path.split("/")[2] if kind in SHELVED else ""
        yield Entry(kind=kind, shelf=shelf, sha256=sha256_in(path), source=sound(path, content))
