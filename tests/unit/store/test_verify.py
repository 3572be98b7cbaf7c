"""Each way a store can be wrong is found, and told with its place."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fwdlab.store.entry import Entry, Kind, entry_of, entry_path
from fwdlab.store.folder import FolderStore
from fwdlab.store.model import Act, Note
from fwdlab.store.text import note_text
from fwdlab.store.verify import verified
from tests.unit.store import example


@pytest.fixture
def kept(tmp_path: Path) -> FolderStore:
    store = FolderStore(root=tmp_path / "kept")
    store.add(example.made(tmp_path / "results"))
    assert verified(store.opened()).faults == ()
    return store


def one(store: FolderStore, kind: Kind) -> Path:
    return store.root / store.opened().names(kind)[0]


def rewrite(path: Path, content: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(content)


def faults(store: FolderStore) -> list[str]:
    return list(verified(store.opened()).faults)


def flip(content: bytes) -> bytes:
    return bytes([content[0] ^ 1]) + content[1:]


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in {Kind.NOTE, Kind.COLOURS}])
@pytest.mark.parametrize("damage", [flip, lambda content: content[:-1], lambda _: b""], ids=["flipped", "cut", "empty"])
def test_a_damaged_entry_is_found_and_adding_again_mends_it(
    kept: FolderStore, tmp_path: Path, kind: Kind, damage: Callable[[bytes], bytes]
) -> None:
    path = one(kept, kind)
    before = path.read_bytes()
    assert damage(before) != before, "an empty file cannot be cut"
    rewrite(path, damage(before))
    (said,) = faults(kept)
    name = path.relative_to(kept.root).as_posix()
    assert said.startswith(f"{name}: its bytes are not those of its name, {len(damage(before))} octets; add ")
    kept.add(example.made(tmp_path / "again"))
    assert faults(kept) == []
    assert path.read_bytes() == before


def test_a_file_under_another_name_is_found(kept: FolderStore) -> None:
    path = one(kept, Kind.FLOOR)
    other = kept.root / entry_path(Kind.FLOOR, "ab" * 32)
    other.parent.mkdir(parents=True)
    path.rename(other)
    (said,) = faults(kept)
    assert said.startswith(f"{other.relative_to(kept.root)}: its bytes are not those of its name")


def test_a_record_on_the_shelf_of_another_case_is_found(kept: FolderStore) -> None:
    path = one(kept, Kind.RECORD)
    other = kept.root / "records/00/0000000000ff" / path.name
    other.parent.mkdir(parents=True)
    shutil.copy(path, other)
    (said,) = faults(kept)
    assert said.startswith(f"{other.relative_to(kept.root)}: belongs at '{path.relative_to(kept.root)}'; add ")


@pytest.mark.parametrize("kind", [Kind.RAW, Kind.PROFILE, Kind.RECORD])
def test_what_is_referred_to_and_gone_is_found(kept: FolderStore, kind: Kind) -> None:
    path = one(kept, kind)
    path.unlink()
    assert faults(kept)
    assert all(f"refers to '{path.relative_to(kept.root)}', which is not there" in said for said in faults(kept))


def test_a_note_about_nothing_is_found(kept: FolderStore) -> None:
    about = entry_path(Kind.CAMPAIGN, "ab" * 32)
    note = Note(path="", act=Act.ANNOTATE, about=about, who="ann", when="2026-11-21T00:00:00Z", why="x")
    kept.add([entry_of(Kind.NOTE, note_text(note))])
    (said,) = faults(kept)
    assert f"refers to '{about}', which is not there" in said


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (Kind.RECORD, {"format": "fwdlab-record 9"}, "format 'fwdlab-record 9' is not 'fwdlab-record 1', which is"),
        (Kind.RUN, {"format": "fwdlab-run 2"}, "format 'fwdlab-run 2' is not 'fwdlab-run 1'"),
        (Kind.PROFILE, {"format": None}, "format 'None' is not 'fwdlab-profile 1'"),
        (Kind.RECORD, {"trial": {}}, "$.trial: "),
        (Kind.RUN, {"names": ["../..", "a", "b", "c", "d"]}, "$.names[0]: '../..' does not match"),
        (Kind.RUN, {"records": ["x"]}, "$.records[0]: 'x' does not match"),
        (Kind.FLOOR, {"deviation": -1}, "$.deviation: -1 is less than the minimum"),
        (Kind.CAMPAIGN, {"place": "first"}, "$.place: 'first' is not of type 'integer'"),
        (Kind.CAMPAIGN, {"campaign": {"name": "x"}}, "$.campaign: 'title' is a required property"),
        (Kind.PROFILE, {"stacks": "a 1"}, "$.stacks: 'a 1' is not of type 'array'"),
    ],
)
def test_what_does_not_fit_its_schema_is_found(kept: FolderStore, kind: Kind, change: object, said: str) -> None:
    document = json.loads(one(kept, kind).read_text())
    assert isinstance(change, dict)
    odd = add_text(kept, kind, json.dumps({**document, **change}), shelf_of(one(kept, kind), kind))
    (found,) = (line for line in faults(kept) if line.startswith(odd.path))
    assert said in found


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": NaN}', "[" * 100_000, "\udcff"])
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.RAW])
def test_what_is_no_document_is_found(kept: FolderStore, kind: Kind, text: str) -> None:
    shelf = "0123456789ab" if kind in {Kind.RECORD, Kind.RUN} else ""
    path = kept.root / add_bytes(kept, kind, text.encode(errors="surrogateescape"), shelf).path
    (found,) = faults(kept)
    assert found.startswith(f"{path.relative_to(kept.root)}: ")
    assert "; " in found


def shelf_of(path: Path, kind: Kind) -> str:
    return path.parent.name if kind in {Kind.RECORD, Kind.RUN} else ""


def add_text(store: FolderStore, kind: Kind, text: str, shelf: str) -> Entry:
    return add_bytes(store, kind, text.encode(), shelf)


def add_bytes(store: FolderStore, kind: Kind, content: bytes, shelf: str) -> Entry:
    sha256 = entry_of(Kind.RAW, "").sha256 if not content else sha(content)
    entry = Entry(kind=kind, shelf=shelf, sha256=sha256, source=content)
    store.add([entry])
    return entry


def sha(content: bytes) -> str:
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("name", ["README.md", "raw/ab/notes.txt", "records/x", "index/records.tsv"])
def test_foreign_files_are_told_and_left_alone(kept: FolderStore, name: str) -> None:
    path = kept.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    assert faults(kept) == [f"{name}: is no entry of a store; move it elsewhere"]
    kept.tidy()
    assert path.read_text() == "mine"


def test_a_link_is_no_entry(kept: FolderStore, tmp_path: Path) -> None:
    path = one(kept, Kind.FLOOR)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    (said,) = faults(kept)
    assert "is not in the store, or cannot be read" in said
    (kept.root / "raw/linked").symlink_to(tmp_path)
    assert "raw/linked: is no entry of a store; move it elsewhere" in faults(kept)


def test_what_writers_at_work_leave_is_no_fault(kept: FolderStore) -> None:
    (kept.root / "tmp").mkdir(exist_ok=True)
    (kept.root / "tmp/tmpabc").write_text("half")
    assert faults(kept) == []
