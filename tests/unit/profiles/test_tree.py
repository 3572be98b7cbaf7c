from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.profiles.tree import Frames, Tree, tree_of

STACKS = st.dictionaries(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(tuple), st.integers(1, 9), max_size=12
)


def ways(tree: Tree) -> list[Frames]:
    """The functions from the root to each box, `all` aside."""
    path: list[str] = []
    found = []
    for name, depth in zip(tree.names, tree.depths, strict=True):
        del path[depth:]
        path.append(name)
        found.append(tuple(path[1:]))
    return found


@given(STACKS, STACKS)
def test_a_box_weighs_what_all_stacks_through_it_weigh_on_each_side(
    base: dict[Frames, int], new: dict[Frames, int]
) -> None:
    tree = tree_of(base, new)
    for side, stacks in zip(tree.weights, (base, new), strict=True):
        for way, weight in zip(ways(tree), side, strict=True):
            assert weight == sum(stacks[frames] for frames in stacks if frames[: len(way)] == way)


@given(STACKS, STACKS)
def test_every_stack_has_one_box_and_neighbours_stand_by_name(base: dict[Frames, int], new: dict[Frames, int]) -> None:
    found = ways(tree_of(base, new))
    assert found == sorted(set(found))
    assert {*base, *new} <= set(found)


def test_nothing_is_one_box() -> None:
    assert tree_of({}) == Tree(names=["all"], depths=[0], weights=([0],))
