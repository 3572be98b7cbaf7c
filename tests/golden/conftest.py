"""Golden files: what was written before is what must be written again; `./lab bless` writes them anew."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True, kw_only=True, slots=True)
class Golden:
    """The files beside one test module."""

    folder: Path
    bless: bool

    def read(self, name: str) -> str:
        """An input file beside the test."""
        return (self.folder / name).read_text(encoding="utf-8")

    def check(self, name: str, found: str) -> None:
        """Fail where `found` is not byte for byte the golden file; a missing one fails too."""
        path = self.folder / name
        if self.bless:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(found.encode())
        assert path.exists(), f"{path} is missing; './lab bless' writes it, then read it"
        assert found == path.read_bytes().decode()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(folder=request.path.parent, bless=os.environ.get("FWDLAB_BLESS") == "1")
