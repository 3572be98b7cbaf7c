"""The cases of another commit, read without a checkout; where they cannot be, it is said why."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fwdlab.matrix.load import load_matrix
from fwdlab.pipeline.changes import changes
from fwdlab.pipeline.target import Asked, Before, as_declared, cases_at
from tests.unit.pipeline.example import MATRIX, Checkout


def asked(checkout: Checkout, *, quick: bool = False) -> Asked:
    return Asked(matrix=checkout.folder / "matrix.yaml", runner_scripts=checkout.folder / "runner-scripts", quick=quick)


def touched(checkout: Checkout, before: Before) -> dict[str, tuple[str, ...]]:
    now = as_declared(load_matrix(checkout.folder / "matrix.yaml"), checkout.folder / "runner-scripts")
    return {"/".join(names[:3]): why for names, why in changes(now, before.cases).items()}


def test_a_commit_against_itself_changes_nothing(checkout: Checkout) -> None:
    before = cases_at(checkout.commit(), asked(checkout))
    assert (len(before.cases), before.doubt, touched(checkout, before)) == (9, "", {})


def test_a_rule_file_changes_its_cases_alone(checkout: Checkout) -> None:
    commit = checkout.commit()
    checkout.change("rules/stateful.nft", "table inet other {}\n")
    assert touched(checkout, cases_at(commit, asked(checkout))) == {
        f"{place}/stateful": ("rule file 'rules/stateful.nft' changed",)
        for place in ("box/old", "box/new", "rack/host")
    }


def test_a_runner_script_changes_its_labs_cases_alone(checkout: Checkout) -> None:
    commit = checkout.commit()
    checkout.change("runner-scripts/labs/netns/lab.sh", "# another way\n")
    found = touched(checkout, cases_at(commit, asked(checkout)))
    assert {case.partition("/")[0] for case in found} == {"rack"}
    assert set(found.values()) == {("the runner scripts of lab 'netns' changed",)}


def test_an_entry_that_is_added_is_new(checkout: Checkout) -> None:
    commit = checkout.commit()
    checkout.write(MATRIX.replace("  forwarding: {}\n", "  forwarding: {}\n  more: {rules: rules/stateful.nft}\n"))
    found = touched(checkout, cases_at(commit, asked(checkout)))
    assert set(found.values()) == {("new in the matrix",)}
    assert {case.rpartition("/")[2] for case in found} == {"more"}


def test_what_git_keeps_and_the_folder_has_lost_is_read_from_git(checkout: Checkout) -> None:
    commit = checkout.commit()
    folders = sorted(path.name for path in checkout.folder.iterdir())
    before = cases_at(commit, asked(checkout, quick=True))
    assert len(before.cases) == 4
    assert sorted(path.name for path in checkout.folder.iterdir()) == folders, "nothing was checked out"


def test_scripts_from_elsewhere_are_those_of_both_sides(
    checkout: Checkout, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scripts = tmp_path_factory.mktemp("elsewhere") / "scripts"
    shutil.copytree(checkout.folder / "runner-scripts", scripts)
    where = Asked(matrix=checkout.folder / "matrix.yaml", runner_scripts=scripts, quick=False)
    assert len(cases_at(checkout.commit(), where).cases) == 9


@pytest.mark.parametrize("commit", ["", "0" * 40])
def test_without_a_commit_before_nothing_is_known(checkout: Checkout, commit: str) -> None:
    checkout.commit()
    assert cases_at(commit, asked(checkout)) == Before(
        cases={}, doubt="every case counts as changed: there is no commit before this one"
    )


def test_a_commit_that_was_not_fetched_is_told(checkout: Checkout) -> None:
    checkout.commit()
    doubt = cases_at("1" * 40, asked(checkout)).doubt
    assert doubt.startswith(f"every case counts as changed: '{'1' * 40}' cannot be read (fatal: ")
    assert doubt.endswith("); fetch it, or name another commit with --against")


def test_a_folder_without_git_is_told(checkout: Checkout) -> None:
    assert "not a git repository" in cases_at("HEAD", asked(checkout)).doubt


def test_an_option_is_no_commit(checkout: Checkout) -> None:
    checkout.commit()
    assert "cannot be read" in cases_at(f"--output={checkout.folder}/x", asked(checkout)).doubt
    assert not (checkout.folder / "x").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MATRIX.replace("seed: 1", "seed: one"), "matrix.yaml:2:7: 'seed' is 'one'; write a whole number"),
        (MATRIX.replace("quick:", "campaigns2:"), "matrix.yaml:32:1: unknown key 'campaigns2' in the matrix"),
        (None, "matrix.yaml: does not exist; write one"),
    ],
)
def test_a_matrix_that_was_wrong_before_is_told(checkout: Checkout, text: str | None, said: str) -> None:
    if text is None:
        (checkout.folder / "matrix.yaml").unlink()
    else:
        checkout.write(text)
    commit = checkout.commit()
    checkout.write()
    before = cases_at(commit, asked(checkout))
    assert before.cases == {}
    assert before.doubt.startswith(f"every case counts as changed: '{commit}' cannot be expanded ({said}"), before.doubt
    assert not Path(checkout.folder / "expanded").exists()
