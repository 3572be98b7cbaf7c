"""The pipeline as runners carry it out, from the parent's jobs to the site, with the virtual lab."""

from __future__ import annotations

import filecmp
import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fwdlab.records.make import records_of
from fwdlab.records.model import Label, Record
from tests.e2e.gitlab import Pipeline, Repository
from tests.unit.gitlab.server import TOKEN, GitLab, served
from tests.unit.run.processes import all_gone, marked, until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

REFUSED = "table inet filter {\n\tchain forward { typ filter }\n}\n"
PLAIN, STATEFUL = "qemu-x86/6.10/forwarding/none/0x40", "qemu-x86/6.10/1e3/none/0x40"
MEASURED = [
    f"{number} {name}, {stage}"
    for stage in ("round 1", "round 2", "round 3", "collect")
    for number, name in ((1, "forwarding"), (2, "1e3"))
]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    """A checkout; no process that a job began there may be left."""
    yield Repository(folder=tmp_path).write()
    all_gone(str(tmp_path))


def folder_of(repository: Repository, slug: str) -> Path:
    """The run folder of a case."""
    (found,) = (repository.runs / slug).iterdir()
    return found


def differences(one: Path, other: Path) -> list[str]:
    """Paths below one folder and not the other, or with other octets."""
    inside = {path.relative_to(side) for side in (one, other) for path in side.rglob("*") if not path.is_dir()}
    return sorted(
        str(path)
        for path in inside
        if not all((side / path).is_file() for side in (one, other))
        or not filecmp.cmp(one / path, other / path, shallow=False)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduled:
    """A schedule's pipeline on the default branch, each of its jobs alone with the artifacts that come to it."""

    repository: Repository
    expand: Pipeline
    child: Pipeline


@pytest.fixture(scope="session")
def scheduled(tmp_path_factory: pytest.TempPathFactory) -> Scheduled:
    repository = Repository(folder=tmp_path_factory.mktemp("scheduled")).write()
    expand = repository.parent("schedule", "expand")
    child = repository.apart()
    all_gone(str(repository.folder))
    return Scheduled(repository=repository, expand=expand, child=child)


@pytest.mark.parametrize(
    ("source", "jobs"),
    [
        ("schedule", ["expand", "measure"]),
        ("merge_request_event", ["check", "expand", "measure"]),
        ("push", ["check", "expand", "measure"]),
        ("web", ["check", "expand", "measure"]),
    ],
)
def test_the_parent_checks_a_change_before_it_is_measured(repository: Repository, source: str, jobs: list[str]) -> None:
    listed = repository.parent(source, "--list")
    rows = [line.split()[0] for line in listed.said.splitlines() if "on_success" in line]
    assert rows == jobs


def test_every_job_has_what_it_needs_by_artifacts_alone(scheduled: Scheduled) -> None:
    assert scheduled.expand.endings == {"expand": 0}, scheduled.expand.said
    assert scheduled.child.endings.keys() == {"plan", *MEASURED, "report", "pages"}
    assert scheduled.child.bad == {"report": 5}, "something is worse, and the campaign is no gate"
    assert "6 records of 2 cases in results/records" in scheduled.child.lines("report")
    assert (scheduled.repository.public / "index.html").is_file()


def test_the_plan_says_which_runner_a_machine_waits_for(scheduled: Scheduled) -> None:
    said = "qemu-x86: waits for a runner with tags 'on', '10.0'"
    assert scheduled.expand.lines("expand")[-1] == said
    assert said in scheduled.child.lines("plan"), "where a pipeline that hangs is looked at"


def test_the_site_is_the_one_that_a_run_by_hand_makes_of_the_same_raw_output(
    scheduled: Scheduled, repository: Repository
) -> None:
    shutil.copytree(scheduled.repository.runs, repository.runs)
    by_hand = repository.lab("run")
    assert by_hand.returncode == 0, by_hand.stderr
    assert " 0 s in 0 boots" in by_hand.stdout, "every case file is the same, so nothing is left to measure"
    assert differences(scheduled.repository.public, repository.public) == []


def test_no_name_and_no_title_is_taken_for_yaml_shell_or_html(scheduled: Scheduled) -> None:
    folder = scheduled.repository.folder
    assert not list(folder.rglob("pwned"))
    text = (folder / "public/campaigns/null.html").read_text()
    assert "&lt;script&gt;alert(" in text
    assert "<script>alert(" not in text
    assert "{{ packet }}" in text
    assert "$(touch pwned)" in text


def test_a_merge_request_measures_what_it_changes_and_is_answered_in_one_note(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "-b", "topic")
    repository.rules((repository.folder / "rules/stateful.nft").read_text() + "# a remark\n")
    repository.commit()
    with served(GitLab()) as gitlab:
        request = {
            "CI_API_V4_URL": f"{gitlab.url}/api/v4",
            "CI_MERGE_REQUEST_IID": "5",
            "CI_MERGE_REQUEST_PROJECT_ID": "42",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
            "FWDLAB_GITLAB_TOKEN": TOKEN,
        }
        expand = repository.parent("merge_request_event", "expand", FWDLAB_QUICK="1", **request)
        plan = expand.lines("expand")
        assert plan[0] == "merge request: 2 of 2 cases are measured"
        assert "measured, rule file 'rules/stateful.nft' changed:" in plan
        assert "measured, the other side of a comparison:" in plan
        child = repository.child(**request)
        assert child.bad == {"report": 5}, child.said
        assert "pages" not in child.endings, "a merge request publishes nothing"
        (note,) = gitlab.bodies()
    assert "**worse**" in note
    assert "/artifacts/file/public/campaigns/null.html" in note
    assert len(note.splitlines()) <= 60
    assert (repository.public / "index.html").is_file()


def test_a_push_keeps_what_it_measured_and_the_next_one_measures_nothing(repository: Repository) -> None:
    store = {"FWDLAB_STORE": str(repository.folder / "store")}
    first = repository.parent("push", "expand", **store)
    assert "every case counts as changed: there is no commit before this one" in first.lines("expand")
    child = repository.child(**store)
    assert child.bad == {"report": 5}, child.said
    assert "pages" in child.endings
    published = repository.folder / "published"
    repository.public.rename(published)
    assert repository.lab("run").returncode == 0
    assert differences(published, repository.public) == [], "from the history as from the raw output"
    shutil.rmtree(repository.folder / "results")
    second = repository.parent("push", "expand", **store)
    assert second.lines("expand")[0] == "push: 0 of 2 cases are measured"
    child = repository.child(**store)
    assert child.endings == {"plan": 0, "report": 0, "pages": 0}, child.said
    assert differences(published, repository.public) == [], "the history is published as it was"


def test_a_rule_file_that_is_refused_fails_its_case_alone(repository: Repository) -> None:
    repository.rules(REFUSED)
    repository.commit()
    repository.parent("schedule", "expand")
    child = repository.child()
    given_up = {"2 1e3, round 2": 4, "2 1e3, round 3": 4, "2 1e3, collect": 4}
    assert child.bad == {"2 1e3, round 1": 2, **given_up}, child.said
    (said,) = child.lines("2 1e3, collect")
    assert said.startswith(f"{STATEFUL}/")
    assert "is given up, since round 1 left no result (" in said
    assert "syntax error" in said
    assert "not measured" in (repository.public / "campaigns/null.html").read_text()


def test_a_lab_that_fails_ends_its_job_with_3_and_another_attempt_may_go_well(repository: Repository) -> None:
    repository.parent("schedule", "expand")
    job = "1 forwarding, round 1"
    for attempt in (1, 2):
        child = repository.child("plan", job, FWDLAB_BOOT_DEADLINE_S="1")
        assert child.bad == {job: 3}, "which GitLab tries once more"
        assert "the guest was not done after 1 s" in child.lines(job)[-1]
        assert (folder_of(repository, PLAIN) / f"failed/repeat-1.{attempt}/reason").is_file()
    assert repository.child("plan", job).bad == {}


def test_a_search_is_one_job_that_asks_the_controller_for_each_load(tmp_path: Path) -> None:
    search = "load: ndr, search: {width: 10%, final: 20ms, trials: 12}"
    repository = Repository(folder=tmp_path).write("load: max", search)
    expand = repository.parent("schedule", "expand")
    note = "note: lab time above counts several trials a repeat, of '0x40' "
    assert any(line.startswith(note) for line in expand.lines("expand"))
    child = repository.child("plan", "1 forwarding, round 1")
    assert child.bad == {}, child.said
    run = folder_of(repository, PLAIN)
    (record,) = records_of(run)
    assert isinstance(record, Record), record
    assert record.label is Label.NDR
    assert record.searched
    assert record.searched.irregular == ""
    assert len(list((run / "repeat-1").glob("trial-*/console.log"))) == len(record.searched.trials) >= 3
    all_gone(str(tmp_path))


def test_without_the_artifact_of_expand_every_job_says_so_and_nothing_is_published(repository: Repository) -> None:
    repository.parent("schedule", "expand")
    for path in (repository.folder / "expanded").iterdir():
        if path.suffix != ".yml":
            path.unlink()
    child = repository.child()
    assert child.bad == {"plan": 3, **dict.fromkeys(MEASURED, 4), "report": 3, "pages": 3}
    assert child.lines("plan") == ["expanded/plan.txt: is not there; run the pipeline again from its job expand"]
    assert child.lines("report") == ["expanded/command: is not there; see the job plan, and run the pipeline again"]
    assert child.lines("pages") == ["public/index.html: is not there; see the job report"]
    assert not repository.public.exists()


def test_after_a_runner_that_was_killed_the_next_job_cleans_up_and_only_what_is_missing_is_measured(
    repository: Repository,
) -> None:
    repository.parent("schedule", "expand")
    pipeline = repository.begin()
    until(lambda: list(repository.runs.glob(f"{PLAIN}/*/repeat-1")), 60, "the first repeat")
    until(repository.guests, 60, "the next job's guest")
    inside = marked(str(repository.folder))
    for pid in (pid for pid, line in inside.items() if "gitlab-ci-local" in line or "job.sh" in line or "bash" in line):
        os.kill(pid, signal.SIGKILL)
    pipeline.wait()
    assert marked(str(repository.folder)), "nothing else ends what the job began"
    facts = (folder_of(repository, PLAIN) / "repeat-1/facts").read_bytes()
    child = repository.child()
    assert child.bad == {"report": 5}, child.said
    assert "qemu-x86: outlived their job and are ended: processes " in child.said
    assert (folder_of(repository, PLAIN) / "repeat-1/facts").read_bytes() == facts
    assert "6 records of 2 cases in results/records" in child.lines("report")
    assert not list(repository.runs.rglob("*.partial"))


def test_a_job_that_is_cancelled_leaves_no_process_and_no_part_of_a_repeat(repository: Repository) -> None:
    repository.parent("schedule", "expand")
    pipeline = repository.begin()
    until(repository.guests, 60, "a guest")
    (job, *_) = (pid for pid, line in marked(str(repository.folder)).items() if "job.sh traffic" in line)
    os.kill(pipeline.pid, signal.SIGKILL)  # nothing follows what is cancelled
    os.kill(job, signal.SIGTERM)
    pipeline.wait()
    all_gone(str(repository.folder), 20)
    assert not list(repository.runs.rglob("repeat-*[0-9]"))
    assert not repository.public.exists()
