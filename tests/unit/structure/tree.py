"""The repository as its own tests see it: which files it has and what is in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "fwdlab"
NOT_OURS = {".git", ".hypothesis", ".lab", "__pycache__", "node_modules", "public", "resources", "results", "vendor"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def files(below: Path = ROOT) -> Iterator[Path]:
    """Every file below a folder, in order; what tools made and what others wrote aside."""
    for path in sorted(below.iterdir()):
        if path.is_file():
            yield path
        elif path.is_dir() and path.name not in NOT_OURS and not path.name.endswith("_cache"):
            yield from files(path)


def texts() -> Iterator[tuple[str, str]]:
    """Place and text of every file that is text."""
    for path in files():
        data = path.read_bytes()
        if b"\0" not in data:
            yield place(path), data.decode(errors="replace")


def sources(below: Path = ROOT) -> list[Path]:
    """Every Python file below a folder."""
    return [path for path in files(below) if path.suffix == ".py"]


def shell_scripts() -> list[Path]:
    """Every file whose first line names the POSIX shell, and those that such a script sources."""
    return [path for path in files() if path.suffix == ".sh" or path.read_bytes().startswith(b"#!/bin/sh\n")]


def place(path: Path) -> str:
    """The path inside the repository."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of each function and method, those inside others too; decorators are not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, Function):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def code_lines(path: Path) -> int:
    """Lines of a file that are not blank."""
    return sum(1 for line in path.read_text().splitlines() if line.strip())
