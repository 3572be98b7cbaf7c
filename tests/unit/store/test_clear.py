"""What may go from a store: nothing that stands on a page, bears a note, or is referred to by what stays."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fwdlab.errors import RecordError
from fwdlab.store.access import Store
from fwdlab.store.choose import View, overview_of, view_of
from fwdlab.store.clear import removable
from fwdlab.store.entry import Entry, Kind, entry_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.gather import gathered
from fwdlab.store.model import Act, Note, StoredRun
from fwdlab.store.place import store_at
from fwdlab.store.text import campaign_text, note_text, run_text
from fwdlab.store.verify import verified
from tests.unit.records import example as recorded
from tests.unit.store import example
from tests.unit.store.test_choose import DAYS, ended, record

LATER = "2027-01-01T00:00:00Z"


def note_about(path: str) -> Entry:
    note = Note(path="", act=Act.ANNOTATE, about=path, who="ann", when=LATER, why="keep it")
    return entry_of(Kind.NOTE, note_text(note))


def aged(store: FolderStore) -> FolderStore:
    """The store as it will be when all writers of today are long gone."""
    for path in store.root.rglob("*"):
        if path.is_file():
            os.utime(path, (1, 1))
    return store


def view(store: Store) -> View:
    reader = store.opened()
    return view_of(reader, overview_of(reader, ""), "")


def measured_twice(folder: Path) -> FolderStore:
    """Results, and the same cases measured again a month later."""
    store = FolderStore(root=folder / "kept")
    results = example.write_results(folder / "results")
    first = gathered(results)
    store.add(first.entries)
    for facts in (results / "runs").rglob("repeat-*/facts"):
        facts.write_text(facts.read_text().replace("2026-11-21", "2026-12-21"))
    for run in (results / "runs").glob("*/*/*/*/*/*"):
        recorded.write_manifest(run)
    again = example.records_again(results)
    store.add(again.entries)
    return aged(store)


def test_without_a_day_no_record_goes(tmp_path: Path) -> None:
    store = measured_twice(tmp_path)
    assert removable(store.opened(), "") == set()


def test_what_was_superseded_before_a_day_goes_with_all_that_only_it_needed(tmp_path: Path) -> None:
    store = measured_twice(tmp_path)
    before = view(store)
    assert removable(store.opened(), "2026-11-21T00:00:00Z") == set(), "nothing is that old"
    gone = store.remove(lambda reader: removable(reader, LATER))
    assert gone > 0
    kinds = {kind: len(store.opened().names(kind)) for kind in Kind}
    assert (kinds[Kind.RECORD], kinds[Kind.RUN], kinds[Kind.CAMPAIGN]) == (6, 2, 1)
    assert verified(store.opened()).faults == ()
    assert view(store) == before
    assert store.remove(lambda reader: removable(reader, LATER)) == 0


def test_what_bears_a_note_stays(tmp_path: Path) -> None:
    store = measured_twice(tmp_path)
    old = next(path for path in removable(store.opened(), LATER) if path.startswith("records"))
    store.add([note_about(old)])
    store.remove(lambda reader: removable(reader, LATER))
    assert old in store.opened().names("records")
    assert verified(store.opened()).faults == ()


def test_raw_output_that_nothing_refers_to_goes_once_no_writer_can_be_about_to(tmp_path: Path) -> None:
    store = FolderStore(root=tmp_path)
    orphan = entry_of(Kind.RAW, "nobody's")
    store.add([orphan])
    assert removable(store.opened(), "") == set()
    assert removable(aged(store).opened(), "") == {orphan.path}


def test_in_a_branch_it_goes_at_once_and_stays_in_earlier_commits(clone: Path) -> None:
    store = store_at("git:history", 20)
    orphan = entry_of(Kind.RAW, "nobody's")
    store.add([orphan])
    assert store.remove(lambda reader: removable(reader, "")) == 1
    assert store.opened().names("") == []
    assert orphan.path in example.git(clone, "ls-tree", "-r", "--name-only", "history~1")


def test_a_store_that_cannot_be_read_whole_loses_nothing(tmp_path: Path) -> None:
    store = measured_twice(tmp_path)
    odd = store.root / store.opened().names("campaigns")[0]
    odd.chmod(0o644)
    odd.write_text("{}")
    names = store.opened().names("")
    with pytest.raises(RecordError, match="its bytes are not those of its name"):
        store.remove(lambda reader: removable(reader, LATER))
    assert store.opened().names("") == names


def test_what_dead_writers_left_goes_and_what_others_write_stays(tmp_path: Path) -> None:
    store = FolderStore(root=tmp_path)
    store.add([])
    for name, age_s in (("dead", 100_000), ("alive", 10)):
        (tmp_path / "tmp" / name).write_text("half")
        os.utime(tmp_path / "tmp" / name, (time.time() - age_s,) * 2)
    assert store.tidy() == 1
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == ["alive"]


@st.composite
def histories(draw: st.DrawFn) -> list[Entry]:
    """Records of three repeats on three days, runs that list some of them, states of a campaign, and notes."""
    records = [
        example.record_entry(record(), number, ended(day))
        for number, day in draw(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(DAYS)), max_size=7))
    ]
    entries = [*records]
    for listed in draw(st.lists(st.lists(st.sampled_from(records), max_size=4), max_size=3)) if records else ():
        hashes = tuple(sorted({entry.sha256 for entry in listed}))
        day = draw(st.sampled_from(DAYS))
        run = StoredRun(
            path="", names=record().names, key=record().key, measured=day, records=hashes, files=(), profile=""
        )
        entries.append(entry_of(Kind.RUN, run_text(run), record().key))
    for day in draw(st.lists(st.sampled_from(DAYS), max_size=3)):
        asked = replace(example.campaign([recorded.case()]), title=draw(st.sampled_from("ab")))
        entries.append(entry_of(Kind.CAMPAIGN, campaign_text(asked, 0, ended(day), "./lab run")))
    noted = draw(st.lists(st.sampled_from(entries), max_size=2)) if entries else []
    return [*entries, *(note_about(entry.path) for entry in noted if entry.kind in {Kind.RECORD, Kind.CAMPAIGN})]


@settings(max_examples=60)
@given(every=histories(), day=st.sampled_from(DAYS))
def test_whatever_goes_the_pages_stay_and_the_store_is_whole(every: list[Entry], day: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = FolderStore(root=Path(folder, "kept"))
        raw = [entry for entry in example.record_entries(Path(folder), []) if entry.kind is Kind.RAW]
        store.add([*raw, *every])
        aged(store)
        before, noted = view(store), [note.about for note in view(store).notes]
        removed = removable(store.opened(), ended(day))
        store.remove(lambda _: removed)
        assert verified(store.opened()).faults == ()
        assert view(store).campaigns == before.campaigns
        assert view(store).records == before.records
        assert set(noted) <= set(store.opened().names(""))
        assert not [path for path in removed if path.startswith(("notes", "floors", "colours"))]
        assert removable(store.opened(), ended(day)) <= set(), "once is enough"
