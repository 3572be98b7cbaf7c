from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripts.pipeline.checkout import Checkout
from tests.scripts.runner.bench import SHELLS
from tests.unit.run.processes import all_gone


@pytest.fixture(params=SHELLS)
def checkout(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Checkout]:
    """A checkout; no process that a job began there may be left."""
    yield Checkout(folder=tmp_path, shell=request.param).write()
    all_gone(str(tmp_path))
