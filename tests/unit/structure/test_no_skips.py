"""What `.ci/run` does with a skipped test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.structure.tree import ROOT

TESTS = {
    "passes": "def test_it(): assert True",
    "skip": "import pytest\ndef test_it(): pytest.skip('no chromium')",
    "mark": "import pytest\n@pytest.mark.skip(reason='slow')\ndef test_it(): assert True",
    "file": "import pytest\npytest.importorskip('module_that_is_not_there')\ndef test_it(): assert True",
    "shared": "import pytest\ndef test_it(): pytest.skip('no shared folder beside the checkout')",
    "xfail": "import pytest\n@pytest.mark.xfail\ndef test_it(): assert False",
}


@pytest.mark.parametrize("name", ["skip", "mark", "file"])
def test_a_skip_fails_in_ci_and_says_why(name: str, tmp_path: Path) -> None:
    done = run_pytest(TESTS[name], tmp_path)
    assert done.returncode != 0
    assert "skipped, and in CI nothing may be: " in done.stdout


@pytest.mark.parametrize("name", ["passes", "shared", "xfail"])
def test_absent_reference_material_and_expected_failures_stand(name: str, tmp_path: Path) -> None:
    assert run_pytest(TESTS[name], tmp_path).returncode == 0


def run_pytest(source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "test_sample.py").write_text(source)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.plugins.no_skips",
        "-p",
        "no:cacheprovider",
        "test_sample.py",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_PLUGINS", None)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
