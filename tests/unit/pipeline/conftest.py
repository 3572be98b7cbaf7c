from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.pipeline.example import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(folder=tmp_path).write()
