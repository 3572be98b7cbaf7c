"""Imports point upstream only: the way of the data is the way of the folders."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.structure.tree import PACKAGE, place, sources

ORDER = ("errors", "units", "files", "case", "campaign")
COMMON = set(ORDER)
UPSTREAM = {
    **{stage: set(ORDER[:place]) for place, stage in enumerate(ORDER)},
    "matrix": COMMON | {"search"},
    "run": COMMON | {"matrix"},
    "pipeline": COMMON | {"matrix", "run"},
    "gitlab": COMMON,
    "records": COMMON | {"generators", "search"},
    "generators": COMMON,
    "search": COMMON,
    "archive": COMMON | {"matrix", "generators", "profiles", "records"},
    "profiles": COMMON,
    "store": COMMON | {"records", "profiles"},
    "analyse": COMMON | {"records", "profiles"},
    "render": COMMON | {"records", "analyse", "profiles"},
    "bisect": COMMON | {"matrix", "run", "records", "analyse"},
    "bench": COMMON | {"matrix", "run", "pipeline", "records", "analyse", "store"},
}
EDGES = {"cli", "__main__"}  # they may call every stage, and no stage calls them


def stage_of(path: Path) -> str:
    """The part of the package a file belongs to: its folder, or its own name where it lies on top."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_stages(source: str, package: tuple[str, ...]) -> Iterator[str]:
    """The parts of fwdlab that a module of `package` (such as ("fwdlab", "matrix")) imports, wherever it does so."""
    for node in ast.walk(ast.parse(source)):
        for name in _modules(node, package):
            parts = name.split(".")
            if parts[0] == "fwdlab" and len(parts) > 1:
                yield parts[1]


def _modules(node: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
        module = ".".join(part for part in (base, node.module) if part)
        yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", sources(PACKAGE), ids=place)
def test_imports_point_upstream(path: Path) -> None:
    stage = stage_of(path)
    package = ("fwdlab", *path.relative_to(PACKAGE).parts[:-1])
    imported = set(imported_stages(path.read_text(), package)) - {stage}
    if stage in EDGES | {"__init__"}:
        return
    assert stage in UPSTREAM, f"{stage} is a new part of the package: say here what it may import"
    assert imported <= UPSTREAM[stage], f"{stage} must not import {sorted(imported - UPSTREAM[stage])}"


@pytest.mark.parametrize(
    "source",
    [
        "import fwdlab.render",
        "import fwdlab.render.page as page",
        "from fwdlab import render",
        "from fwdlab.render import page",
        "from ..render import page",
        "from .. import render",
        "def late() -> None:\n    from fwdlab.render.page import draw",
    ],
)
def test_every_form_of_import_is_seen(source: str) -> None:
    assert list(imported_stages(source, ("fwdlab", "matrix"))) == ["render"]


def test_other_packages_and_neighbours_are_told_apart() -> None:
    source = "import fwdlabour.render\nfrom .model import Matrix\nfrom os import path"
    assert list(imported_stages(source, ("fwdlab", "matrix"))) == ["matrix"]
