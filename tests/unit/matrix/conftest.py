from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.matrix.example import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "stateful.nft").write_text("table inet filter {}\n")
    return Bench(folder=tmp_path)
