"""A checkout with `./lab` in it and a machine that is all fakes: its Python, its apt-get, its sudo keep a diary."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.scripts.door.machine import Machine

ROOT = Path(__file__).parents[3]
FAKES = Path(__file__).parent / "fakes"
REAL = "cat cmp cp dirname env find flock grep ln mkdir readlink rm sed sh sha256sum sleep sort touch xargs"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A checkout in a path with blanks and quotes, on a machine with Python and nothing to install."""
    checkout = tmp_path / "a 'check' out"
    for folder in ("setup", ".ci"):
        shutil.copytree(ROOT / folder, checkout / folder)
    shutil.copy(ROOT / "lab", checkout / "lab")
    (checkout / "requirements").mkdir()
    for lock in ("run", "dev"):
        (checkout / f"requirements/{lock}.lock").write_text(f"{lock} of yesterday\n")
    shutil.copytree(ROOT / "requirements/node", checkout / "requirements/node")
    for packages in (checkout / "setup").glob("*.packages"):
        packages.write_text("sh\tdash\n")
    commands = tmp_path / "bin"
    shutil.copytree(FAKES, commands)
    for name in REAL.split():
        (commands / name).symlink_to(shutil.which(name) or "")
    return Machine(checkout=checkout, commands=commands, diary=tmp_path / "diary")
