"""Processes that a test started, told from all others by a word in their environment."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

MARK = "FWDLAB_TEST_MARK"


def marked(mark: str) -> dict[int, str]:
    """Command lines by pid of the processes that have the mark in their environment; ended ones aside."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}\0".encode() in (folder / "environ").read_bytes() + b"\0":
                found[int(folder.name)] = (
                    (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
        except OSError:
            continue  # it ended meanwhile, or is another user's
    found.pop(os.getpid(), None)
    return found


def named(mark: str, program: str, having: str = "") -> list[int]:
    """The pids of those whose program's name begins so and whose command line has that in it."""
    lines = marked(mark).items()
    return [pid for pid, line in lines if line.split(" ")[0].rpartition("/")[2].startswith(program) and having in line]


def until(condition: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until the condition holds; AssertionError that says what never came."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"after {seconds} s: {what}"
        time.sleep(0.02)


def all_gone(mark: str, seconds: float = 5) -> None:
    """Wait until no marked process is left; what is left is ended, and fails the test."""
    try:
        until(lambda: not marked(mark), seconds, f"still there: {marked(mark)}")
    finally:
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
