"""Hosts for the native lab's scripts."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripts.netns.host import Host, make_host
from tests.unit.run.processes import all_gone


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lab keeps its compiled programs: once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def host(cache: Path) -> Iterator[Host]:
    """This host, with a workspace that any user can reach; no process of it may be left."""
    with tempfile.TemporaryDirectory(prefix="fwdlab-netns-test-") as folder:
        Path(folder).chmod(0o755)
        yield make_host(Path(folder), cache)
        all_gone(folder)


@pytest.fixture
def root() -> None:
    """Only root may do what the test is about."""
    if os.geteuid() != 0:
        pytest.skip("only root may load BPF programs and become another user")


@pytest.fixture
def alone() -> None:
    """The host lets us have network namespaces."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    words = ["unshare", *user, "--mount", "--net", "true"]
    if shutil.which("unshare") is None or subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("this host gives no network namespace")
