"""What a search says step by step and at its end, and the log it leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.bisect.words import report
from tests.golden.conftest import Golden
from tests.unit.bisect.trees import Lab, Node, line, made, search

HISTORIES: dict[str, tuple[Node, ...]] = {
    "a_commit_that_does_not_build_is_gone_around": line(12, {8: 0.9876}, [6]),
    "only_skipped_commits_are_left": line(9, {4: 1.011}, [3, 4, 5]),
    "ends_that_do_not_differ_end_it_at_once": line(5, {2: 0.9998}),
    "drift_is_no_single_commit": line(20, dict.fromkeys(range(1, 20), 0.9995)),
    "two_changes_leave_a_rest_to_bisect": line(10, {3: 0.97, 7: 0.99}),
    "a_merge_is_held_against_both_parents": (
        *line(3, {}),
        Node(parents=(0,)),
        Node(parents=(2, 3), factor=0.95),
        Node(parents=(4,)),
    ),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_searches(golden: Golden, tmp_path: Path, name: str) -> None:
    tree = made(tmp_path / "tree", HISTORIES[name])
    said: list[str] = []
    found = search(tree, Lab(tree=tree), 0, -1, tell=said.append).found()
    golden.check(f"{name}/said", "".join(f"{text}\n" for text in (*said, *report(found))))
    golden.check(f"{name}/log", tree.folder.with_suffix(".log").read_text())
