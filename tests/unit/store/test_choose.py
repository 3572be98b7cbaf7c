"""Laws of the choice: it depends on what is in a store, and on nothing else."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fwdlab.records.model import Record
from fwdlab.store.choose import View, kept_colours, overview_of, view_of
from fwdlab.store.copy import copied
from fwdlab.store.entry import Entry, Kind, entry_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.model import Act, Claim, Note
from fwdlab.store.notes import in_force
from fwdlab.store.text import campaign_text, floor_text, note_text
from tests.unit.records import example as recorded
from tests.unit.store import example

DAYS = ("2026-11-19", "2026-11-20", "2026-11-21")


@cache
def record() -> Record:
    with tempfile.TemporaryDirectory() as folder:
        return recorded.record(Path(folder))


def ended(day: str) -> str:
    return f"{day}T01:01:49Z"


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """A record of one of three repeats, a state of one of two campaigns, or a floor, each of one of three days."""
    day = draw(st.sampled_from(DAYS))
    number = draw(st.integers(1, 3))
    kind = draw(st.sampled_from([Kind.RECORD, Kind.CAMPAIGN, Kind.FLOOR]))
    if kind is Kind.RECORD:
        return example.record_entry(record(), number, ended(day), draw(st.sampled_from([9e4, 9.1e4])))
    if kind is Kind.CAMPAIGN:
        asked = replace(example.campaign([recorded.case()], f"c{number}"), title=draw(st.sampled_from("ab")))
        return entry_of(Kind.CAMPAIGN, campaign_text(asked, draw(st.integers(0, 1)), ended(day), "./lab run"))
    floor = {"hardware": f"h{number}", "deviation": 0.1, "pairs": 1, "repeats": 5, "measured": day}
    return entry_of(Kind.FLOOR, floor_text(floor))


def viewed(every: Sequence[Entry], day: str = "") -> View:
    with tempfile.TemporaryDirectory() as folder:
        store = FolderStore(root=Path(folder))
        store.add(every)
        reader = store.opened()
        return view_of(reader, overview_of(reader, day), day)


@settings(max_examples=25)
@given(every=st.lists(entries(), max_size=8), data=st.data())
def test_the_order_and_number_of_additions_change_nothing(every: list[Entry], data: st.DataObject) -> None:
    again = data.draw(st.permutations([*every, *every[:2]]))
    assert viewed(again) == viewed(every)


@settings(max_examples=25)
@given(ours=st.lists(entries(), max_size=5), theirs=st.lists(entries(), max_size=5))
def test_two_stores_come_to_the_same_whichever_goes_into_the_other(ours: list[Entry], theirs: list[Entry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one, other = (FolderStore(root=Path(folder, name)) for name in ("one", "other"))
        one.add(ours)
        other.add(theirs)
        one.add(copied(other.opened()))
        other.add(copied(one.opened()))
        assert one.opened().names("") == other.opened().names("")
        assert viewed(list(copied(one.opened()))) == viewed([*theirs, *ours])


@settings(max_examples=25)
@given(every=st.lists(entries(), max_size=8), day=st.sampled_from(DAYS))
def test_a_day_shows_what_was_measured_by_then(every: list[Entry], day: str) -> None:
    known = [entry for entry in every if day_of(entry) <= day]
    assert viewed(every, day) == viewed(known)


def day_of(entry: Entry) -> str:
    text = entry.content().decode()
    return next(word for word in DAYS if f'"{ended(word)}"' in text or f'"measured": "{word}"' in text)


@settings(max_examples=25)
@given(every=st.lists(entries(), max_size=8))
def test_one_of_each_stands_and_none_is_older_than_another(every: list[Entry]) -> None:
    view = viewed(every)
    repeats = [item.record.trial.repeat for item in view.records]
    assert repeats == sorted(set(repeats))
    newest = {
        number: max(
            (day_of(entry) for entry in every if entry.kind is Kind.RECORD and f'"repeat": {number},' in said(entry)),
        )
        for number in repeats
    }
    assert {item.record.trial.repeat: item.record.trial.ended[:10] for item in view.records} == newest
    assert len({item.campaign.name for item in view.campaigns}) == len(view.campaigns)
    assert len({item.hardware for item in view.floors}) == len(view.floors)


def said(entry: Entry) -> str:
    return entry.content().decode()


def note(about: str, act: Act = Act.INVALIDATE, when: str = DAYS[0], why: str = "cable") -> Note:
    text = note_text(Note(path="", act=act, about=about, who="ann", when=when, why=why))
    return Note(path=entry_of(Kind.NOTE, text).path, act=act, about=about, who="ann", when=when, why=why)


@given(length=st.integers(1, 30), data=st.data())
def test_a_note_holds_unless_a_note_that_holds_says_otherwise(length: int, data: st.DataObject) -> None:
    chain = [note("records/x")]
    while len(chain) < length:
        chain.append(note(chain[-1].path))
    held = in_force(data.draw(st.permutations(chain)))
    assert {item.path for item in held} == {item.path for item in chain[::-1][::2]}


def test_an_annotation_takes_nothing_back() -> None:
    first = note("records/x")
    assert first in in_force([note(first.path, Act.ANNOTATE), first])


def claims() -> Iterator[Claim]:
    for number, colour in enumerate(("#000001", "#000002", "#000003")):
        yield Claim(path=f"colours/{number}", when=DAYS[number], colours=(("patch", "none", colour),))


@given(st.permutations(list(claims())))
def test_the_first_claim_of_a_colour_stands(every: list[Claim]) -> None:
    assert kept_colours(every) == {("patch", "none"): "#000001"}


def test_an_invalidated_state_of_a_campaign_leaves_the_one_before() -> None:
    asked = example.campaign([recorded.case()])
    states = [entry_of(Kind.CAMPAIGN, campaign_text(asked, 0, ended(day), "./lab run")) for day in DAYS]
    against = entry_of(Kind.NOTE, note_text(note(states[-1].path)))
    (shown,) = viewed([*states, against]).campaigns
    assert shown.path == states[1].path


def test_an_entry_that_cannot_be_read_is_told_and_the_others_stand(tmp_path: Path) -> None:
    store = FolderStore(root=tmp_path)
    good = example.record_entry(record(), 1)
    odd = entry_of(Kind.RECORD, said(good).replace("fwdlab-record 1", "fwdlab-record 9"), record().key)
    store.add([good, odd, entry_of(Kind.CAMPAIGN, campaign_text(example.campaign([recorded.case()]), 0, "", "x"))])
    view = view_of(store.opened(), overview_of(store.opened(), ""), "")
    assert [item.path for item in view.records] == [good.path]
    assert view.refused == (
        f"{odd.path}: format 'fwdlab-record 9' is not 'fwdlab-record 1', which is known here; read it with the fwdlab "
        "that wrote it, or a newer one",
    )
