"""Entries read as what they hold; one that is not what its name and its schema say gives the error instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from fwdlab.errors import RecordError
from fwdlab.store.access import Reader, sound
from fwdlab.store.entry import Kind, shelf_folder
from fwdlab.store.model import Claim, Note, StoredCampaign, StoredFloor, StoredRecord, StoredRun
from fwdlab.store.text import (
    parse_campaign,
    parse_claim,
    parse_floor,
    parse_note,
    parse_run,
    parse_stored_record,
)

_T = TypeVar("_T")


def campaigns_in(reader: Reader, name: str) -> Iterator[StoredCampaign | RecordError]:
    """The campaign of that name as it ever stood; every one where the name is empty."""
    found = _all(reader, [Kind.CAMPAIGN], lambda path, content: _asked_for(path, content, name))
    return (item for item in found if item is not None)


def floors_in(reader: Reader) -> Iterator[StoredFloor | RecordError]:
    """Every noise floor that was ever measured."""
    return _all(reader, [Kind.FLOOR], parse_floor)


def notes_in(reader: Reader) -> Iterator[Note | RecordError]:
    """Every note, whether in force or not."""
    return _all(reader, [Kind.NOTE], parse_note)


def claims_in(reader: Reader) -> Iterator[Claim | RecordError]:
    """Every claim of colours."""
    return _all(reader, [Kind.COLOURS], parse_claim)


def records_of_cases(reader: Reader, keys: Iterable[str]) -> Iterator[StoredRecord | RecordError]:
    """Every record of these cases."""
    return _all(reader, [shelf_folder(Kind.RECORD, key) for key in keys], parse_stored_record)


def runs_of_cases(reader: Reader, keys: Iterable[str]) -> Iterator[StoredRun | RecordError]:
    """What every run of these cases left."""
    return _all(reader, [shelf_folder(Kind.RUN, key) for key in keys], parse_run)


def _asked_for(path: str, content: bytes, name: str) -> StoredCampaign | None:
    """The campaign, unless it is another's: one that is not asked for is not held against its schema."""
    try:
        other = bool(name) and json.loads(content)["campaign"]["name"] != name
    except (ValueError, TypeError, KeyError):
        other = False
    return None if other else parse_campaign(path, content)


def _all(reader: Reader, folders: Sequence[str], parse: Callable[[str, bytes], _T]) -> Iterator[_T | RecordError]:
    for path, content in reader.contents(reader.names(*folders) if folders else ()):
        try:
            yield parse(path, sound(path, content))
        except RecordError as error:
            yield error
