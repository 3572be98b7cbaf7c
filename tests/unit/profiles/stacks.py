"""Profiles for tests: small trees of few names, so that stacks meet, and text with a count a line."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from fwdlab.profiles.folded import Profile
from fwdlab.profiles.formats import fold

FRAMES = ("a", "b", "c", "d", "e.part.0", "f_noprof", "g.constprop.0.isra.0")


def profile(text: str, event: str = "cpu-clock") -> Profile:
    """The profile of that folded text, each weight a sample."""
    return replace(fold(text, "x", "folded"), event=event)


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """A profile that has at least one function `a`."""
    stack = st.lists(st.sampled_from(FRAMES), min_size=1, max_size=5).map(";".join)
    weights = draw(st.dictionaries(stack, st.integers(1, 200), min_size=1, max_size=10))
    return profile("a 1\n" + "".join(f"{folded} {weight}\n" for folded, weight in weights.items()))
