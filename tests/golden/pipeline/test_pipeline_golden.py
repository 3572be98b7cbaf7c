"""Child pipelines, each with the plan it comes from; a folder's name says what it shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fwdlab.pipeline import child
from tests.golden.conftest import Golden
from tests.pipeline.lint import faults
from tests.unit.pipeline.example import MATRIX, Checkout

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
MERGE_REQUEST = {"CI_PIPELINE_SOURCE": "merge_request_event", "CI_COMMIT_REF_PROTECTED": "false"}


def by_hand(checkout: Checkout) -> list[str]:
    checkout.expand("--campaign", "step")
    return ["child.yml"]


def a_changed_rule_file(checkout: Checkout) -> list[str]:
    before = checkout.commit()
    checkout.change("rules/stateful.nft", "table inet other {}\n")
    checkout.expand(**MERGE_REQUEST, CI_MERGE_REQUEST_DIFF_BASE_SHA=before)
    return ["child.yml"]


def a_changed_page(checkout: Checkout) -> list[str]:
    before = checkout.commit()
    checkout.change("README.md", "words\n")
    checkout.expand(**MERGE_REQUEST, CI_MERGE_REQUEST_DIFF_BASE_SHA=before)
    return ["child.yml"]


def the_default_branch(checkout: Checkout) -> list[str]:
    variables = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_SOURCE": "schedule"}
    checkout.expand(**variables, FWDLAB_BUDGET="1min")
    return ["child.yml"]


def a_page_of_the_default_branch(checkout: Checkout) -> list[str]:
    before = checkout.commit()
    checkout.change("README.md", "words\n")
    variables = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_SOURCE": "push"}
    checkout.expand(**variables, CI_COMMIT_BEFORE_SHA=before, FWDLAB_STORE="git:fwdlab-records@origin")
    return ["child.yml"]


def by_need(checkout: Checkout) -> list[str]:
    checkout.write(MATRIX.replace("baseline: old\n", "baseline: old\n    repeats: {min: 3, max: 6, until: 0.1%}\n"))
    checkout.expand("--cases", "box/*/forwarding/*")
    return ["child.yml"]


def two_places(checkout: Checkout) -> list[str]:
    checkout.write(MATRIX.replace("tags: [fwdlab-virtual]", "tags: [fwdlab-virtual, x86_64], places: 2"))
    checkout.expand("--campaign", "step")
    return ["child.yml"]


def odd_names(checkout: Checkout) -> list[str]:
    text = MATRIX.replace("  old: {", "  '15.10': {").replace("baseline: old", "baseline: '15.10'")
    text = text.replace("[old, new]", "['15.10', new]").replace("  new: {", "  'no': {").replace(", new]", ", 'no']")
    checkout.write(text.replace("udp4:", "'1e3':").replace("[fwdlab-virtual]", "['yes', '0x10', 'a:b']"))
    checkout.expand("--cases", "box/*/forwarding/*")
    return ["child.yml"]


def too_large(checkout: Checkout) -> list[str]:
    checkout.expand()
    return ["child.yml", "child-rack.yml"]


SHOWN: dict[str, Callable[[Checkout], list[str]]] = {
    "a_campaign_by_hand_is_measured_round_by_round": by_hand,
    "a_changed_rule_file_is_measured_with_its_baseline_and_without_protected_machines": a_changed_rule_file,
    "a_change_that_touches_no_case_has_a_plan_and_nothing_else": a_changed_page,
    "a_schedule_of_the_default_branch_spends_its_budget_and_publishes": the_default_branch,
    "a_push_that_touches_no_case_renders_the_history_again": a_page_of_the_default_branch,
    "repeats_by_need_have_a_look_between_their_rounds": by_need,
    "a_virtual_machine_with_two_places_has_two_resource_groups": two_places,
    "names_that_yaml_would_read_as_numbers_stay_names": odd_names,
    "more_than_gitlab_reads_is_one_child_a_machine": too_large,
}


@pytest.mark.parametrize("name", SHOWN)
def test_children(name: str, golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Checkout(folder=tmp_path).write()
    if SHOWN[name] is too_large:
        monkeypatch.setattr(child, "YAML_OCTETS", 40_000)
    for file in (*SHOWN[name](checkout), "plan.txt"):
        golden.check(f"{name}/{file}", checkout.expanded(file))


def written() -> list[Path]:
    return [ROOT / ".gitlab-ci.yml", *sorted(HERE.glob("*/*.yml"))]


@pytest.mark.parametrize("path", written(), ids=lambda path: str(path.relative_to(ROOT)))
def test_each_is_what_gitlab_takes(path: Path) -> None:
    assert faults(path.read_text(), ROOT) == []


def test_gitlabs_schema_accepts_them_all() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci"]
    done = subprocess.run([*command, *map(str, written())], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_gitlabs_schema_refuses_what_is_no_pipeline(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_text("job: {script: [go], retry: {max: 9}}\n")
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.gitlab-ci",
        str(tmp_path / "x.yml"),
    ]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_every_folder_is_shown() -> None:
    assert sorted(path.name for path in HERE.iterdir() if path.is_dir() and path.name[0] != "_") == sorted(SHOWN)
