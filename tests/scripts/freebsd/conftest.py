"""Laboratories with FreeBSD's tools as stand-ins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripts.freebsd.bsd import freebsd, furnish
from tests.scripts.ssh.bed import Bed
from tests.scripts.ssh.conftest import cache, ground  # noqa: F401


@pytest.fixture
def node_folders(ground: Path) -> Path:  # noqa: F811
    """What each node is made of, before it is there."""
    furnish(ground)
    return ground


@pytest.fixture
def bsd(node_folders: Path, cache: Path) -> Iterator[Bed]:  # noqa: F811
    """Two nodes."""
    with freebsd(node_folders, cache) as bed:
        yield bed
