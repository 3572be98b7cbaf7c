from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.store.access import Store
from fwdlab.store.folder import FolderStore
from fwdlab.store.place import store_at
from tests.unit.store import example


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return example.write_results(tmp_path / "results")


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return example.bare(tmp_path / "remote.git")


@pytest.fixture
def clone(tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a remote, and the working directory in it."""
    folder = example.repository(tmp_path / "clone", remote)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(params=["folder", "branch", "remote"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clone: Path) -> Store:  # noqa: ARG001 - the directory counts
    """A store that is not there yet, of every kind."""
    if request.param == "folder":
        return FolderStore(root=tmp_path / "store")
    return store_at("git:history" if request.param == "branch" else "git:history@origin", deadline_s=30)
