"""What each word of `./lab` does, and from wherever it is called."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.scripts.door.machine import Machine


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """A machine that is set up for everything."""
    assert machine.lab("test").status == 0
    return machine


def test_help_sets_nothing_up(machine: Machine) -> None:
    done = machine.lab("help")
    assert done.status == 0
    assert "./lab run ..." in done.out
    assert "#" not in done.out
    assert not done.did


def test_no_word_gives_the_help_as_an_error(machine: Machine) -> None:
    done = machine.lab()
    assert done.status == 2
    assert "./lab run ..." in done.said
    assert done.out == ""


def test_arguments_arrive_as_they_were_written(ready: Machine) -> None:
    done = ready.lab("compare", "", "a b", "$(touch x)", "it's", "*", "--json")
    assert done.out.splitlines()[0] == "<compare><><a b><$(touch x)><it's><*><--json>"


@pytest.mark.parametrize("shell", ["dash", "busybox sh", "bash --posix"])
def test_any_posix_shell_will_do(ready: Machine, shell: str) -> None:
    words = [shutil.which(word) or word for word in shell.split()]
    done = ready.call([*words, str(ready.checkout / "lab"), "cases"])
    assert done.out.startswith("<cases>\n"), done.said


def test_it_works_from_any_folder_and_leaves_relative_paths_alone(ready: Machine, tmp_path: Path) -> None:
    done = ready.lab("cases", cwd=tmp_path)
    assert f"cwd {tmp_path}" in done.out
    assert f"path {ready.checkout}" in done.out


def test_it_works_through_links_and_by_a_relative_name(ready: Machine, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(ready.checkout / "lab")
    (tmp_path / "bench").symlink_to("link")
    assert ready.call(["./bench", "cases"], cwd=tmp_path).out.startswith("<cases>\n")
    assert ready.call(["sh", "lab", "cases"]).out.startswith("<cases>\n")


def test_an_empty_home_and_none_are_both_no_home(ready: Machine) -> None:
    assert "home unset" in ready.lab("cases", HOME="").out
    assert "home unset" in ready.call(["env", "-u", "HOME", str(ready.checkout / "lab"), "cases"]).out


def test_python_settings_of_the_caller_do_not_reach_the_command(ready: Machine) -> None:
    done = ready.lab("cases", PYTHONPATH="/elsewhere", PYTHONHOME="/nowhere")
    assert f"path {ready.checkout}" in done.out


def test_test_runs_all_in_two_parts(ready: Machine) -> None:
    done = ready.lab("test")
    beside = "-n 3 --dist loadfile --no-loadscope-reorder"
    assert done.did == ["python -P -m pytest -n 3 -m not e2e", f"python -P -m pytest {beside} -m e2e"]


def test_test_with_arguments_runs_what_they_name_from_the_checkout(ready: Machine, tmp_path: Path) -> None:
    done = ready.lab("test", "tests/unit", "-k", "a b", cwd=tmp_path)
    assert done.did == ["python -P -m pytest tests/unit -k a b"]
    assert f"cwd {ready.checkout}" in done.out


def test_bless_writes_the_golden_files(ready: Machine) -> None:
    done = ready.lab("bless")
    assert done.did == ["python -P -m pytest tests/golden"]
    assert "bless 1" in done.out
    assert ready.lab("bless", "tests/pipeline").did == ["python -P -m pytest tests/pipeline"]


def test_check_runs_every_checker(ready: Machine) -> None:
    done = ready.lab("check")
    assert done.status == 0
    tools = [line.split()[0] for line in done.did]
    assert tools == [
        "ruff",
        "ruff",
        "mypy",
        "shfmt",
        "shfmt",
        "shellcheck",
        "yamllint",
    ]
    assert "shellcheck --check-sourced lab" in done.did
    assert done.said == ""


@pytest.mark.parametrize("tool", ["ruff", "mypy", "shfmt", "shellcheck", "yamllint"])
def test_check_fails_when_one_finds_something_and_still_asks_the_others(ready: Machine, tool: str) -> None:
    done = ready.lab("check", UNHAPPY=tool)
    assert done.status == 1
    assert f"check: not content: {tool}" in done.said
    assert done.did[-1] == "yamllint --strict ."


def test_check_fix_mends_first(ready: Machine) -> None:
    done = ready.lab("check", "--fix")
    assert done.did[:3] == [
        "ruff check --fix --quiet .",
        "ruff format --quiet .",
        "shfmt -w lab .ci setup runner-scripts tests",
    ]
    assert "ruff format --check ." in done.did


def test_check_refuses_what_it_does_not_know(ready: Machine) -> None:
    done = ready.lab("check", "--fixx")
    assert done.status == 2
    assert "'--fixx'" in done.said
