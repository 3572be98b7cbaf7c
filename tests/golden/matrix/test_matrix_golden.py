"""One folder a behaviour: a matrix and a command in, what was printed and the exit status out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.cli import main
from tests.golden.conftest import Golden

HERE = Path(__file__).parent
FAKES = "../../../fakes/runner-scripts"  # from each folder: no golden file names this checkout
FOLDERS = sorted(path.parent.name for path in HERE.glob("*/matrix.yaml"))


def test_there_are_folders() -> None:
    assert len(FOLDERS) > 5


@pytest.mark.parametrize("folder", FOLDERS)
def test_says_what_it_said(golden: Golden, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / folder)
    words = golden.read(f"{folder}/command").split()
    result = CliRunner().invoke(main, [*words, "--runner-scripts", FAKES])
    golden.check(f"{folder}/stdout", result.stdout)
    golden.check(f"{folder}/stderr", result.stderr)
    golden.check(f"{folder}/status", f"{result.exit_code}\n")
