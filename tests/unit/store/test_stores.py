"""What holds of every store, whatever it is kept in."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.errors import LabError, MatrixError, RecordError
from fwdlab.store.access import Added, Store, sound
from fwdlab.store.copy import copied
from fwdlab.store.entry import Entry, Kind, entry_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.verify import verified
from tests.unit.store import example


def contents(store: Store) -> dict[str, bytes]:
    reader = store.opened()
    return {path: sound(path, content) for path, content in reader.contents(reader.names(""))}


def expected(entries: list[Entry]) -> dict[str, bytes]:
    return {entry.path: entry.content() for entry in entries}


def test_what_is_added_is_there_to_the_byte_and_whole(store: Store, tmp_path: Path) -> None:
    entries = example.made(tmp_path / "results")
    assert store.add(entries).new == len(expected(entries))
    assert contents(store) == expected(entries)
    whole = verified(store.opened())
    assert (whole.entries, whole.faults) == (len(expected(entries)), ())


def test_adding_twice_is_adding_once(store: Store, tmp_path: Path) -> None:
    entries = example.made(tmp_path / "results")
    store.add(entries)
    before = contents(store)
    assert store.add(entries).new == 0
    assert contents(store) == before


def test_adding_nothing_makes_an_empty_store_or_none(store: Store) -> None:
    assert store.add([]) == Added(new=0, present=0)


def test_names_are_found_by_folder(store: Store, tmp_path: Path) -> None:
    entries = list(example.record_entries(tmp_path, range(1, 6)))
    store.add(entries)
    reader = store.opened()
    records = sorted(entry.path for entry in entries if entry.kind is Kind.RECORD)
    assert reader.names("records") == reader.names(records[0].rpartition("/")[0]) == records
    assert reader.names("notes", "records/00") == []
    assert reader.names() == []


def test_what_is_not_there_is_told(store: Store) -> None:
    store.add([entry_of(Kind.RAW, "x")])
    path = entry_of(Kind.RAW, "y").path
    assert dict(store.opened().contents([path, "raw"])) == {path: None, "raw": None}
    with pytest.raises(RecordError, match="is not in the store"):
        sound(path, None)


def test_what_is_removed_is_gone_and_the_rest_stays(store: Store, tmp_path: Path) -> None:
    entries = list(example.record_entries(tmp_path, range(1, 4)))
    store.add(entries)
    gone = entries[-1].path
    assert store.remove(lambda reader: [path for path in reader.names("records") if path == gone]) == 1
    assert contents(store) == {path: content for path, content in expected(entries).items() if path != gone}
    assert store.remove(lambda _: []) == 0


def test_there_is_nothing_to_read_before_something_is_added(store: Store) -> None:
    with pytest.raises(MatrixError, match="make one with 'fwdlab store add'"):
        store.opened()


def test_everything_of_one_store_goes_into_another(store: Store, tmp_path: Path) -> None:
    other = FolderStore(root=tmp_path / "other")
    other.add(example.made(tmp_path / "results"))
    store.add(copied(other.opened()))
    assert contents(store) == contents(other)


def test_an_entry_whose_file_changes_meanwhile_is_not_added(store: Store, tmp_path: Path) -> None:
    entries = list(example.record_entries(tmp_path, [1]))
    raw = next(entry for entry in entries if isinstance(entry.source, Path))
    assert isinstance(raw.source, Path)
    raw.source.write_text("other")
    with pytest.raises((RecordError, LabError), match="its bytes are not those of its name"):
        store.add(entries)
