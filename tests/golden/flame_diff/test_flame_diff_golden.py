"""The whole command in process: each folder holds two profiles, the arguments one a line, and what must come out.

`page.html` is the page without the texts of the site's files that it carries.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.cli import main
from fwdlab.render.flame_file import PARTS
from tests.golden.conftest import Golden

FOLDER = Path(__file__).parent
STATIC = FOLDER.parents[2] / "site" / "static"
BEHAVIOURS = sorted(path.parent.name for path in FOLDER.glob("*/arguments"))


def without_parts(page: str) -> str:
    for part in PARTS:
        page = page.replace((STATIC / part).read_text(encoding="utf-8"), f"[{part}]\n")
    return page


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_draws_the_difference(behaviour: str, golden: Golden, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(FOLDER / behaviour)
    arguments = golden.read(f"{behaviour}/arguments").splitlines()
    page = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["flame", *arguments, "--output", str(page)])
    golden.check(f"{behaviour}/stderr", result.stderr)
    golden.check(f"{behaviour}/status", f"{result.exit_code}\n")
    assert page.exists() == (result.exit_code == 0)
    if page.exists():
        golden.check(f"{behaviour}/page.html", without_parts(page.read_text(encoding="utf-8")))
