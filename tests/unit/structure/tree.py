"""The repository as its own tests see it: which files it has and what is in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "fwdlab"
TEXT_SUFFIXES = {
    "",
    *[
        ".css",
        ".html",
        ".j2",
        ".js",
        ".json",
        ".lock",
        ".md",
        ".nft",
        ".packages",
        ".py",
        ".sh",
        ".toml",
        ".txt",
        ".yaml",
        ".yml",
    ],
}
MADE = {"__pycache__", "results", "public", "resources", "node_modules", ".git", ".lab"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def files(suffixes: set[str], below: Path = ROOT) -> Iterator[Path]:
    """Every file of those suffixes below a folder, in order; what tools make and what is vendored aside."""
    for path in sorted(below.iterdir()):
        if path.is_dir():
            if (
                path.name not in MADE
                and not path.name.endswith("_cache")
                and path.name not in {".hypothesis", "vendor"}
            ):
                yield from files(suffixes, path)
        elif path.suffix in suffixes:
            yield path


def sources(below: Path = ROOT) -> list[Path]:
    """Every Python file below a folder."""
    return list(files({".py"}, below))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of each function and method, those inside others too; decorators are not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, Function):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def code_lines(path: Path) -> int:
    """Lines of a file that are not blank."""
    return sum(1 for line in path.read_text().splitlines() if line.strip())


def shell_scripts() -> list[Path]:
    """Every file whose first line names the POSIX shell."""
    return [path for path in files({".sh", ""}) if path.read_bytes().startswith(b"#!/bin/sh\n")]


def place(path: Path) -> str:
    """The path inside the repository."""
    return path.relative_to(ROOT).as_posix()
