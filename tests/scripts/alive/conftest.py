from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripts.alive.controller import Controller, make_controller
from tests.scripts.runner.bench import SHELLS


@pytest.fixture(params=SHELLS)
def controller(request: pytest.FixtureRequest, tmp_path: Path) -> Controller:
    """A controller, once with each shell that may be its `sh`."""
    return make_controller(tmp_path, request.param)
