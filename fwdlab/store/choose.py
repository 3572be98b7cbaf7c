"""What of a store's whole history stands on the pages now: a function of its entries, whatever order they came in.

Of each campaign, the state that was measured last. Of each repeat of its cases, the record that was measured last:
older ones stay in the store, but two measurements of one repeat are no two repeats. Of each machine, its last noise
floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from fwdlab.errors import RecordError
from fwdlab.store.access import Reader
from fwdlab.store.model import Claim, Note, StoredCampaign, StoredFloor, StoredRecord, StoredRun
from fwdlab.store.notes import in_force, invalidated
from fwdlab.store.read import campaigns_in, claims_in, floors_in, notes_in, records_of_cases, runs_of_cases

Colours = dict[tuple[str, str], str]  # by axis and value

_T = TypeVar("_T")
_Key = tuple[Any, ...] | str
_Age = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Overview:
    """Which campaigns there are, and what was said of anything."""

    campaigns: tuple[StoredCampaign, ...]  # in the order they were declared in, then by name
    notes: tuple[Note, ...]  # in force, the oldest first
    refused: tuple[str, ...]  # a sentence for each entry that cannot be read


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What stands on the pages."""

    campaigns: tuple[StoredCampaign, ...]
    notes: tuple[Note, ...]
    records: tuple[StoredRecord, ...]  # one a repeat, by case and repeat
    runs: tuple[StoredRun, ...]  # one a case
    floors: tuple[StoredFloor, ...]  # one a machine
    colours: Colours
    refused: tuple[str, ...]


def overview_of(reader: Reader, day: str, name: str = "") -> Overview:
    """The campaigns at the end of that day (ISO 8601), by all that is said today; an empty day is now.

    Only the campaign of that name, where one is given.
    """
    refused: list[str] = []
    notes = tuple(in_force(list(_sound(notes_in(reader), refused))))
    campaigns = _by_then(_sound(campaigns_in(reader, name), refused), lambda item: item.measured, day)
    return Overview(
        campaigns=tuple(current_campaigns(item for item in campaigns if item.path not in invalidated(notes))),
        notes=notes,
        refused=tuple(refused),
    )


def view_of(reader: Reader, over: Overview, day: str) -> View:
    """What stood on the pages of those campaigns at the end of that day."""
    refused, gone = list(over.refused), invalidated(over.notes)
    keys = sorted({member.key for item in over.campaigns for member in item.campaign.members})
    records = _by_then(_sound(records_of_cases(reader, keys), refused), _ended, day)
    runs = _by_then(_sound(runs_of_cases(reader, keys), refused), lambda item: item.measured, day)
    floors = _by_then(_sound(floors_in(reader), refused), lambda item: item.measured, day)
    return View(
        campaigns=over.campaigns,
        notes=over.notes,
        records=tuple(current_records(records)),
        runs=tuple(current_runs(runs)),
        floors=tuple(current_floors(item for item in floors if item.path not in gone)),
        colours=colours_of(reader),
        refused=tuple(refused),
    )


def current_campaigns(campaigns: Iterable[StoredCampaign]) -> list[StoredCampaign]:
    """Of each campaign the state that was measured last, in the order they were declared in, then by name."""
    found = _current(campaigns, lambda item: item.campaign.name, lambda item: (item.measured, item.path))
    return sorted(found, key=lambda item: (item.place, item.campaign.name))


def current_runs(runs: Iterable[StoredRun]) -> list[StoredRun]:
    """Of each case the run that was measured last, and of that what was added when it was fullest."""
    return _current(runs, lambda item: item.key, lambda item: (item.measured, len(item.files), item.path))


def current_floors(floors: Iterable[StoredFloor]) -> list[StoredFloor]:
    """Of each machine the noise floor that was measured last, by machine."""
    return _current(floors, lambda item: item.hardware, lambda item: (item.measured, item.path))


def current_records(records: Iterable[StoredRecord]) -> list[StoredRecord]:
    """Of each repeat of each case the record that was measured last, by case and repeat."""
    return _current(
        records,
        lambda item: (item.record.names, item.record.key, item.record.trial.repeat),
        lambda item: (_ended(item), item.path),
    )


def colours_of(reader: Reader) -> Colours:
    """The colours that stay; a claim that cannot be read is for 'fwdlab store verify' to tell."""
    return kept_colours(_sound(claims_in(reader), []))


def kept_colours(claims: Iterable[Claim]) -> Colours:
    """The colour of each arm by its first claim, which no later one can take away."""
    colours: Colours = {}
    for claim in sorted(claims, key=lambda claim: (claim.when, claim.path)):
        for axis, value, colour in claim.colours:
            colours.setdefault((axis, value), colour)
    return colours


def _by_then(items: Iterable[_T], measured: Callable[[_T], str], day: str) -> Iterator[_T]:
    return (item for item in items if not day or measured(item)[:10] <= day)


def _sound(items: Iterable[_T | RecordError], refused: list[str]) -> Iterator[_T]:
    """Those that can be read; a sentence for each other goes to `refused`."""
    for item in items:
        if isinstance(item, RecordError):
            refused.append(str(item))
        else:
            yield item


def _current(items: Iterable[_T], same: Callable[[_T], _Key], age: Callable[[_T], _Age]) -> list[_T]:
    """The youngest of each that are the same thing, in the order of what makes them the same."""
    found: dict[_Key, _T] = {}
    for item in items:
        other = found.get(same(item))
        if other is None or age(item) > age(other):
            found[same(item)] = item
    return [found[key] for key in sorted(found)]


def _ended(item: StoredRecord) -> str:
    return item.record.trial.ended
