"""Imported measurements in a store: what came of logs, and what nobody dated."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from fwdlab.cli import main
from tests.unit.archive.written import archive


def fwdlab(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_was_imported_says_the_same_out_of_a_store(tmp_path: Path) -> None:
    results, store, laid_out = (str(tmp_path / name) for name in ("results", "store", "laid-out"))
    fwdlab("import", "bench-lab", str(archive(tmp_path / "logs")), "--results", results)
    fwdlab("store", "add", results, "--to", store)
    fwdlab("store", "verify", store)
    assert "undated" in fwdlab("store", "list", store, "--campaign", "logs")
    stored = fwdlab("report", "--results", laid_out, "--store", store, "--json", "-")
    assert json.loads(stored) == json.loads(fwdlab("report", "--results", results, "--json", "-"))
