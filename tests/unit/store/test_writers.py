"""Many writers at once, killed at any moment: what was acknowledged is there, and what is there is whole."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from fwdlab.errors import MatrixError
from fwdlab.store.gather import gathered
from fwdlab.store.place import store_at
from fwdlab.store.verify import verified
from tests.unit.store import example


def test_eight_writers_killed_again_and_again_lose_nothing() -> None:
    words = ("--writers", "8", "--records", "6", "--batch", "2", "--kills", "6", "--large", "200")
    done = example.fwdlab("bench", "store", *words)
    assert (done.returncode, done.stderr) == (0, "")
    raced = re.findall(r"^(.+): 8 writers x 6 records, 2 at a time, (\d) killed: all 48 ack", done.stdout, re.MULTILINE)
    assert [title for title, _ in raced] == ["folder", "branch of a remote"]
    assert int(raced[1][1]) >= 3, "they were killed at their work"


@pytest.mark.parametrize("word", ["../kept", "git:history", "git:history@origin"])
def test_killed_at_any_moment_a_store_is_whole_and_the_next_addition_completes_it(clone: Path, word: str) -> None:
    results = example.write_results(clone.parent / "results")
    for tenths in range(8):
        killed(word, results, clone, 0.15 + tenths / 10 + random.uniform(0, 0.1))  # noqa: S311 - any moment will do
        with suppress(MatrixError):  # not even begun
            assert verified(store_at(word, 20).opened()).faults == ()
    assert example.fwdlab("store", "add", "--to", word, str(results), within=clone).returncode == 0
    reader = store_at(word, 20).opened()
    assert set(reader.names("")) == {entry.path for entry in gathered(results).entries}
    assert example.git(clone, "status", "--porcelain") == ""
    refs = example.git(clone, "for-each-ref", "--format=%(refname)")
    assert "fwdlab/new-" not in refs


def killed(word: str, results: Path, clone: Path, after_s: float) -> None:
    """An addition that is killed so long after it began, if it is still at it."""
    environment = {**os.environ, "PYTHONPATH": str(example.ROOT)}
    command = [sys.executable, "-m", "fwdlab", "store", "add", "--to", word, str(results)]
    process = subprocess.Popen(command, cwd=clone, env=environment, stdout=subprocess.DEVNULL)
    time.sleep(after_s)
    process.kill()
    process.wait()
