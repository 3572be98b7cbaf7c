"""pkt-gen on a node of Linux that has none: whoever looks for it says where it comes from."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.linux.conftest import SHELLS
from tests.scripts.ssh.bed import SCRIPTS

MISSING = "'pkt-gen' is missing, which Debian has no package of; build it there from netmap's sources"


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_a_cure_is_one_that_there_is(shell: tuple[str, ...], tmp_path: Path) -> None:
    node = shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    examine, start = ["examine.sh", "1", "sender", "pkt-gen"], ["generators/pkt-gen.sh", "start", "receive", "lo", "-"]
    told, refused = (
        subprocess.run([*shell, *words], cwd=node, capture_output=True, text=True, check=False)
        for words in (examine, start)
    )
    assert f"fault\t{MISSING}" in told.stdout.splitlines()
    assert (refused.returncode, refused.stderr) == (3, f"{MISSING}\n")
