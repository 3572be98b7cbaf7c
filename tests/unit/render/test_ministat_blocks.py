"""ministat's blocks of a page: one for all arms that share everything else."""

from __future__ import annotations

from dataclasses import replace

from fwdlab.analyse.ministat import MOST_SETS
from fwdlab.campaign import Ministat
from fwdlab.render.ministat_blocks import ministat_blocks
from tests.unit.render import examples

RESULT = examples.result("firewall", hardware=("qemu-x86",))


def test_all_arms_of_a_group_stand_in_one_block_the_baseline_first() -> None:
    blocks = list(ministat_blocks(RESULT))
    assert [block.title for block in blocks] == [
        f"{revision} udp{family}-64" for revision in examples.REVISIONS for family in (4, 6)
    ]
    assert [line[0] for line in blocks[0].text.splitlines()[:3]] == ["x", "+", "*"]
    assert blocks[0].text.splitlines()[0] == "x forwarding qemu-x86 debian-6.1 none udp4-64"
    assert blocks[0].text.count("Difference at 95.0% confidence") == 2


def test_a_single_group_is_named_by_its_arms() -> None:
    first = RESULT.comparisons[0].names
    alone = replace(RESULT, comparisons=tuple(item for item in RESULT.comparisons if item.names == first))
    assert [block.title for block in ministat_blocks(alone)] == ["nft-stateless, nft-stateful"]


def test_an_arm_with_two_repeats_is_in_no_block() -> None:
    short = replace(RESULT.comparisons[0], new=replace(RESULT.comparisons[0].new, values=(1.0, 2.0)))
    (block, *_) = ministat_blocks(replace(RESULT, comparisons=(short, *RESULT.comparisons[1:])))
    assert "nft-stateless" not in block.text


def test_more_arms_than_ministat_takes_are_several_blocks_with_the_same_baseline() -> None:
    one = RESULT.comparisons[0]
    many = tuple(replace(one, new_arm=f"arm-{place}") for place in range(MOST_SETS))
    blocks = list(ministat_blocks(replace(RESULT, comparisons=many)))
    assert [block.text.count(" qemu-x86 ") for block in blocks] == [MOST_SETS, 2]
    assert all(block.text.startswith("x forwarding ") for block in blocks)


def test_a_campaign_says_how_its_text_is_set() -> None:
    form = Ministat(relative_error="simple", width=80)
    old = replace(RESULT, campaign=replace(RESULT.campaign, ministat=form))
    (block, *_) = ministat_blocks(old)
    assert f"+{'-' * 80}+" in block.text
    assert block.text != next(iter(ministat_blocks(RESULT))).text
