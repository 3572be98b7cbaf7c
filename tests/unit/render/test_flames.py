from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.profiles.formats import fold
from fwdlab.profiles.tree import tree_of
from fwdlab.render.flames import flame_view, tree_json
from fwdlab.render.tree_text import parsed, tree_text
from tests.unit.render import examples
from tests.unit.render.scripts import read

FRAME = st.text("ab!;~", min_size=1, max_size=2).map(lambda text: text.replace(";", ":"))
STACKS = st.lists(st.tuples(st.lists(FRAME, min_size=1, max_size=5), st.integers(1, 9)), min_size=1, max_size=12)


def nested(stacks: list[tuple[list[str], int]]) -> dict[str, Any]:
    """The same tree built the plain way."""
    root: dict[str, Any] = {"n": "all", "v": 0, "c": []}
    for frames, weight in stacks:
        node = root
        node["v"] += weight
        for frame in frames:
            known = [child for child in node["c"] if child["n"] == frame]
            if not known:
                node["c"].append({"n": frame, "v": 0, "c": []})
            node = known[0] if known else node["c"][-1]
            node["v"] += weight
    return root


def ordered(node: dict[str, Any]) -> dict[str, Any]:
    return {**node, "c": sorted(map(ordered, node["c"]), key=lambda child: str(child["n"]))}


@given(STACKS)
def test_the_tree_holds_what_the_stacks_hold(stacks: list[tuple[list[str], int]]) -> None:
    profile = fold("".join(f"{';'.join(frames)} {weight}\n" for frames, weight in stacks), "x", "folded")
    assert ordered(json.loads(tree_json(profile))) == ordered(nested(stacks))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3), st.text("\\'\"u0<n", max_size=9))
def test_what_a_script_reads_is_what_was_written(frames: list[str], name: str) -> None:
    text = tree_text(tree_of({(*frames, name): 1}), ['"v":1'] * (len(frames) + 2))
    assert read(parsed(text)) == json.loads(text)


def test_stacks_deeper_than_pythons_own_are_written() -> None:
    depth = 5000
    text = tree_json(fold(";".join(f"f{place}" for place in range(depth)) + " 1\n", "x"))
    assert text.count('"n":') == depth + 1


def test_nothing_in_a_frame_ends_the_script_it_stands_in() -> None:
    text = tree_json(fold('</script><script>alert("1")\u2028;{{< x >}} 1\n', "x"))
    assert "<" not in text
    assert text.isascii()
    assert json.loads(text)["c"][0]["n"] == '</script><script>alert("1")\u2028'


def test_the_page_says_samples_idle_share_and_the_heaviest(tmp_path: Path) -> None:
    result = examples.result()
    page = examples.page(result, tmp_path)
    view = flame_view(page.cases[0], examples.profile(), [page])
    assert (view.samples, view.idle) == ("29 samples", "6.9 %")
    assert [(pair.label, pair.value) for pair in view.functions[:2]] == [
        ("pktgen_xmit", "31.0 %"),
        ("nft_do_chain", "27.6 %"),
    ]
    assert "instructions" in view.width
    assert view.campaigns[0].href == "campaigns/by-revision.html"
