"""Histories with a known culprit: the search finds it, with few measurements, or names the commits it hides among."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fwdlab.analyse.result import Verdict
from fwdlab.bisect.model import Found, Spread, Stuck, Unchanged, change
from fwdlab.errors import MatrixError
from tests.unit.bisect.trees import THRESHOLD, Killed, Lab, Node, Tree, ancestry, found, git, line, made, rate, search

FACTORS = st.sampled_from((0.9, 0.99, 0.9975, 1.0025, 1.02, 1.3))


@st.composite
def lines(draw: st.DrawFn, *, broken: bool) -> tuple[tuple[Node, ...], int]:
    """A history without merges and the place of its culprit."""
    count = draw(st.integers(2, 40))
    culprit = draw(st.integers(1, count - 1))
    holes = draw(st.sets(st.integers(1, max(1, count - 2)), max_size=count)) if broken and count > 2 else set[int]()
    return line(count, {culprit: draw(FACTORS)}, sorted(holes)), culprit


@st.composite
def graphs(draw: st.DrawFn) -> tuple[tuple[Node, ...], int, int]:
    """A history with merges, its culprit, and a good end that does not contain it; the last commit does."""
    count = draw(st.integers(3, 24))
    wiring: list[tuple[int, ...]] = [()]
    for place in range(1, count):
        parents = draw(st.lists(st.integers(max(0, place - 4), place - 1), min_size=1, max_size=2, unique=True))
        wiring.append(tuple(parents))
    plain = [Node(parents=parents) for parents in wiring]
    contained = ancestry(plain, count - 1)
    culprit = draw(st.sampled_from(sorted(contained - {0})))
    good = draw(st.sampled_from([place for place in range(count) if culprit not in ancestry(plain, place)]))
    factor = draw(FACTORS)
    holes = draw(st.sets(st.integers(0, count - 1), max_size=count // 2)) - {good, count - 1}
    nodes = tuple(
        Node(parents=parents, factor=factor if place == culprit else 1.0, broken=place in holes)
        for place, parents in enumerate(wiring)
    )
    return nodes, good, culprit


@contextmanager
def in_folder(nodes: tuple[Node, ...]) -> Iterator[Tree]:
    """A tree for one example."""
    with tempfile.TemporaryDirectory(prefix="fwdlab-bisect-") as folder:
        yield made(Path(folder) / "tree", nodes)


@settings(max_examples=25)
@given(lines(broken=False))
def test_a_line_is_halved(drawn: tuple[tuple[Node, ...], int]) -> None:
    nodes, culprit = drawn
    with in_folder(nodes) as tree:
        lab = Lab(tree=tree)
        outcome = found(tree, lab)
    assert isinstance(outcome, Found)
    assert outcome.culprit.id == tree.ids[culprit]
    assert outcome.verified
    assert outcome.share == pytest.approx(1, abs=0.05)
    assert len(lab.measured) <= math.ceil(math.log2(len(nodes))) + 2


@settings(max_examples=25)
@given(lines(broken=True))
def test_commits_that_do_not_build_are_gone_around(drawn: tuple[tuple[Node, ...], int]) -> None:
    nodes, culprit = drawn
    with in_folder(nodes) as tree:
        _holds(tree, found(tree, Lab(tree=tree)), culprit)


@settings(max_examples=40)
@given(graphs())
def test_merges_and_side_branches_hide_nothing(drawn: tuple[tuple[Node, ...], int, int]) -> None:
    nodes, good, culprit = drawn
    with in_folder(nodes) as tree:
        _holds(tree, found(tree, Lab(tree=tree), good), culprit)


def _holds(tree: Tree, outcome: object, culprit: int) -> None:
    """The culprit was found, or it is one of the commits between which nothing could be measured."""
    if isinstance(outcome, Stuck):
        suspects = [tree.places[commit.id] for commit in outcome.suspects]
        assert culprit in suspects
        assert all(tree.nodes[place].broken for place in suspects[:-1])
        assert len(suspects) > 1
        return
    assert isinstance(outcome, Found)
    assert outcome.culprit.id == tree.ids[culprit]
    assert outcome.verified or outcome.unmeasured


@settings(max_examples=25)
@given(st.lists(st.sampled_from((0.96, 0.99, 1.0, 1.0, 1.005, 1.03)), min_size=2, max_size=30))
def test_of_several_changes_one_is_found_that_is_no_smaller_than_its_share(factors: list[float]) -> None:
    nodes = line(len(factors) + 1, dict(enumerate(factors, 1)))
    whole = math.log(rate(nodes, len(factors)) / rate(nodes, 0))
    with in_folder(nodes) as tree:
        lab = Lab(tree=tree)
        outcome = found(tree, lab)
    if isinstance(outcome, Unchanged):
        assert abs(whole) < THRESHOLD + 1e-3
        return
    assert isinstance(outcome, Found)
    place = tree.places[outcome.culprit.id]
    own = math.log(factors[place - 1])
    assert change(outcome.against[0]) == pytest.approx(own, abs=1e-3)
    assert own * whole > 0
    assert abs(own) >= abs(whole) / 2 ** (len(lab.measured) - 2) - 1e-3


def test_two_large_changes_far_apart_are_not_taken_for_drift(tmp_path: Path) -> None:
    """The middle of the whole change falls on a commit that changes next to nothing; the search goes elsewhere."""
    nodes = line(14, {1: 0.95, **dict.fromkeys(range(2, 12), 0.9995), 12: 0.95})
    outcome = found(made(tmp_path / "tree", nodes), Lab(tree=made(tmp_path / "same", nodes)))
    assert isinstance(outcome, Found)
    assert outcome.verified
    assert 0.3 < outcome.share < 0.6
    assert [item.verdict for item in (outcome.before, outcome.after) if item] in (
        [Verdict.SAME, Verdict.WORSE],
        [Verdict.WORSE, Verdict.SAME],
    )


def test_drift_over_many_commits_is_said_to_be_none_of_them(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(33, dict.fromkeys(range(1, 33), 0.9995)))
    outcome = found(tree, Lab(tree=tree))
    assert isinstance(outcome, Spread)
    assert outcome.whole.verdict is Verdict.WORSE
    assert outcome.rest.verdict is Verdict.SAME
    assert outcome.commits > 1


def test_ends_that_do_not_differ_end_the_search_at_once(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(9, {3: 1.0005}))
    lab = Lab(tree=tree)
    outcome = found(tree, lab)
    assert isinstance(outcome, Unchanged)
    assert outcome.whole.verdict is Verdict.SAME
    assert lab.measured == {tree.ids[0], tree.ids[-1]}


def test_with_first_parent_a_merge_is_one_commit(tmp_path: Path) -> None:
    """0 - 1 ------- 4 - 5, and 2 - 3 beside it from 0, merged by 4; 3 has the change."""
    wiring = [(), (0,), (0,), (2,), (1, 3), (4,)]
    nodes = tuple(Node(parents=parents, factor=0.97 if place == 3 else 1.0) for place, parents in enumerate(wiring))
    tree = made(tmp_path / "tree", nodes)
    lab = Lab(tree=tree)
    outcome = found(tree, lab, first_parent=True)
    assert isinstance(outcome, Found)
    assert outcome.verified
    assert outcome.culprit.id == tree.ids[4]
    assert not lab.measured & {tree.ids[2], tree.ids[3]}


def test_a_change_on_the_good_end_s_own_branch_is_told_with_the_merge_base(tmp_path: Path) -> None:
    wiring = [(), (0,), (1,), (1,)]
    nodes = tuple(Node(parents=parents, factor=0.97 if place == 2 else 1.0) for place, parents in enumerate(wiring))
    tree = made(tmp_path / "tree", nodes)
    with pytest.raises(MatrixError, match=f"merge base {tree.ids[1][:12]} is like the bad end.*; bisect "):
        found(tree, Lab(tree=tree), good=2, bad=3)


def test_ends_in_the_wrong_order_or_without_a_common_commit_are_refused(tmp_path: Path) -> None:
    nodes = (*line(4, {2: 0.9}), Node(parents=(), factor=0.8))
    tree = made(tmp_path / "tree", nodes)
    with pytest.raises(MatrixError, match=f"{tree.ids[3][:12]} contains {tree.ids[0][:12]}; give them in the other"):
        found(tree, Lab(tree=tree), good=3, bad=0)
    tree.folder.with_suffix(".log").unlink()
    with pytest.raises(MatrixError, match="have no commit in common"):
        found(tree, Lab(tree=tree), good=3, bad=4)


@pytest.mark.parametrize("end", [0, 5])
def test_an_end_that_does_not_build_ends_the_search(end: int, tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(6, {3: 0.9}, [end]))
    with pytest.raises(
        MatrixError, match=f"{tree.ids[end][:12]} net: change {end}: .*it breaks; log build.log; choose"
    ):
        found(tree, Lab(tree=tree))


def test_a_commit_that_hides_in_the_noise_is_measured_longer(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(8, {5: 0.985}))
    lab = Lab(tree=tree, noise=0.004)
    outcome = found(tree, lab)
    assert isinstance(outcome, Found)
    assert outcome.culprit.id == tree.ids[5]
    assert max(repeats for _, repeats in lab.calls[:-2]) > 5


@pytest.mark.parametrize("nodes", [line(20, {13: 0.99}, [9, 10, 14]), line(20, {13: 0.99}, [12])])
def test_killed_after_any_boot_a_search_ends_as_if_it_had_not_been(nodes: tuple[Node, ...], tmp_path: Path) -> None:
    undisturbed = made(tmp_path / "undisturbed", nodes)
    whole = Lab(tree=undisturbed)
    outcome = found(undisturbed, whole)
    for place in range(0, len(whole.results), 3):
        tree = made(tmp_path / f"tree-{place}", nodes)
        lab = Lab(tree=tree, boots_left=place)
        with pytest.raises(Killed):
            found(tree, lab)
        lab.boots_left = 10**9
        assert found(tree, lab) == outcome
        assert tree.folder.with_suffix(".log").read_bytes() == undisturbed.folder.with_suffix(".log").read_bytes()
        assert lab.results == whole.results
        assert set(lab.boots.values()) == {1}


def test_called_again_a_finished_search_boots_nothing_and_says_the_same(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(20, {13: 0.99}, [12]))
    lab = Lab(tree=tree)
    first, log = found(tree, lab), tree.folder.with_suffix(".log").read_text()
    lab.boots_left, lab.calls = 0, []
    assert found(tree, lab) == first
    assert tree.folder.with_suffix(".log").read_text() == log


def test_marks_by_hand_are_honoured(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(20, {13: 0.99}))
    log = tree.folder.with_suffix(".log")
    ends = f"'{tree.ids[-1]}' '{tree.ids[0]}'"
    log.write_text(f"git bisect start {ends}\ngit bisect skip {tree.ids[13]}\ngit bisect good {tree.ids[11]}\n")
    lab = Lab(tree=tree)
    outcome = found(tree, lab)
    assert isinstance(outcome, Stuck)
    assert [commit.id for commit in outcome.suspects] == [tree.ids[13], tree.ids[14]]
    assert not lab.measured & set(tree.ids[1:11])


def test_the_tree_is_left_as_it_is(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(12, {5: 0.9}))
    git(tree.folder, "reset", "--quiet", "--hard")
    before = {path: path.read_bytes() for path in tree.folder.rglob("*") if path.is_file()}
    lines: list[str] = []
    history = search(tree, Lab(tree=tree), 0, -1, tell=lines.append)
    history.history.refuse_changed()
    assert isinstance(history.found(), Found)
    assert {path: path.read_bytes() for path in tree.folder.rglob("*") if path.is_file()} == before
    assert lines
