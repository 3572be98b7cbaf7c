from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fwdlab.errors import LabError
from fwdlab.run.lock import locked

ROOT = Path(__file__).parents[3]
HOLDER = """
import sys, time
from pathlib import Path
from fwdlab.run.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOLDER, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_run_is_told_who_is_at_work_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    other = holder(folder)
    with pytest.raises(LabError) as caught, locked(folder):
        pass
    assert str(caught.value) == (
        f"{folder}: another run (process {other.pid}) is at work there; wait for it, or choose --results"
    )
    other.kill()
    other.wait()
    with locked(folder):
        assert (folder / "lock").read_text() == str(os.getpid())


def test_a_folder_is_free_when_its_run_is_over(tmp_path: Path) -> None:
    with locked(tmp_path):
        pass
    with pytest.raises(RuntimeError), locked(tmp_path):
        raise RuntimeError
    with locked(tmp_path):
        pass


def test_two_folders_are_two_locks(tmp_path: Path) -> None:
    with locked(tmp_path / "a"), locked(tmp_path / "b"):
        pass


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    said = r"/lock: cannot be written \(.*\); choose another folder with --results$"
    with pytest.raises(LabError, match=said), locked(tmp_path / name):
        pass
