"""Small functions, small files: what a reader can hold in the head."""

from __future__ import annotations

from pathlib import Path
from statistics import median, quantiles

import pytest

from tests.unit.structure.tree import PACKAGE, code_lines, functions, place, shell_scripts, sources

LONGEST_FUNCTION = 60
LONGEST_FILE = 350
LONGEST_SCRIPT = 120


def package_functions() -> list[int]:
    return [length for path in sources(PACKAGE) for _, length in functions(path)]


@pytest.mark.parametrize("path", sources(), ids=place)
def test_no_file_and_no_function_is_long(path: Path) -> None:
    assert code_lines(path) <= LONGEST_FILE
    long = [f"{name}: {length} lines" for name, length in functions(path) if length > LONGEST_FUNCTION]
    assert not long


def test_functions_of_the_package_are_short() -> None:
    lengths = package_functions()
    assert median(lengths) <= 12
    assert quantiles(lengths, n=10)[-1] <= 30


def test_files_of_the_package_are_short() -> None:
    assert median(code_lines(path) for path in sources(PACKAGE)) <= 150


@pytest.mark.parametrize("path", shell_scripts(), ids=place)
def test_scripts_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) < LONGEST_SCRIPT


def test_length_counts_the_signature_and_the_functions_inside(tmp_path: Path) -> None:
    source = tmp_path / "nested.py"
    source.write_text(
        "@cache\ndef outer(\n    a: int,\n) -> int:\n\n    def inner() -> int:\n        return a\n    return inner()\n"
    )
    assert dict(functions(source)) == {"outer": 7, "inner": 2}
    assert code_lines(source) == 7
