"""In CI a test that is skipped has failed: what it would have shown is not known.

Loaded by `.ci/run` through PYTEST_PLUGINS. One kind of skip stands: the reference material lies in a folder beside the
checkout that not every machine has, and its tests say so with the word `shared` in their reason.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

ALLOWED = "shared"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of a test's phase; a skip without leave becomes a failure that gives the reason."""
    report = yield
    mend(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The report of a file's collection, where a whole file may skip itself."""
    report = yield
    mend(report)
    return report


def mend(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip that is not allowed into a failure."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if ALLOWED not in reason:
        report.outcome = "failed"
        report.longrepr = f"skipped, and in CI nothing may be: {reason}"
