from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripts.runner.bench import SHELLS
from tests.scripts.service.host import Host, make_host


@pytest.fixture(params=SHELLS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Host:
    """A host that nothing is installed on, once with each shell that may be its `sh`."""
    return make_host(tmp_path, request.param)
