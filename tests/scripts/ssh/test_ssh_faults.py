"""The small form of `fwdlab bench faults`: one fault of each kind, and nothing is lost, measured again or left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fwdlab.bench._inject import Kind
from tests.scripts.ssh.bed import ROOT
from tests.unit.run.processes import MARK, all_gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(580)]


def test_a_campaign_comes_through_a_fault_of_every_kind(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may set up namespaces with an sshd each")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "fwdlab", "bench", "faults", "--cases", "4", "--faults", str(len(Kind))],
        env={**os.environ, "PYTHONPATH": str(ROOT), MARK: str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=560,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].split()[:2] == ["all", str(len(Kind))]
    all_gone(str(tmp_path))
