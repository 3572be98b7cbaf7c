from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.run.fakelab import FakeLab
from tests.unit.run.processes import all_gone


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[FakeLab]:
    """A lab of fakes; no process of it may be left, and signals are handled as before."""
    before = signal.getsignal(signal.SIGTERM)
    yield FakeLab(folder=tmp_path).write()
    signal.signal(signal.SIGTERM, before)
    all_gone(str(tmp_path))
