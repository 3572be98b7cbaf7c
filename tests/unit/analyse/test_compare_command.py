"""`fwdlab compare` from files to words, JSON and exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base").write_text("1000000\n1001000\n999000\n1000500\n999500\n")
    (tmp_path / "new").write_text("# round pps\n1 950000\n2 951000\n3 949000\n4 950500\n5 949500\n")
    (tmp_path / "bad").write_text("1\n2\nfast\n")
    (tmp_path / "folder").mkdir()


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, ["compare", *arguments], input=given)


def test_words() -> None:
    found = run("base", "-", "base", given="950000\n951000\n949000\n950500\n949500\n")
    assert found.exit_code == 0
    assert found.stdout.splitlines() == [
        "base base: 5 repeats, mean 1.000 Mpps",
        "-: -5.00 % +/- 0.11 %, worse",
        "  interval -5.11 % to -4.89 % at 95 %; p = 2.2e-13 (Welch's t, Holm over 2 comparisons); "
        "5 repeats resolve 0.2 %; threshold 1 %; noise floor unmeasured",
        "base: same within 1 %",
        "  interval -0.12 % to +0.12 % at 95 %; p = 1 (Welch's t, Holm over 2 comparisons); "
        "5 repeats resolve 0.19 %; threshold 1 %; noise floor unmeasured",
    ]


def test_column_of_a_table_as_json() -> None:
    found = json.loads(run("new", "new", "--column", "2", "--json", "--noise-floor", "0.5%").stdout)
    (only,) = found["comparisons"]
    assert found["correction"] == "Holm"
    assert (only["verdict"], only["delta"], only["noise_floor"], only["threshold"]) == ("same", 0.0, 0.005, 0.01)
    assert only["new"]["values"] == [950000.0, 951000.0, 949000.0, 950500.0, 949500.0]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ("base", "bad"),
            4,
            "bad:3: 'fast' is not a finite number; correct it, or choose another column with --column",
        ),
        (
            ("base", "none"),
            2,
            "none: cannot be read (No such file or directory); name a file of numbers or a case with records",
        ),
        (("base", "folder"), 2, "folder: is neither a file of numbers nor a case with records; name one that is"),
        (
            ("base", "base", "--confidence", "5%"),
            2,
            "--confidence: 5 % is no level of confidence; choose one such as '95%'",
        ),
    ],
)
def test_faults_end_in_their_family(arguments: tuple[str, ...], status: int, message: str) -> None:
    found = run(*arguments)
    assert (found.exit_code, found.stderr) == (status, f"{message}\n")


def test_a_share_without_its_sign_is_refused() -> None:
    assert "'1' is not a share" in run("base", "base", "--threshold", "1").stderr
