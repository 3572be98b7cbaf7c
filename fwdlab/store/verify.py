"""Whether a store is whole: names, schemas, references, and nothing beside the entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fwdlab.errors import RecordError
from fwdlab.store.access import Reader, sound
from fwdlab.store.references import references_of
from fwdlab.store.text import check


@dataclass(frozen=True, kw_only=True, slots=True)
class Verified:
    """What was looked at, and a sentence for each fault."""

    entries: int
    octets: int
    faults: tuple[str, ...]


def verified(reader: Reader) -> Verified:
    """Every entry read, and held against its name, its schema and what it refers to."""
    names = reader.names("")
    known, octets, faults = set(names), 0, list[str]()
    for path, content in reader.contents(names):
        octets += len(content or b"")
        faults += _faults(path, content, known)
    faults += [f"{path}: is no entry of a store; move it elsewhere" for path in reader.strays()]
    return Verified(entries=len(names), octets=octets, faults=tuple(faults))


def _faults(path: str, content: bytes | None, known: set[str]) -> Iterator[str]:
    try:
        parsed = check(path, sound(path, content))
    except RecordError as error:
        yield str(error)
        return
    for reference in references_of(parsed):
        if reference not in known:
            yield f"{path}: refers to '{reference}', which is not there; add what it was made from again"
