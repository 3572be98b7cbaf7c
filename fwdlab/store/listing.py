"""What is in a store, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fwdlab.store.choose import Overview
from fwdlab.store.entry import sha256_in
from fwdlab.store.find import DIGITS
from fwdlab.store.model import Note, StoredRecord
from fwdlab.store.notes import sentence
from fwdlab.units import common_scale


def campaign_lines(over: Overview) -> Iterator[str]:
    """A line a campaign: hash, day, size, name and title; notes below."""
    for item in over.campaigns:
        campaign = item.campaign
        size = f"{len({member.key for member in campaign.members})} cases x {campaign.repeats}"
        yield f"{_short(item.path)}  {item.measured[:10] or 'unmeasured'}  {size}  {campaign.name}: {campaign.title}"
        yield from _notes(item.path, over.notes)


def record_lines(records: Sequence[StoredRecord], shown: set[str], notes: Sequence[Note]) -> Iterator[str]:
    """A line a record: hash, day, rate, case and repeat; what a later one superseded is said to be."""
    scale = common_scale([item.record.value or 0.0 for item in records])
    for item in records:
        record, trial = item.record, item.record.trial
        value = "no rate" if record.value is None else scale.text(record.value, record.label.unit)
        old = "" if item.path in shown else "  superseded"
        place = f"{'/'.join(record.names)} repeat-{trial.repeat}"
        yield f"{_short(item.path)}  {trial.ended[:10] or 'undated'}  {value}  {place}{old}"
        yield from _notes(item.path, notes)


def _notes(path: str, notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        if note.about == path:
            yield f"  {_short(note.path)}  {sentence(note)}"


def _short(path: str) -> str:
    return sha256_in(path)[:DIGITS]
