"""Laboratories for the scripts of lab 'ssh'."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from fwdlab.bench._bed import prepare_ground
from tests.scripts.ssh.bed import Bed, laid_out
from tests.unit.run.processes import all_gone

Lay = Callable[..., Bed]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lab keeps its compiled programs: once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def ground() -> Iterator[Path]:
    """Where a laboratory is laid out, its keys in it; every process of it is gone after the test."""
    if os.geteuid() != 0:
        pytest.skip("only root may set up namespaces with an sshd each")
    with tempfile.TemporaryDirectory(prefix="fwdlab-ssh-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        prepare_ground(folder)
        yield folder
        all_gone(name)


@pytest.fixture
def lay(ground: Path, cache: Path) -> Iterator[Lay]:
    """Lays out a laboratory, which is gone after the test."""
    with ExitStack() as stack:
        yield lambda **words: stack.enter_context(laid_out(ground, cache, **words))
    shutil.rmtree(cache / "machines", ignore_errors=True)  # the next one's machine has the same name, and no fault


@pytest.fixture
def bed(lay: Lay) -> Bed:
    """Three nodes."""
    return lay()
