"""What a machine's runner is configured with; a folder's name says what it shows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.cli import main
from tests.golden.conftest import Golden
from tests.unit.pipeline.example import MATRIX, Checkout

TWO = MATRIX.replace("tags: [fwdlab-virtual]", "tags: [fwdlab-virtual], places: 2")
SHOWN = {
    "a_real_machine_has_one_job_at_a_time_and_serves_protected_refs": ("rack", MATRIX),
    "a_virtual_machine_has_a_job_for_each_of_its_places": ("box", TWO),
}


@pytest.mark.parametrize("name", SHOWN)
def test_configurations(name: str, golden: Golden, tmp_path: Path) -> None:
    machine, text = SHOWN[name]
    Checkout(folder=tmp_path).write(text)
    words = ["runner", machine, "--matrix", str(tmp_path / "matrix.yaml"), "--url", "https://gitlab.example.org"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert tomllib.loads(done.stdout)["runners"][0]["name"] == machine
    golden.check(f"{name}/config.toml", done.stdout)


def test_every_golden_configuration_is_made_by_a_test() -> None:
    here = Path(__file__).parent
    assert {path.name for path in here.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(SHOWN)
