"""An entry's name is its content, and its place follows from it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import RecordError
from fwdlab.store.entry import SHELVED, Entry, Kind, checked, entry_of, is_entry, kind_of, rank, sha256_in

KEY = "0123456789ab"


@given(kind=st.sampled_from(Kind), text=st.text(st.characters(exclude_categories=["Cs"])))
def test_the_place_of_an_entry_tells_what_it_is(kind: Kind, text: str) -> None:
    entry = entry_of(kind, text, KEY if kind in SHELVED else "")
    assert is_entry(entry.path)
    assert kind_of(entry.path) is kind
    assert sha256_in(entry.path) == hashlib.sha256(text.encode()).hexdigest()
    assert checked(entry.path, text.encode(), "x") == text.encode()


@pytest.mark.parametrize(
    "path",
    [
        "",
        "README.md",
        "raw/ab/" + "cd" * 32,  # the folder is not the name's
        "raw/cd/" + "CD" * 32,
        "raw/cd/" + "cd" * 31,
        "raw/cd/" + "cd" * 32 + "\n",
        "raw/../" + "cd" * 32,
        "records/cd/" + "cd" * 32,  # has no shelf
        f"records/02/{KEY}/" + "cd" * 32,
        f"raw/01/{KEY}/" + "cd" * 32,
        "other/cd/" + "cd" * 32,
        "/raw/cd/" + "cd" * 32,
    ],
)
def test_other_paths_are_none(path: str) -> None:
    assert not is_entry(path)


def test_a_file_that_changed_on_its_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "result").write_text("1")
    entry = Entry(kind=Kind.RAW, shelf="", sha256=hashlib.sha256(b"2").hexdigest(), source=tmp_path / "result")
    with pytest.raises(RecordError, match=rf"{tmp_path}/result: its bytes are not those of its name, 1 octets"):
        entry.content()


def test_what_is_referred_to_comes_first() -> None:
    ordered = sorted(Kind, key=lambda kind: rank(f"{kind}/x"))
    assert ordered.index(Kind.RAW) < ordered.index(Kind.RECORD) < ordered.index(Kind.RUN) < ordered.index(Kind.NOTE)
