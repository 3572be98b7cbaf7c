"""When the cases of a plan were measured last, as a store has it: what is there need not be measured again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from fwdlab.store.access import Reader
from fwdlab.store.model import Note, StoredRecord
from fwdlab.store.notes import in_force, invalidated
from fwdlab.store.read import notes_in, records_of_cases


def dates_in(reader: Reader, repeats: Mapping[str, int]) -> dict[str, datetime]:
    """The end of the newest trial by the case's key; of cases that have all these repeats, invalidated ones aside."""
    withdrawn = invalidated(in_force([note for note in notes_in(reader) if isinstance(note, Note)]))
    ended: dict[str, dict[int, datetime]] = {}
    for item in records_of_cases(reader, repeats):
        if isinstance(item, StoredRecord) and item.path not in withdrawn:
            trial = item.record.trial
            ended.setdefault(item.record.key, {})[trial.repeat] = _date(trial.ended)
    return {key: max(dates.values()) for key, dates in ended.items() if set(range(1, repeats[key] + 1)) <= dates.keys()}


def _date(text: str) -> datetime:
    """A moment of a record; one that says none is long ago."""
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return date if date.tzinfo else date.replace(tzinfo=UTC)
