"""YAML as it was written: strings stay, places are known, tricks are refused."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import MatrixError
from fwdlab.matrix.tree import Place, read_tree

WRITABLE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=20)


@pytest.mark.parametrize(
    "scalar", ["15.10", "no", "1e3", "0x10", "010", "null", "~", "2024-01-01", "1_000", "on", ".inf"]
)
def test_a_plain_scalar_stays_the_string_that_was_written(scalar: str) -> None:
    tree = read_tree(f"{scalar}: [{scalar}]\n", "m")
    assert tree.value == {scalar: [scalar]}


@given(st.lists(WRITABLE, max_size=5))
def test_what_is_quoted_comes_back(values: list[str]) -> None:
    assert read_tree(json.dumps(values, ensure_ascii=False), "m").value == values


@given(st.recursive(WRITABLE, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WRITABLE, inner, max_size=3)))
def test_a_document_comes_back_with_a_place_for_everything(value: object) -> None:
    text = yaml.safe_dump(value, allow_unicode=True, default_style="'", width=10**6)
    tree = read_tree(text, "m")
    assert tree.value == value
    assert not tree.faults
    lines = text.splitlines()
    assert all(place.line <= len(lines) + 1 for place in tree.places.values())


def test_places_count_from_one_and_tell_key_from_value() -> None:
    tree = read_tree("a: 1\nb:\n  - x\n  - {c: y}\n", "m")
    assert tree.keys["b",] == Place(2, 1)
    assert tree.places["b",] == Place(3, 3)
    assert tree.places["b", 1, "c"] == Place(4, 9)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: 2\na: 3\n", "m:3:1: key 'a' stands twice, first in line 1; keep one of them"),
        ("a: &x 1\n", "m:1:4: anchor '&x' is not read here; write the value where it is used"),
        ("a: *x\n", "m:1:4: an alias is not read here; write the value out"),
        ("a: !!int 1\n", "m:1:4: tag 'tag:yaml.org,2002:int' is not read here; leave it out, values stay as written"),
        ("a: !python/object:os.system x\n", "m:1:4: tag '!python/object:os.system' is not read here; leave it out, "),
        ("[a]: 1\n", "m:1:1: a key is no plain word here; write 'key: value'"),
        ("a: 1\n---\nb: 2\n", "m:3:1: a second document starts here; keep one document a file"),
    ],
)
def test_what_a_matrix_does_not_need_is_a_fault(text: str, fault: str) -> None:
    assert str(read_tree(text, "m").faults[0]).startswith(fault)


def test_the_first_of_two_equal_keys_is_kept() -> None:
    assert read_tree("a: 1\na: {b: [2]}\nc: 3\n", "m").value == {"a": "1", "c": "3"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m: is empty; start from the shipped matrix.yaml"),
        ("# nothing\n", "m: is empty; start from the shipped matrix.yaml"),
        (
            "a:\n\tb: 1\n \t c: 2\n",
            "m:2:1: a tab in the indentation; indent with spaces\nm:3:2: a tab in the indentation",
        ),
        ("a: [1\n", "m:2:1: YAML cannot be read: did not find expected ',' or ']'"),
        ("a: b: c\n", "m:1:5: YAML cannot be read: mapping values are not allowed in this context; check"),
        ("x: 'a\n", "m:2:1: YAML cannot be read: found unexpected end of stream while scanning a quoted scalar; check"),
        ("a: é\x07\n", "m:1:5: character 0x7 is not allowed in YAML; remove it"),
        ("[" * 10_000, "m:1:18: nested more than 16 levels deep; a matrix needs 5"),
    ],
)
def test_what_is_no_yaml_is_told_where(text: str, message: str) -> None:
    with pytest.raises(MatrixError) as error:
        read_tree(text, "m")
    assert str(error.value).startswith(message)


def test_a_billion_laughs_are_not_laughed() -> None:
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30))
    tree = read_tree(f"l0: &l0 ha\n{levels}\n", "m")
    assert len(tree.faults) == 30 + 29 * 9
