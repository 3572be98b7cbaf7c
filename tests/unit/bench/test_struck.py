"""Which step `bench faults` takes for the one that is under way."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from fwdlab.bench._struck import is_held


def test_a_step_is_under_way_while_its_script_has_the_lock(tmp_path: Path) -> None:
    folder = tmp_path / "repeat-1.partial"
    folder.mkdir()
    assert not is_held(folder), "what a killed script leaves"
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert is_held(folder)
    os.close(lock)
    assert not is_held(folder)


def test_a_step_that_is_over_is_not(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "repeat-1.partial")
