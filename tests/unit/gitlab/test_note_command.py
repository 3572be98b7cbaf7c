"""`fwdlab note`: what it says, where it writes, and that nothing else is touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.gitlab.server import TOKEN, Fault, GitLab
from tests.unit.records import example as recorded
from tests.unit.records.compared import two_revisions

NO_JOB = dict.fromkeys(
    (
        *("CI_API_V4_URL", "CI_PROJECT_ID", "CI_MERGE_REQUEST_PROJECT_ID", "CI_MERGE_REQUEST_IID", "CI_PIPELINE_ID"),
        *("CI_COMMIT_SHA", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "CI_SERVER_TLS_CA_FILE", "FWDLAB_GITLAB_TOKEN"),
    )
)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Three repeats of one case on two revisions, and a campaign whose title tries to be more than a title."""
    return two_revisions(tmp_path / "results", recorded.SLICES, "6.12 @all <b>")


def job(gitlab: GitLab) -> dict[str, str | None]:
    return {
        **NO_JOB,
        "CI_API_V4_URL": f"{gitlab.url}/api/v4",
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "5",
        "CI_PIPELINE_ID": "100",
        "FWDLAB_GITLAB_TOKEN": TOKEN,
    }


def note(results: Path, variables: dict[str, str | None], *words: str) -> Result:
    done = CliRunner().invoke(main, ["note", "--results", str(results), *words], env=variables)
    assert TOKEN not in done.output
    return done


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_writes_the_note_and_edits_it_in_place(results: Path, gitlab: GitLab) -> None:
    done = note(results, job(gitlab), "--base-url", "https://lab.example/site")
    assert (done.exit_code, done.output) == (0, "note: of merge request 5, written\n")
    (text,) = gitlab.bodies()
    assert text.startswith("### fwdlab: 1 same in 1 campaign <!-- fwdlab note of pipeline 100 -->\n")
    assert r"[6.12 \@all &lt;b&gt;](https://lab.example/site/campaigns/newer.html)" in text
    assert "measure again: `./lab run`" in text
    done = note(results, {**job(gitlab), "CI_PIPELINE_ID": "101"})
    assert (done.exit_code, done.output) == (0, "note: of merge request 5, edited\n")
    assert len(gitlab.bodies()) == 1


@pytest.mark.parametrize("missing", ["CI_MERGE_REQUEST_IID", "FWDLAB_GITLAB_TOKEN"])
def test_where_nothing_can_be_written_it_says_so_and_all_is_well(tmp_path: Path, gitlab: GitLab, missing: str) -> None:
    done = note(tmp_path / "nothing", {**job(gitlab), missing: None})
    assert done.exit_code == 0
    assert done.stdout.startswith(f"note: {missing} is not set: ")
    assert gitlab.asked == []


def test_a_token_without_the_right_is_told_and_touches_nothing(results: Path, gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="POST", status=403)]
    before = files(results.parent)
    done = note(results, job(gitlab))
    assert (done.exit_code, done.stdout) == (3, "")
    assert "the server answered 403 (Forbidden); give the token of FWDLAB_GITLAB_TOKEN the scope 'api'" in done.stderr
    assert files(results.parent) == before


def test_a_variable_that_was_not_passed_on_is_told(results: Path, gitlab: GitLab) -> None:
    done = note(results, {**job(gitlab), "CI_API_V4_URL": None})
    assert done.exit_code == 2
    assert done.stderr.startswith("CI_API_V4_URL: is not set; leave it as GitLab sets it, ")


def test_a_refused_record_is_told_after_the_note_is_written(results: Path, gitlab: GitLab) -> None:
    (broken, *_) = sorted((results / "records").rglob("repeat-2.json"))
    broken.write_text("{}")
    done = note(results, job(gitlab))
    assert done.exit_code == 4
    assert str(broken) in done.stderr
    assert gitlab.bodies()[0].startswith("### fwdlab: 1 invalid in 1 campaign")


def test_without_results_there_is_no_note(tmp_path: Path, gitlab: GitLab) -> None:
    done = note(tmp_path / "nothing", job(gitlab))
    assert done.exit_code == 4
    assert gitlab.asked == []


def test_what_talks_http_is_imported_only_to_write() -> None:
    script = "import sys, fwdlab.cli.note; print({'requests', 'gitlab', 'scipy'} & set(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "set()\n"
    )
