"""The whole command in process: each folder holds its input, the arguments one a line, and what must come out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fwdlab.analyse.ministat import CURRENT, PAGE, NamedSet, RelativeError, ministat_text
from fwdlab.cli import main
from tests.golden.conftest import Golden

FOLDER = Path(__file__).parent
BEHAVIOURS = sorted(path.parent.name for path in FOLDER.glob("*/arguments"))
BLOCKS = FOLDER.parents[3] / "shared" / "seeds" / "blocks.json"


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_command_prints_what_ministat_prints(behaviour: str, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / behaviour)
    arguments = golden.read(f"{behaviour}/arguments").splitlines()
    stdin = FOLDER / behaviour / "stdin"
    given = stdin.read_bytes() if stdin.exists() else b""
    result = CliRunner().invoke(main, ["ministat", *arguments], input=given)
    golden.check(f"{behaviour}/stdout", result.stdout)
    golden.check(f"{behaviour}/stderr", result.stderr)
    golden.check(f"{behaviour}/status", f"{result.exit_code}\n")


@pytest.mark.shared
@pytest.mark.skipif(not BLOCKS.exists(), reason="needs the reference pages of the shared folder")
def test_all_blocks_of_the_reference_pages_come_out() -> None:
    blocks = json.loads(BLOCKS.read_text(encoding="utf-8"))
    wrong = [(block["seed"], block["block"]) for block in blocks if ours(block) != block["text"] + "\n"]
    assert len(blocks) == 16
    assert wrong == []


def ours(block: dict[str, Any]) -> str:
    named = [NamedSet(name=item["name"], values=tuple(item["values"])) for item in block["datasets"]]
    simple = block["algorithm"]["relative_ci"] == "old"
    formulas = replace(CURRENT, relative_error=RelativeError.SIMPLE if simple else RelativeError.RATIO)
    text = ministat_text(named, replace(PAGE, width=int(block["options"].split()[-1])), formulas)
    return text.replace("\t", " " * 8) if block["tab_pasted_as_spaces"] else text
