"""`fwdlab report`: what was asked for, where it was asked for, and an exit status that no verdict changes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.records import example as recorded
from tests.unit.records.compared import two_revisions

FASTER = tuple(value // 2 for value in recorded.SLICES)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Three repeats of one case on two revisions, the second twice as fast, and a campaign that compares them."""
    return two_revisions(tmp_path / "results", FASTER, "6.12 against 6.1")


def report(results: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["report", "--results", str(results), *words])


def test_with_nothing_asked_for_it_prints_the_table(results: Path) -> None:
    done = report(results)
    assert done.exit_code == 0
    assert done.stdout.startswith("6.12 against 6.1 (virtual kpps, baseline debian-6.1)\n")
    assert "better" in done.stdout


def test_all_that_is_asked_for_is_written(results: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / "out" / name for name in ("json", "junit", "markdown")}
    done = report(results, *(word for name, path in files.items() for word in (f"--{name}", str(path))))
    assert (done.exit_code, done.output) == (0, "")
    assert json.loads(files["json"].read_text())["campaigns"][0]["comparisons"][0]["verdict"] == "better"
    root = ElementTree.fromstring(files["junit"].read_bytes())  # noqa: S314 - our own text
    assert (root.get("tests"), root.get("failures")) == ("1", "0")
    assert files["markdown"].read_text().startswith("### fwdlab: 1 better in 1 campaign\n")


@pytest.mark.parametrize(("option", "begin"), [("--json", "{"), ("--junit", "<?xml"), ("--markdown", "### ")])
def test_a_dash_is_standard_output(results: Path, option: str, begin: str) -> None:
    done = report(results, option, "-")
    assert done.exit_code == 0
    assert done.stdout.startswith(begin)
    assert done.stdout == report(results, option, "-").stdout


def test_links_lead_to_the_address_of_the_site(results: Path) -> None:
    said = report(results, "--markdown", "-", "--base-url", "https://lab.example/fwdlab").stdout
    assert "(https://lab.example/fwdlab/campaigns/newer.html)" in said


@pytest.mark.parametrize("address", ["lab.example", "ftp://lab.example", "javascript:alert(1)", "https://", ""])
def test_what_is_no_address_of_a_site_is_refused(results: Path, address: str) -> None:
    done = report(results, "--markdown", "-", "--base-url", address)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"--base-url: '{address}' is no address of a site; write it like 'https://lab.example/site'\n"
    )


def bend(results: Path, *, gate: bool) -> None:
    """The campaign the other way round, so that it finds worse; as a gate or none."""
    path = results / "campaigns.json"
    document = json.loads(path.read_text())
    document[0]["arms"].reverse()
    document[0]["gate"] = gate
    path.write_text(json.dumps(document))


@pytest.mark.parametrize("gate", [True, False])
def test_a_worse_verdict_alone_does_not_change_the_exit_status(results: Path, gate: bool) -> None:
    bend(results, gate=gate)
    done = report(results, "--junit", "-")
    assert (done.exit_code, done.stderr) == (0, "")
    assert f'failures="{int(gate)}"' in done.stdout


@pytest.mark.parametrize(
    ("gate", "status", "advice"),
    [
        (True, 1, "the campaign is a gate: mend the change, or say 'gate: false' where the cost is meant"),
        (False, 5, "the campaign is no gate, so this is a warning"),
    ],
)
def test_a_gate_fails_what_is_worse_and_another_campaign_warns(
    results: Path, tmp_path: Path, gate: bool, status: int, advice: str
) -> None:
    bend(results, gate=gate)
    done = report(results, "--gate", "--junit", str(tmp_path / "junit.xml"))
    assert done.exit_code == status
    (line,) = done.stderr.splitlines()
    assert line.startswith("campaign 'newer': debian-6.1: -4")
    assert line.endswith(f", worse; {advice}")
    assert (tmp_path / "junit.xml").exists()


def test_a_gate_lets_pass_what_is_better(results: Path) -> None:
    done = report(results, "--gate")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("gate", "status"), [(True, 4), (False, 0)])
def test_a_gate_that_cannot_judge_stays_shut(results: Path, gate: bool, status: int) -> None:
    bend(results, gate=gate)
    for path in sorted((results / "records").rglob("repeat-2.json")):
        path.unlink()
    done = report(results, "--gate")
    assert done.exit_code == status
    assert ("the campaign is a gate and could not judge: measure again" in done.stderr) is gate


def test_what_is_worse_is_told_beside_a_refused_record(results: Path) -> None:
    bend(results, gate=False)
    document = json.loads((results / "campaigns.json").read_text())
    (broken, *_) = sorted((results / "records").rglob("repeat-1.json"))
    broken.write_text("{}")
    (results / "campaigns.json").write_text(json.dumps([*document, {**document[0], "name": "shut", "gate": True}]))
    done = report(results, "--gate")
    assert done.exit_code == 4
    assert str(broken) in done.stderr
    assert "campaign 'shut': " in done.stderr


def test_a_refused_record_is_told_and_what_is_left_is_reported(results: Path) -> None:
    (broken, *_) = sorted((results / "records").rglob("repeat-2.json"))
    broken.write_text("{}")
    done = report(results, "--markdown", "-")
    assert done.exit_code == 4
    assert str(broken) in done.stderr
    assert done.stdout.startswith("### fwdlab: 1 invalid in 1 campaign\n")
    assert "2 valid repeats" in done.stdout


def test_without_results_it_says_what_to_do(tmp_path: Path) -> None:
    done = report(tmp_path / "nothing")
    assert done.exit_code == 4
    assert done.stderr.endswith("measure first with './lab run'\n")


def test_a_file_that_cannot_be_written_is_the_labs_fault(results: Path) -> None:
    done = report(results, "--json", str(results / "campaigns.json" / "verdicts.json"))
    assert done.exit_code == 3
    assert "cannot be written" in done.stderr
