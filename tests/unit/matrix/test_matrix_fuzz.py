"""Whatever stands in the file: a matrix comes out, or a MatrixError with a place; never anything else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.matrix.expand import cells
from tests.unit.matrix.example import TEXT, Bench

EXAMPLES = Path(__file__).parents[3] / "examples"
SHIPPED = {
    "freebsd/running.yaml": ("load: max", "load: ndr, search: {initial: 1s, final: 2s, width: 1%}"),
    "netns.yaml": ("load: max", "load: [10%, 90%]"),
    "rfc.yaml": ("load: max", "load: 5000"),
    "state-table-virtual.yaml": ("family: inet,", "family: inet6,"),
}  # examples, with more asked of them than they do
WRONG = ("soon", "0", ["x"], {"a": "b"}, None)  # None: there is nothing
FAULT = re.compile(r"(\d+:\d+: )?\S.*; \S.*")
WORDS = st.sampled_from(
    ["", "old", "box", "none", "udp4", "0", "5", "1%", "max", "qemu", "a b", "../x", "{arch}", "\u2028"]
)
VALUES = st.recursive(
    WORDS | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3)
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "stateful.nft").write_text("")
    return Bench(folder=folder)


def told_or_loaded(bench: Bench, text: bytes) -> None:
    faults = bench.faults(text)
    assert all(FAULT.fullmatch(fault) for fault in faults), faults
    assert faults or any(True for _ in cells(bench.load(text)))


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of the document with every key or index in it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from spots(value[key])


@given(st.integers(0, 10**6), VALUES)
def test_a_value_that_is_replaced(bench: Bench, spot: int, value: Any) -> None:
    document = yaml.load(TEXT, Loader=yaml.BaseLoader)  # noqa: S506 - builds strings only
    found = list(spots(document))
    container, key = found[spot % len(found)]
    container[key] = value
    told_or_loaded(bench, yaml.safe_dump(document, default_style="'", allow_unicode=True).encode())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_value_of_an_example_that_is_wrong_or_missing(bench: Bench, name: str) -> None:
    shutil.copytree((EXAMPLES / name).parent / "firewalls", bench.folder / "firewalls", dirs_exist_ok=True)
    text = (EXAMPLES / name).read_text().replace(*SHIPPED[name], 1)
    for spot, _ in enumerate(spots(yaml.load(text, Loader=yaml.BaseLoader))):  # noqa: S506 - builds strings only
        for wrong in WRONG:
            document = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - builds strings only
            container, key = list(spots(document))[spot]
            container[key] = wrong
            if wrong is None:
                del container[key]
            told_or_loaded(bench, yaml.safe_dump(document, default_style="'", allow_unicode=True).encode())


@given(st.integers(0, 10**6), WORDS)
def test_a_key_that_is_replaced(bench: Bench, spot: int, name: str) -> None:
    document = yaml.load(TEXT, Loader=yaml.BaseLoader)  # noqa: S506 - builds strings only
    found = [(container, key) for container, key in spots(document) if isinstance(container, dict)]
    container, key = found[spot % len(found)]
    container[name] = container.pop(key)
    told_or_loaded(bench, yaml.safe_dump(document, default_style="'", allow_unicode=True).encode())


@given(st.integers(0, len(TEXT)), st.integers(0, 30), st.binary(max_size=8) | st.text(max_size=8).map(str.encode))
def test_octets_that_are_replaced(bench: Bench, begin: int, length: int, octets: bytes) -> None:
    data = TEXT.encode()
    told_or_loaded(bench, data[:begin] + octets + data[begin + length :])
