"""Laboratories for the scripts of lab 'ssh'."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.scripts.ssh.bed import Bed, laboratory, write_keys
from tests.unit.run.processes import all_gone

Lay = Callable[..., Bed]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lab keeps its compiled programs: once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def lay(cache: Path) -> Iterator[Lay]:
    """Lays out a laboratory; it and every process of it are gone after the test."""
    if os.geteuid() != 0:
        pytest.skip("only root may set up namespaces with an sshd each")
    with tempfile.TemporaryDirectory(prefix="fwdlab-ssh-test-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        write_keys(folder)
        yield lambda **words: stack.enter_context(laboratory(folder, cache, **words))
        stack.close()
        all_gone(name)


@pytest.fixture
def bed(lay: Lay) -> Bed:
    """Three nodes."""
    return lay()
