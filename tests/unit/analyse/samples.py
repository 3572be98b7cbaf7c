"""Samples, pairs and strategies the tests of analysis share."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from fwdlab.analyse.compare import Pair
from fwdlab.analyse.result import Sample

# Five digits, so that means and thresholds do not meet by a rounding in the last of sixteen.
LEVELS = st.integers(min_value=90_001, max_value=110_009).map(float)
NARROW = st.integers(min_value=100_000, max_value=100_120).map(float)
VALUES = st.one_of(st.lists(LEVELS, min_size=1, max_size=12), st.lists(NARROW, min_size=3, max_size=12))


def sample(values: Sequence[float], name: str = "case", invalid: tuple[str, ...] = ()) -> Sample:
    return Sample(names=(name,), key=name, metric="forwarded", values=tuple(values), invalid=invalid)


def pair(base: Sequence[float], new: Sequence[float], noise_floor: float | None = None) -> Pair:
    return Pair(
        names=(),
        base_arm="base",
        new_arm="new",
        base=sample(base, "base"),
        new=sample(new, "new"),
        machine="apu2",
        noise_floor=noise_floor,
        doubts=(),
    )
