"""The log is git's: git takes it, and comes to the same commit as git does by itself."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from fwdlab.bisect.log import parse_log
from fwdlab.bisect.model import Found, Stuck
from fwdlab.errors import RecordError
from tests.unit.bisect.trees import LEVEL, Lab, Node, Tree, ancestry, found, git, line, made

JUDGE = f"""#!/bin/sh
read -r rate state <state
[ "$state" = whole ] || exit 125
[ "${{rate%.*}}" -gt {int(LEVEL * 0.99)} ]
"""
WIRING = ((), (0,), (1,), (0,), (3,), (2, 4), (5,), (3,), (7,), (6, 8), (9,), (10,), (9,), (11, 12), (13,))


def merges(culprit: int, broken: set[int]) -> tuple[Node, ...]:
    """A small history with three merges."""
    return tuple(
        Node(parents=parents, factor=0.98 if place == culprit else 1.0, broken=place in broken)
        for place, parents in enumerate(WIRING)
    )


def histories() -> list[tuple[Node, ...]]:
    chance = random.Random(1)  # noqa: S311 - examples, no secret
    drawn = [merges(chance.randrange(1, 15), set(chance.sample(range(1, 14), chance.randrange(4)))) for _ in range(8)]
    drawn += [line(30, {chance.randrange(1, 30): 0.98}, chance.sample(range(1, 29), 3)) for _ in range(4)]
    return [nodes for nodes in drawn if any(nodes[place].factor < 1 for place in ancestry(nodes, len(nodes) - 1))]


def first_bad(said: str) -> set[str]:
    """The commit git names at the end, or those it is one of."""
    lines = said.splitlines()
    if named := [text.split()[0] for text in lines if text.endswith("is the first bad commit")]:
        return set(named)
    return {text for text in lines if len(text) == 40}


def culprits(tree: Tree, **more: bool) -> set[str]:
    """The commits our search names."""
    outcome = found(tree, Lab(tree=tree), **more)
    if isinstance(outcome, Stuck):
        return {commit.id for commit in outcome.suspects}
    assert isinstance(outcome, Found)
    return {outcome.culprit.id}


@pytest.mark.parametrize("nodes", histories())
def test_git_bisect_run_names_the_same_commit(nodes: tuple[Node, ...], tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", nodes)
    judge = tmp_path / "judge"
    judge.write_text(JUDGE)
    judge.chmod(0o755)
    git(tree.folder, "bisect", "start", tree.ids[-1], tree.ids[0])
    assert first_bad(git(tree.folder, "bisect", "run", str(judge), status=None)) == culprits(tree)


@pytest.mark.parametrize("nodes", histories())
def test_git_replays_the_log_and_names_the_same_commit(nodes: tuple[Node, ...], tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", nodes)
    ours = culprits(tree)
    log = str(tree.folder.with_suffix(".log"))
    assert first_bad(git(tree.folder, "bisect", "replay", log, status=None)) == ours
    judged = [text for text in git(tree.folder, "bisect", "log").splitlines() if text.startswith("git bisect")]
    assert judged == [text for text in Path(log).read_text().splitlines() if text.startswith("git bisect")]


def test_git_replays_a_log_that_follows_first_parents(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", merges(8, set()))
    ours = culprits(tree, first_parent=True)
    assert ours == {tree.ids[9]}
    log = str(tree.folder.with_suffix(".log"))
    assert first_bad(git(tree.folder, "bisect", "replay", log, status=None)) == ours


def test_what_git_logged_can_be_gone_on_from(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(16, {9: 0.98}))
    git(tree.folder, "bisect", "start", tree.ids[-1], tree.ids[0])
    git(tree.folder, "bisect", "skip", tree.ids[7])
    git(tree.folder, "bisect", "bad", tree.ids[11])
    log = tree.folder.with_suffix(".log")
    log.write_text(git(tree.folder, "bisect", "log"))
    lab = Lab(tree=tree)
    outcome = found(tree, lab)
    assert isinstance(outcome, Found)
    assert outcome.culprit.id == tree.ids[9]
    assert tree.ids[7] not in lab.measured
    assert log.read_text().count("git bisect start") == 1
    assert first_bad(git(tree.folder, "bisect", "replay", str(log), status=None)) == {tree.ids[9]}


def test_ends_with_too_few_figures_to_judge_are_refused(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(4, {2: 0.9}))
    found(tree, Lab(tree=tree))
    log = tree.folder.with_suffix(".log")
    log.write_text(re.sub(r"(?m)(^#   forwarded_pps: \S+).*", r"\1", log.read_text()))
    with pytest.raises(RecordError, match=r"base has 1 valid repeats; .*; remove it to start anew"):
        found(tree, Lab(tree=tree))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rm -rf /\n", "log:1:1: 'rm -rf /' is no line of a log"),
        ("git bisect good 0123\n", "log:1:1: 'git bisect good 0123' is no line of a log"),
        (f"git bisect good {'a' * 40}\n", "log:1:1: 'git bisect good aaaaa"),
        (f"# good: [{'a' * 40}] x\n#   forwarded_pps: 12 nan\n", "log:2:1: '#   forwarded_pps: 12 nan' has no rates"),
        ("#   forwarded_pps: \n", "log:1:1: '#   forwarded_pps: ' has no rates"),
        ("#   forwarded_pps: 0.0\n", "log:1:1: '#   forwarded_pps: 0.0' has no rates"),
    ],
)
def test_a_log_that_is_none_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(RecordError) as refused:
        parse_log(text, "log")
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith("; remove the file to start anew")


def test_the_log_of_other_ends_is_refused(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(4, {2: 0.9}))
    found(tree, Lab(tree=tree))
    with pytest.raises(RecordError, match="is the log of other ends; remove it"):
        found(tree, Lab(tree=tree), bad=2)
