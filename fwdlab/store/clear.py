"""What of a store may go: what nothing refers to, and, where a day is given, what was superseded before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fwdlab.store.access import Reader, sound
from fwdlab.store.choose import current_campaigns, current_records
from fwdlab.store.entry import Kind, kind_of
from fwdlab.store.model import Note, StoredCampaign, StoredRecord, StoredRun
from fwdlab.store.references import references_of
from fwdlab.store.text import Parsed, check

_EVIDENCE = (Kind.RAW, Kind.PROFILE)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Whole:
    """Everything in a store by its path."""

    parsed: Mapping[str, Parsed]

    @property
    def campaigns(self) -> list[StoredCampaign]:
        return [item for item in self.parsed.values() if isinstance(item, StoredCampaign)]

    @property
    def records(self) -> list[StoredRecord]:
        return [item for item in self.parsed.values() if isinstance(item, StoredRecord)]

    @property
    def runs(self) -> list[StoredRun]:
        return [item for item in self.parsed.values() if isinstance(item, StoredRun)]

    @property
    def noted(self) -> set[str]:
        """The paths somebody said something about."""
        return {item.about for item in self.parsed.values() if isinstance(item, Note)}


def removable(reader: Reader, before: str) -> set[str]:
    """The entries that may go; RecordError where one cannot be read, since it may refer to any.

    `before` is a moment (ISO 8601): what was measured before it and stands on no page may go as well. Empty: no record
    goes, nor what it refers to.
    """
    store = _Whole(
        parsed={path: check(path, sound(path, content)) for path, content in reader.contents(reader.names(""))}
    )
    gone = _superseded(store, before) if before else set[str]()
    referred = {
        path
        for name, item in store.parsed.items()
        if name not in gone and item is not None
        for path in references_of(item)
    }
    orphans = {path for path in store.parsed if kind_of(path) in _EVIDENCE and path not in referred}
    return gone | reader.settled(orphans)


def _superseded(store: _Whole, before: str) -> set[str]:
    """Campaigns, records and runs that stand on no page any more, were measured before that, and bear no note."""
    noted = store.noted
    current = {item.path for item in current_campaigns(store.campaigns)}
    old = {item.path for item in store.campaigns if item.measured < before} - current - noted
    keys = {member.key for item in store.campaigns if item.path not in old for member in item.campaign.members}
    shown = {item.path for item in current_records(item for item in store.records if item.record.key in keys)}
    records = {item.path for item in store.records if item.record.trial.ended < before} - shown - noted
    return old | _with_runs(records, [run for run in store.runs if run.records])


def _with_runs(records: set[str], runs: Iterable[StoredRun]) -> set[str]:
    """Those of the records that only runs which go with them refer to, and these runs."""
    lists = {run.path: _records_of(run) for run in runs}
    staying = {path for path, listed in lists.items() if not listed <= records}
    while staying:
        records = records - {path for run in staying for path in lists.pop(run)}
        staying = {path for path, listed in lists.items() if not listed <= records}
    return records | set(lists)


def _records_of(run: StoredRun) -> set[str]:
    return {path for path in references_of(run) if kind_of(path) is Kind.RECORD}
