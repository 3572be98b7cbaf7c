"""Shades and figures of a differential flame graph."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.sampling import Counted
from fwdlab.profiles.diff import SHARES, Costs, Difference, Unit, difference
from fwdlab.profiles.folded import Profile
from fwdlab.render.flame_diff import (
    decimals_of,
    difference_script,
    passing_texts,
    reading_text,
    shades,
    sides_text,
)
from fwdlab.render.movers import MOST, movers_view
from tests.unit.profiles.stacks import profile, profiles
from tests.unit.render.scripts import read

NAMES = ("base", "new")
HITS = st.lists(st.tuples(st.integers(0, 9000), st.integers(0, 9000)), min_size=1, max_size=20)


def counted(hits: list[int]) -> Counted:
    return Counted(hits=np.array(hits, dtype=float), samples=10_000, cost=1.0)


@pytest.mark.parametrize(
    ("base", "new", "shade"),
    [
        (1000, 1000, 0),
        (1000, 1020, 0),  # as large a change comes by chance
        (0, 3, 0),
        (4000, 4300, 1),
        (4000, 4401, 2),
        (1000, 1999, 2),
        (1000, 2000, 3),
        (0, 500, 3),
        (500, 0, -3),
        (2000, 1000, -3),
        (4401, 4000, -2),
        (4300, 4000, -1),
    ],
)
def test_a_shade_is_how_many_times_as_much_or_as_little(base: int, new: int, shade: int) -> None:
    assert shades(counted([base]), counted([new]), 0.95).tolist() == [shade]


@given(HITS)
def test_swapping_the_sides_mirrors_every_shade(hits: list[tuple[int, int]]) -> None:
    base, new = counted([one for one, _ in hits]), counted([other for _, other in hits])
    assert shades(base, new, 0.95).tolist() == (-shades(new, base, 0.95)).tolist()


@given(profiles())
def test_a_profile_against_itself_is_grey_all_over(same: Profile) -> None:
    found = difference(same, same, SHARES)
    assert set(re.findall(r'"k":(-?\d)', difference_script(found, NAMES, 0.95))) == {"0"}
    assert {row.moved for row in movers_view(found, NAMES, 0.95).rows} == {"within noise"}


def difference_of(base: str, new: str, costs: Costs = SHARES) -> Difference:
    return difference(profile(base), profile(new), costs)


def test_nothing_in_a_name_ends_the_script_it_stands_in() -> None:
    found = difference_of("a;</script> 9\n", "a;</script> 9\n")
    text = difference_script(found, ("</script><script>alert(1)", "\u2028"), 0.95)
    assert "<" not in text
    assert text.isascii()
    tree, sides = (part.partition(" = ")[2].removesuffix(";") for part in text.splitlines())
    assert read(tree)["c"][0]["c"][0]["n"] == "</script>"
    assert json.loads(sides)["base"]["name"] == "</script><script>alert(1)"


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_text_on_a_box_stands_out_from_every_shade() -> None:
    """WCAG 2 level AA: 4.5 to 1; the text is as dark as the style sheet says."""
    sides = json.loads(difference_script(difference_of("a 1\n", "a 1\n"), NAMES, 0.95).split(" = ")[2].strip(";\n"))
    assert set(sides["colours"]) == {str(shade) for shade in range(-3, 4)}
    text = luminance("#14171a") + 0.05
    assert min((luminance(colour) + 0.05) / text for colour in sides["colours"].values()) >= 4.5


@pytest.mark.parametrize(
    ("costs", "decimals", "said"),
    [
        (
            Costs(base=6698.4, new=6590.0, unit=Unit.INSTRUCTIONS),
            0,
            "Cost in instructions a packet: 6698 in base and 6590",
        ),
        (Costs(base=83.25, new=84.0, unit=Unit.NANOSECONDS), 2, "Cost in ns a packet: 83.25 in base and 84.00 in new."),
        (Costs(base=0.5, new=0.25, unit=Unit.NANOSECONDS), 4, "0.5000 in base and 0.2500 in new."),
        (SHARES, 2, "What a packet costs is not known here, so shares of each side's samples are compared"),
    ],
)
def test_samples_and_costs_are_told_with_their_unit(costs: Costs, decimals: int, said: str) -> None:
    found = difference_of("a 30\n", "a 20\n", costs)
    assert decimals_of(found) == decimals
    assert sides_text(found, NAMES).startswith("Samples of cpu-clock: 30 in base and 20 in new.")
    assert said in sides_text(found, NAMES)


def test_the_level_and_the_correction_are_told() -> None:
    said = reading_text(difference_of("a;b 30\n", "a 20\n"), NAMES, 0.9875)
    assert "not proven at 98.75 %, corrected over all 3 boxes (Benjamini-Hochberg)" in said


def test_the_heaviest_of_what_was_taken_out_is_named_and_the_rest_counted() -> None:
    stacks = "".join(f"a;p{place};b{place} {90 - place}\n" for place in range(9))
    plain = "".join(f"a;b{place} 1\n" for place in range(9))
    (said,) = passing_texts(difference_of(stacks, plain), NAMES)
    assert said.startswith("only base has p0, p1, p2, p3 and 5 more: taken out")


def test_a_table_has_ten_functions_and_says_of_how_many() -> None:
    base = "".join(f"f{place} {100 + place}\n" for place in range(15))
    new = "".join(f"f{place} {900 - 50 * place}\n" for place in range(15))
    found = movers_view(difference_of(base, new, Costs(base=1000, new=2000, unit=Unit.INSTRUCTIONS)), NAMES, 0.95)
    assert len(found.rows) == MOST
    assert found.note.startswith("10 of 15 functions, in instructions a packet")
    first = found.rows[0]
    assert (first.name, first.base, first.new, first.share) == ("f0", "62", "218", "6.2 → 10.9 %")
    assert first.change == "+156 ± 18"
    assert first.moved == "moved"
