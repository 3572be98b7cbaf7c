"""Which entries an entry refers to: what must be there as long as it is."""

from __future__ import annotations

from collections.abc import Iterator

from fwdlab.store.entry import Kind, entry_path
from fwdlab.store.model import Note, StoredRecord, StoredRun
from fwdlab.store.text import Parsed


def references_of(parsed: Parsed) -> Iterator[str]:
    """The paths of the entries it refers to."""
    if isinstance(parsed, StoredRecord):
        yield from (entry_path(Kind.RAW, raw.sha256) for raw in parsed.record.raw)
    elif isinstance(parsed, StoredRun):
        yield from (entry_path(Kind.RECORD, sha256, parsed.key) for sha256 in parsed.records)
        yield from (entry_path(Kind.RAW, file.sha256) for file in parsed.files if file.kept)
        if parsed.profile:
            yield entry_path(Kind.PROFILE, parsed.profile)
    elif isinstance(parsed, Note):
        yield parsed.about
