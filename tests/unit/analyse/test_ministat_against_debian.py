"""Our text against the binary of Debian's package `ministat` (2015), on random sets."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fwdlab.analyse.ministat import CONFIDENCES, CURRENT, OLDEST, PAGE, Formulas, Layout, NamedSet, ministat_text

BINARY = shutil.which("ministat")
pytestmark = pytest.mark.skipif(BINARY is None, reason="Debian's package 'ministat' is not installed")

WHOLE = st.integers(min_value=-10_000_000, max_value=10_000_000)
HALVES = WHOLE.map(lambda value: value / 2)
NARROW = st.integers(min_value=0, max_value=12)  # many values in one column: tall stacks


def sets(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[list[list[float]]]:
    one = st.tuples(st.sampled_from([WHOLE, HALVES, NARROW]), sizes).flatmap(
        lambda pick: st.lists(pick[0].map(float), min_size=pick[1], max_size=pick[1])
    )
    return st.lists(one, min_size=1, max_size=7)


LAYOUTS = st.builds(
    Layout,
    plot=st.booleans(),
    tests=st.just(True),
    headings=st.just(True),
    separate_bars=st.booleans(),
    width=st.integers(min_value=2, max_value=100),
    confidence=st.sampled_from(CONFIDENCES),
)


def debian(values: list[list[float]], layout: Layout) -> str:
    options = ["-w", str(layout.width), "-c", f"{layout.confidence:g}"]
    options += ["-s"] * layout.separate_bars + ["-A"] * (not layout.plot)
    with tempfile.TemporaryDirectory() as folder:
        for index, items in enumerate(values):
            (Path(folder) / f"set{index}").write_text("".join(f"{item!r}\n" for item in items))
        names = [f"set{index}" for index in range(len(values))]
        run = subprocess.run([str(BINARY), *options, *names], cwd=folder, check=True, capture_output=True, text=True)
    return run.stdout


def ours(values: list[list[float]], layout: Layout, formulas: Formulas) -> str:
    named = [NamedSet(name=f"set{index}", values=tuple(items)) for index, items in enumerate(values)]
    return ministat_text(named, layout, formulas)


@settings(max_examples=300, deadline=None)
@given(values=sets(st.integers(min_value=3, max_value=12)), layout=LAYOUTS)
def test_oldest_formulas_give_the_same_bytes(values: list[list[float]], layout: Layout) -> None:
    assert ours(values, layout, OLDEST) == debian(values, layout)


@settings(max_examples=100, deadline=None)
@given(values=sets(st.integers(min_value=1, max_value=5).map(lambda half: 2 * half + 1)), layout=LAYOUTS)
def test_with_odd_n_only_the_relative_interval_has_changed(values: list[list[float]], layout: Layout) -> None:
    expected = debian(values, layout).splitlines()
    found = ours(values, layout, CURRENT).splitlines()
    differing = [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]]
    assert all("% +/- " in old and old.split("%")[0] == new.split("%")[0] for old, new in differing)


@pytest.mark.parametrize("degrees", [4, 7, 8, 40, 98, 99, 100, 101, 102, 150])
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_quantiles_are_those_of_the_table_row_by_row(degrees: int, confidence: float) -> None:
    size = degrees // 2 + 1
    low = [float(index % 5) for index in range(size)]
    high = [float(1000 + index % 5) for index in range(degrees + 2 - size)]
    layout = replace(PAGE, confidence=confidence)
    assert ours([low, high], layout, OLDEST) == debian([low, high], layout)
