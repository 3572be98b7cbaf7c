"""`fwdlab bench verdicts` on a small simulation."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from fwdlab.bench import verdicts
from fwdlab.cli import main

SMALL = ["bench", "verdicts", "--campaigns", "300", "--comparisons", "20"]


def test_promises_are_kept_and_told() -> None:
    found = CliRunner().invoke(main, SMALL)
    lines = found.stdout.splitlines()
    assert found.exit_code == 0, found.stdout
    assert lines[0].startswith("300 campaigns of 20 comparisons, 5 repeats a side, deviation 0.8 %, threshold 1 %")
    assert len(lines) == 20
    assert all(line.endswith("kept") for line in lines[1:])


def test_a_missed_promise_is_said_and_ends_in_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "_CHANGE", -0.004)
    monkeypatch.setattr(verdicts, "power_of", lambda *_: 0.9)
    found = CliRunner().invoke(main, SMALL)
    assert found.exit_code == 1
    assert sum(line.endswith("MISSED") for line in found.stdout.splitlines()) == 2


def test_benchmarks_are_listed_by_their_files() -> None:
    assert "verdicts  Simulate campaigns" in CliRunner().invoke(main, ["bench", "--help"]).stdout
