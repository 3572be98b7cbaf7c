"""The next commit to measure, and the side it lies on."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.bisect.history import Suspect
from fwdlab.bisect.judge import Judge, nearer, next_suspect, steps_of
from fwdlab.bisect.model import Commit, Mark, Measured
from tests.unit.bisect.trees import git, line, made

JUDGE = Judge(threshold=0.002, machine="box", noise_floor=None)
RATES = st.lists(st.integers(99_000, 101_000).map(float), min_size=3, max_size=8)
MIRRORED = {Mark.GOOD: Mark.BAD, Mark.BAD: Mark.GOOD, None: None}


def measured(*values: float) -> Measured:
    return Measured(commit=Commit(id="a" * 40, subject="net: x", date=""), values=values, invalid=())


def suspects(count: int) -> list[Suspect]:
    """As git ranks a line of so many commits: the middle first, the last one at the end."""
    apart = sorted((min(place, count - place) for place in range(1, count + 1)), reverse=True)
    return [Suspect(id=f"{rank:040x}", apart=each) for rank, each in enumerate(apart)]


@given(st.integers(1, 60))
def test_every_suspect_but_the_last_is_tried_before_a_search_is_stuck(count: int) -> None:
    listed, skipped = suspects(count), list[str]()
    while chosen := next_suspect(listed, skipped):
        assert chosen.id not in skipped
        assert chosen.apart
        skipped.append(chosen.id)
    assert len(skipped) == count - 1
    assert skipped[:1] == [item.id for item in listed[: min(1, count - 1)]]


def test_after_a_skip_the_next_one_is_not_its_neighbour() -> None:
    """Of 100 commits, the four after the middle one was skipped lie at least 5 commits from it, some far."""
    listed, skipped, places = suspects(100), list[str](), list[int]()
    for _ in range(5):
        chosen = next_suspect(listed, skipped)
        assert chosen
        skipped.append(chosen.id)
        places.append(50 - chosen.apart)
    assert places[0] == 0
    assert min(places[1:]) >= 5
    assert max(places) >= 20


def test_steps_are_estimated_as_git_does(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(70, {}))
    for count in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 24, 64, 69):
        said = git(tree.folder, "rev-list", "--bisect-vars", tree.ids[count], "--not", tree.ids[0])
        assert f"bisect_steps={steps_of(count)}\n" in said


@given(RATES, RATES, RATES)
def test_swapping_the_ends_swaps_the_side(good: list[float], bad: list[float], new: list[float]) -> None:
    one, other, between = measured(*good), measured(*bad), measured(*new)
    if one.mean != other.mean:
        assert JUDGE.side(one, other, between, 9) is MIRRORED[JUDGE.side(other, one, between, 9)]


@given(RATES, RATES, RATES)
def test_more_looks_make_no_one_surer(good: list[float], bad: list[float], new: list[float]) -> None:
    sides = [JUDGE.side(measured(*good), measured(*bad), measured(*new), looks) for looks in (1, 30)]
    assert sides[1] in {sides[0], None}


def test_what_the_repeats_tell_is_what_the_mean_says_and_beyond_an_end_is_that_end() -> None:
    good, bad = measured(100.0, 100.1, 99.9), measured(98.0, 98.1, 97.9)
    for values, mark in (((99.6, 99.5, 99.7), Mark.GOOD), ((98.3, 98.2, 98.4), Mark.BAD), ((105.0,) * 3, Mark.GOOD)):
        assert JUDGE.side(good, bad, measured(*values), 1) is mark is nearer(good, bad, measured(*values))
    assert JUDGE.side(good, bad, measured(98.0, 100.0, 99.0), 1) is None
