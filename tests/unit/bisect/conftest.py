"""The lab of fakes that the tests of `fwdlab run` have."""

from __future__ import annotations

from tests.unit.run.conftest import lab

__all__ = ["lab"]
