"""The whole command in process: each folder holds a profiler's text, the arguments one a line, and what must come out.

Where a folder's name promises no other, `stdout` is what FlameGraph's scripts give for the text, stackcollapse-pmc.pl's
through stackcollapse-sum.pl.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.cli import main
from tests.golden.conftest import Golden

FOLDER = Path(__file__).parent
BEHAVIOURS = sorted(path.parent.name for path in FOLDER.glob("*/arguments"))


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_folds_what_a_profiler_wrote(behaviour: str, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / behaviour)
    arguments = golden.read(f"{behaviour}/arguments").splitlines()
    result = CliRunner().invoke(main, ["fold", *arguments])
    golden.check(f"{behaviour}/stdout", result.stdout)
    golden.check(f"{behaviour}/stderr", result.stderr)
    golden.check(f"{behaviour}/status", f"{result.exit_code}\n")
