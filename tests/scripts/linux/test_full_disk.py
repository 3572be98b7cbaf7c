"""A node whose disk is full: nothing is begun there that the end of the session could not end."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.scripts.linux.conftest import SHELLS
from tests.scripts.ssh.bed import SCRIPTS


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A node's scripts; what they note of a process or of its undoing meets a full disk."""
    shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    (tmp_path / "node/state").mkdir()
    for name in ("send.pid", "sink.undo"):
        (tmp_path / "node/state" / name).symlink_to("/dev/full")
    return tmp_path / "node"


def said(node: Path, shell: tuple[str, ...], words: str) -> tuple[int, str]:
    """The status of these words, and the last thing that was said."""
    done = subprocess.run([*shell, "-c", words], cwd=node, capture_output=True, text=True, check=False, timeout=20)
    return done.returncode, (done.stderr.splitlines() or [""])[-1]


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_a_process_that_cannot_be_noted_ends_at_once(full: Path, shell: tuple[str, ...]) -> None:
    begun = f"/bin/sh -c 'sleep 0.3; touch {full}/went-on'"
    status, last = said(full, shell, f". generators/process.sh; start send {begun}")
    assert (status, last) == (3, "the send process cannot be noted; look at the disk")
    assert said(full, shell, f"{' '.join(shell)} generators/launch.sh state/send.pid {begun}")[0] != 0
    time.sleep(0.6)
    assert not (full / "went-on").exists()


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_what_could_not_be_undone_is_not_done(full: Path, shell: tuple[str, ...]) -> None:
    (full / "bin").mkdir()
    (full / "bin/nft").write_text(f"#!/bin/sh\ntouch {full}/went-on\n")
    (full / "bin/nft").chmod(0o755)
    opened = said(full, shell, f"PATH={full}/bin:$PATH; . ./say.sh; . generators/sink.sh; sink_open lo -")
    assert opened == (3, "what undoes 'sink' cannot be noted; look at the disk")
    assert not (full / "went-on").exists()
