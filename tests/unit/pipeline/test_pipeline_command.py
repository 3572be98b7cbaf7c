"""`fwdlab pipeline`: what the job expand leaves, what it says, how it ends."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fwdlab.case import parse_case
from fwdlab.records.model import RawFile
from fwdlab.records.text import record_text
from fwdlab.store.entry import Kind, entry_of
from fwdlab.store.place import store_at
from tests.pipeline.lint import jobs_of, read
from tests.unit.analyse.records import record
from tests.unit.pipeline.example import MATRIX, Checkout


def measured(checkout: Checkout) -> set[str]:
    """The cases that have a job."""
    jobs = jobs_of(read(checkout.expanded("child.yml"))).values()
    return {job["variables"]["FWDLAB_RUN"].rpartition("/")[0] for job in jobs if "resource_group" in job}


def test_the_files_say_the_same_as_the_plan_that_is_printed(checkout: Checkout) -> None:
    done = checkout.expand("--quick")
    assert done.exit_code == 0, done.output
    assert done.stdout == checkout.expanded("plan.txt")
    assert done.stdout.startswith("by hand: 4 of 4 cases are measured\n")
    names = sorted(path.name for path in (checkout.folder / "expanded").iterdir())
    assert names == ["campaigns.json", "cases", "child.yml", "command", "order", "plan.txt"]
    assert checkout.expanded("command") == "./lab run --quick\n"
    assert [item["name"] for item in json.loads(checkout.expanded("campaigns.json"))] == ["step", "firewalls"]


def test_every_case_file_is_handed_on_as_it_was_planned(checkout: Checkout) -> None:
    checkout.expand()
    _, *texts = checkout.expanded("cases").split("run\t")
    for text in texts:
        run, _, case_file = text.partition("\n")
        assert parse_case(case_file, "cases").folder.as_posix() == run
    assert len(texts) == 9


def test_the_order_counts_every_boot_once(checkout: Checkout) -> None:
    checkout.expand()
    rows = [line.split("\t") for line in checkout.expanded("order").splitlines()]
    assert [int(order) for _, _, order in rows] == list(range(1, 9 * 3 + 1))
    assert len({(run, repeat) for run, repeat, _ in rows}) == 9 * 3


def test_two_calls_write_the_same_bytes(checkout: Checkout) -> None:
    checkout.expand()
    first = {path.name: path.read_bytes() for path in (checkout.folder / "expanded").iterdir()}
    checkout.expand()
    assert {path.name: path.read_bytes() for path in (checkout.folder / "expanded").iterdir()} == first


def test_variables_of_gitlab_choose_and_empty_ones_do_not(checkout: Checkout) -> None:
    empty = dict.fromkeys(("FWDLAB_CAMPAIGN", "FWDLAB_CASES", "FWDLAB_BUDGET", "FWDLAB_STALE_AFTER", "FWDLAB_CAP"), "")
    assert "9 of 9" in checkout.expand(CI_PIPELINE_SOURCE="web", **empty).stdout
    checkout.expand(CI_PIPELINE_SOURCE="web", **{**empty, "FWDLAB_CAMPAIGN": "step"})
    assert {case.partition("/")[0] for case in measured(checkout)} == {"box"}
    checkout.expand(CI_PIPELINE_SOURCE="web", **{**empty, "FWDLAB_CASES": "rack/*/stateful/*"})
    assert measured(checkout) == {"rack/host/stateful/none/udp4", "rack/host/forwarding/none/udp4"}
    assert "seconds a boot" in checkout.expand(CI_PIPELINE_SOURCE="schedule", **{**empty, "FWDLAB_BUDGET": "1h"}).stdout


def test_a_merge_request_is_held_against_its_base(checkout: Checkout) -> None:
    before = checkout.commit()
    checkout.change("rules/stateless.nft", "table inet other {}\n")
    words = {"CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_DIFF_BASE_SHA": before}
    assert "6 of 9 cases are measured" in checkout.expand(**words).stdout
    assert "4 of 9 cases are measured" in checkout.expand(**words, CI_COMMIT_REF_PROTECTED="false").stdout
    assert "0 of 9 cases are measured" in checkout.expand("--against", checkout.commit(), **words).stdout


def test_a_base_that_cannot_be_read_makes_every_case_count_as_changed(checkout: Checkout) -> None:
    checkout.commit()
    done = checkout.expand(CI_PIPELINE_SOURCE="push", CI_COMMIT_BEFORE_SHA="1" * 40)
    assert done.exit_code == 0
    assert "push: 9 of 9 cases are measured\nevery case counts as changed: '1111" in done.stdout


def test_what_is_measured_already_is_left_out(checkout: Checkout) -> None:
    checkout.expand()
    runs = {line.split("\t")[0] for line in checkout.expanded("order").splitlines()}
    for run in (run for run in runs if run.startswith("rack/")):
        for repeat in (1, 2, 3):
            checkout.change(f"results/runs/{run}/repeat-{repeat}/facts", f"ended\t2026-11-1{repeat}T01:17:36Z\n")
    done = checkout.expand(CI_PIPELINE_SOURCE="push")
    assert "is measured as it now stands, on 2026-11-13: 3 of them, 'rack/host/forwarding/none/udp4'" in done.stdout
    assert {case.partition("/")[0] for case in measured(checkout)} == {"box"}
    (cut,) = (checkout.folder / "results/runs/rack/host/stateful").rglob("repeat-3")
    cut.rename(cut.with_suffix(".partial"))
    checkout.expand(CI_PIPELINE_SOURCE="push")
    again = {case.split("/")[2] for case in measured(checkout) if case.startswith("rack/")}
    assert again == {"stateful", "forwarding"}, "a case is whole or not measured"


def test_only_the_default_branch_has_pages(checkout: Checkout) -> None:
    checkout.expand(CI_COMMIT_BRANCH="main", CI_DEFAULT_BRANCH="main")
    assert "pages" in read(checkout.expanded("child.yml"))
    checkout.expand(CI_COMMIT_BRANCH="topic", CI_DEFAULT_BRANCH="main")
    assert "pages" not in read(checkout.expanded("child.yml"))


def test_a_matrix_in_a_folder_names_its_rules_from_there(checkout: Checkout) -> None:
    checkout.change("examples/matrix.yaml", MATRIX)
    for name in ("stateless", "stateful"):
        checkout.change(f"examples/rules/{name}.nft", "table inet x {}\n")
    assert checkout.expand("-m", "examples/matrix.yaml").exit_code == 0
    assert read(checkout.expanded("child.yml"))["variables"]["FWDLAB_FOLDER"] == "examples"
    assert checkout.expanded("command") == "./lab run -m examples/matrix.yaml\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cap", "1min"], "matrix.yaml: box needs 2 min 24 s of lab time, the cap is 1 min 00 s; select fewer"),
        (["--budget", "soon"], "--budget: 'soon' is not a number with a unit"),
        (["--stale-after", "7"], "--stale-after: '7' is not a time; write it like '90s', '5min' or '2h'"),
        (["--campaign", "stepp"], "--campaign: there is no 'stepp'; did you mean 'step'?"),
        (["--cases", "x/*"], "--cases 'x/*': no case has that name"),
        (["-m", "none.yaml"], "none.yaml: does not exist"),
    ],
)
def test_what_is_wrong_ends_with_2_and_leaves_no_file(checkout: Checkout, words: list[str], said: str) -> None:
    done = checkout.expand(*words)
    assert (done.exit_code, (checkout.folder / "expanded").exists()) == (2, False)
    assert said in done.stderr


def test_a_folder_that_cannot_be_written_is_the_labs_fault(checkout: Checkout) -> None:
    checkout.change("expanded", "a file")
    done = checkout.expand()
    assert done.exit_code in {2, 3}
    assert "expanded" in done.stderr


def stored(checkout: Checkout) -> None:
    """A store with all repeats of the case of `box/old/forwarding` as it now stands."""
    checkout.expand()
    runs = {line.split("\t")[0] for line in checkout.expanded("order").splitlines()}
    (run,) = (run for run in runs if run.startswith("box/old/forwarding"))
    *names, key = run.split("/")
    raw = (RawFile(path="repeat-1/result", sha256="0" * 64, size=1),)
    made = [replace(record(repeat=repeat, names=tuple(names), key=key), raw=raw) for repeat in (1, 2, 3)]
    store_at(str(checkout.folder / "store")).add(entry_of(Kind.RECORD, record_text(item), shelf=key) for item in made)


def test_a_store_says_what_is_measured(checkout: Checkout) -> None:
    stored(checkout)
    done = checkout.expand(CI_PIPELINE_SOURCE="push", FWDLAB_STORE="store")
    assert done.exit_code == 0, done.output
    why = "measured, the other side of a comparison:\n     1 box/old/forwarding/none/udp4\n"
    assert why in done.stdout, "it is not measured for itself, but as a baseline"
    alone = checkout.expand("--cases", "rack/*", CI_PIPELINE_SOURCE="push").stdout
    assert "the other side" not in alone, "and without the store it is"


def test_a_store_that_is_not_there_yet_is_told_and_everything_is_measured(checkout: Checkout) -> None:
    checkout.commit()
    done = checkout.expand(CI_PIPELINE_SOURCE="schedule", FWDLAB_STORE="git:records")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(
        "schedule: 9 of 9 cases are measured\nno case counts as measured: git:records: there is no such branch"
    )


def test_the_default_branch_keeps_what_it_measures_and_a_merge_request_does_not(checkout: Checkout) -> None:
    branch = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_SOURCE": "schedule"}
    checkout.expand(**branch, FWDLAB_STORE="store")
    script = read(checkout.expanded("child.yml"))["report"]["script"]
    assert './lab store add --to "$FWDLAB_STORE" || status=$?' in script
    assert './lab site --store "$FWDLAB_STORE" || status=$?' in script
    assert read(checkout.expanded("child.yml"))["variables"]["FWDLAB_STORE"] == "store"
    checkout.expand(FWDLAB_STORE="store")
    assert "./lab site || status=$?" in read(checkout.expanded("child.yml"))["report"]["script"]


def patience(checkout: Checkout, load: str) -> dict[str, str]:
    """The script's time of each stage of the box where its load is that one."""
    assert checkout.write(MATRIX.replace("load: max", load)).expand().exit_code == 0
    jobs = jobs_of(read(checkout.expanded("child.yml"))).values()
    return {
        job["stage"]: job["variables"]["RUNNER_SCRIPT_TIMEOUT"] for job in jobs if job.get("resource_group") == "box"
    }


def test_a_job_has_time_for_all_the_trials_that_its_search_may_take(checkout: Checkout) -> None:
    plain, search = patience(checkout, "load: max"), patience(checkout, "load: ndr, search: {final: 1s, trials: 100}")
    assert (plain["round 2"], search["round 2"]) == ("11m", "46m"), "99 more boots of 6 s, and of 1 s each by its clock"
    assert plain["collect"] == search["collect"], "a profile is of one load"


def test_a_search_that_gitlab_would_end_is_refused(checkout: Checkout) -> None:
    done = checkout.write(MATRIX.replace("load: max", "load: ndr, search: {final: 900s, trials: 500}")).expand(
        "--cap", "99999h"
    )
    assert done.exit_code == 2
    assert "GitLab ends a job after 696 h 00 min; lower 'trials' or 'final' of its searches" in done.stderr
