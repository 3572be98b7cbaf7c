"""What counts frames at a Linux receiver: that it is gone is said by every verb that asks for it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.linux.conftest import SHELLS
from tests.scripts.ssh.bed import SCRIPTS


@pytest.mark.parametrize(
    "verb", [("ready", "receive"), ("read", "receive", "before"), ("stop", "receive")], ids=" ".join
)
@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_a_sink_that_is_gone_is_told(tmp_path: Path, shell: tuple[str, ...], verb: tuple[str, ...]) -> None:
    shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    (tmp_path / "node/state").mkdir()
    done = subprocess.run(
        [*shell, "generators/packets.sh", *verb], cwd=tmp_path / "node", capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == "what counts received frames is gone; look at what else sets nftables' rules there\n"
