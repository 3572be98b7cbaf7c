"""What a reader types to measure one case again: the same case, whatever matrix it came from."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.records.again import again
from fwdlab.records.store import Folders, load_records, make_records
from tests.unit.records import example

SLUG = "box/6.1/forwarding/none/udp4"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("./lab run", ""),
        ("./lab run -m examples/rfc.yaml", "-m examples/rfc.yaml "),
        ("./lab run -mexamples/rfc.yaml", "-mexamples/rfc.yaml "),
        ("./lab run --matrix=examples/rfc.yaml --jobs 2", "--matrix=examples/rfc.yaml "),
        ("./lab run --cap 4h --quick -m 'my lab.yaml' --results r", "--quick -m 'my lab.yaml' "),
        ("./lab run --runner-scripts ../other --only '*/nft-*' --repeats 9", "--runner-scripts ../other "),
    ],
)
def test_a_run_is_held_to_the_case_by_the_words_that_choose_cases(command: str, said: str) -> None:
    assert again(command, SLUG) == f"./lab run {said}--only {SLUG}"


@pytest.mark.parametrize(
    "command",
    [
        "./lab try slower.patch",
        "./lab aa qemu-x86 -m matrix.yaml",
        "./lab run --case-file a.case",
        "./lab run --case-file=a.case",
        "./lab run 'without an end",
        "",
    ],
)
def test_a_command_that_takes_no_choice_of_cases_stays(command: str) -> None:
    assert again(command, SLUG) == command


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_name_says_anything_to_a_shell(matrix: str, slug: str) -> None:
    words = ["./lab", "run", "-m", matrix, "--only", slug]
    assert shlex.split(again(shlex.join(["./lab", "run", "--jobs", "2", "-m", matrix]), slug)) == words


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    found = Folders(results=tmp_path)
    example.write_run(found.runs, example.case(), repeats=1)
    return found


def command_of(folders: Folders, *command: str) -> str:
    """What the case's record says, made by these words."""
    assert make_records(folders, [example.case().folder], *command) == ()
    (record,) = load_records(folders, [example.case().folder]).records
    return record.conditions.command


def test_a_record_names_the_matrix_of_its_results(folders: Folders) -> None:
    slug = example.case().slug
    assert command_of(folders) == f"./lab run --only {slug}"
    (folders.results / "command").write_text("./lab run -m its.yaml --jobs 3\n")
    assert command_of(folders) == f"./lab run -m its.yaml --only {slug}"
    assert command_of(folders, "./lab aa box") == "./lab aa box"
