from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.lab import ROOT, Workplace
from tests.unit.run.processes import all_gone

LISTS = ("setup/run.packages", "setup/netns.packages", "setup/trafgen.packages", "setup/test.packages")


def missing() -> list[str]:
    """The Debian packages whose command or file is not here, of those the door installs."""
    entries = [line.split() for name in LISTS for line in (ROOT / name).read_text().splitlines() if line.strip()]
    path = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
    return [package for what, package in entries if not (shutil.which(what, path=path) or Path(what).exists())]


@pytest.fixture(scope="session", autouse=True)
def tools() -> None:
    if absent := missing():
        pytest.skip(f"missing Debian packages: {', '.join(absent)}; './lab test' installs them")


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Workplace]:
    """A place for one run; no process of it may be left."""
    yield Workplace(folder=tmp_path).write()
    all_gone(str(tmp_path))


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """The small matrix, measured by one command."""

    place: Workplace
    done: subprocess.CompletedProcess[str]
    seconds: float


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    place = Workplace(folder=tmp_path_factory.mktemp("measured")).write()
    begin = time.monotonic()
    done = place.run()
    all_gone(str(place.folder))
    return Measured(place=place, done=done, seconds=time.monotonic() - begin)
