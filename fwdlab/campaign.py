"""A question asked of the cases: which arms are held against which baseline, and what counts as a difference.

Written beside the runs when a plan is made, so that analysis and site need no matrix.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """One case of a campaign: its names on every axis in the order of `case.AXES`, and the key of its results."""

    names: tuple[str, ...]
    key: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Campaign:
    """One question; one page of the site answers it."""

    name: str
    title: str
    question: str
    conditions: tuple[str, ...]  # what is held fixed, in the operator's words; one line each
    axis: str  # the axis whose values are the arms, one of `case.AXES`
    arms: tuple[str, ...]  # values on that axis, the baseline first, then in the order written
    members: tuple[Member, ...]  # hardware slowest, traffic fastest
    repeats: int  # boots of every case
    threshold: float  # practical threshold as a fraction: a smaller change is no finding

    @property
    def baseline(self) -> str:
        """The arm the others are compared against."""
        return self.arms[0]
