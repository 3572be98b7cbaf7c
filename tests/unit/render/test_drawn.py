"""A figure is drawn once, and again when anything it is drawn from has changed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.render import colours
from fwdlab.render.drawn import Drawings
from fwdlab.render.figures import figure_files
from fwdlab.render.panels import layout_of
from tests.unit.render import examples

FILES = {"graph.svg": b"<svg/>", "graph.png": b"\x89PNG"}


def drawings(folder: Path) -> Drawings:
    return Drawings(folder=folder / "drawn", wanted=set())


def counted(times: list[int]) -> Callable[[], dict[str, bytes]]:
    def draw() -> dict[str, bytes]:
        times.append(1)
        return FILES

    return draw


def test_it_is_drawn_once(tmp_path: Path) -> None:
    times: list[int] = []
    for _ in range(3):
        assert drawings(tmp_path).files(("a", 1.5), counted(times)) == FILES
    assert len(times) == 1
    assert drawings(tmp_path).files(("a", 1.25), counted(times)) == FILES
    assert len(times) == 2


@pytest.mark.parametrize("damage", ["graph.svg", "sums", "graph.png"])
@pytest.mark.parametrize("content", [b"", b"other", None])
def test_what_was_damaged_is_drawn_again(tmp_path: Path, damage: str, content: bytes | None) -> None:
    times: list[int] = []
    drawings(tmp_path).files("a", counted(times))
    (path,) = (tmp_path / "drawn").glob(f"*/{damage}")
    path.unlink() if content is None else path.write_bytes(content)
    assert drawings(tmp_path).files("a", counted(times)) == FILES
    assert len(times) == 2
    assert drawings(tmp_path).files("a", counted(times)) == FILES
    assert len(times) == 2, "and is whole then"


def test_what_is_on_no_page_is_forgotten(tmp_path: Path) -> None:
    drawings(tmp_path).files("old", lambda: FILES)
    now = drawings(tmp_path)
    now.files("new", lambda: FILES)
    now.forget_others()
    (left,) = (tmp_path / "drawn").iterdir()
    assert {left.name} == now.wanted


def test_a_kept_figure_is_the_drawn_one_to_the_byte(tmp_path: Path) -> None:
    page = examples.page(examples.result(hardware=("qemu-x86",)), tmp_path)
    layout, arms = layout_of(page.result), colours.assign([page.result.campaign], {})
    drawn = figure_files(page, layout, arms)
    for _ in range(2):
        assert figure_files(page, layout, arms, drawings(tmp_path)) == drawn
    assert len(list((tmp_path / "drawn").iterdir())) == 1
    renamed = replace(page.result, campaign=replace(page.result.campaign, title="Another title"))
    other = figure_files(replace(page, result=renamed), layout_of(renamed), arms, drawings(tmp_path))
    assert other["graph.svg"] != drawn["graph.svg"]


def test_another_process_finds_it(tmp_path: Path) -> None:
    """What a figure is drawn from is told without anything that differs from one process to the next."""
    script = f"""
from pathlib import Path
from fwdlab.render import colours
from fwdlab.render.figures import figure_files
from fwdlab.render.panels import layout_of
from tests.unit.render import examples
from tests.unit.render.test_drawn import drawings
folder = Path({str(tmp_path)!r})
page = examples.page(examples.result(hardware=("qemu-x86",)), folder)
figure_files(page, layout_of(page.result), colours.assign([page.result.campaign], {{}}), drawings(folder))
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[3], check=True)
    assert len(list((tmp_path / "drawn").iterdir())) == 1
