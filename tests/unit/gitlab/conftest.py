from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.gitlab.server import GitLab, served


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    with served(GitLab()) as running:
        yield running
