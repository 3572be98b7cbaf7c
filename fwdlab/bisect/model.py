"""The values of a search: commits, what measuring them came to, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log1p
from statistics import fmean

from fwdlab.analyse.result import Comparison, Verdict


def safe(text: str) -> str:
    """Text of others for a terminal: what moves the cursor or ends a line is a question mark."""
    return "".join(char if char.isprintable() else "?" for char in text)


FINDINGS = (Verdict.BETTER, Verdict.WORSE)


class Mark(StrEnum):
    """What a commit was judged to be, in git's words: like the first end, like the second, or not to be measured."""

    GOOD = "good"
    BAD = "bad"
    SKIP = "skip"


@dataclass(frozen=True, kw_only=True, slots=True)
class Commit:
    """One commit; its subject is safe to print."""

    id: str
    subject: str
    date: str  # the author's, ISO 8601

    @property
    def short(self) -> str:
        """Enough of the id to tell it from others by eye."""
        return self.id[:12]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """The forwarding rates of a commit's valid repeats, in the order they were measured."""

    commit: Commit
    values: tuple[float, ...]  # pps
    invalid: tuple[str, ...]  # one reason for each repeat that was left out

    @property
    def mean(self) -> float:
        """Mean of the rates in pps."""
        return fmean(self.values)


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A commit that does not build or boot; the reason says where its log lies."""

    commit: Commit
    reason: str


Tried = Measured | Skipped
Measure = Callable[[Sequence[Commit], int], Sequence[Tried]]  # so many repeats of each, interleaved in rounds


@dataclass(frozen=True, kw_only=True, slots=True)
class Unchanged:
    """The ends do not differ by the threshold, as far as their repeats tell: there is nothing to look for."""

    whole: Comparison


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """No single commit: halving came down to a range that does not change the case by the threshold any more."""

    whole: Comparison
    rest: Comparison
    commits: int  # in that range


@dataclass(frozen=True, kw_only=True, slots=True)
class Stuck:
    """Every commit that is still suspected but the last was skipped; the first with the change is among them."""

    suspects: tuple[Commit, ...]  # none before its parents
    rest: Comparison  # what they come to together


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The first commit with the change, against each parent that could be measured, with twice the repeats."""

    culprit: Commit
    whole: Comparison  # one end against the other
    against: tuple[Comparison, ...]  # the culprit against its parents, the first parent first
    unmeasured: tuple[Skipped, ...]  # parents that could not be measured
    before: Comparison | None  # the culprit's first parent against the first end
    after: Comparison  # the second end against the culprit

    @property
    def verified(self) -> bool:
        """Whether the culprit differs from every parent by the threshold, in the direction of the whole change."""
        return bool(self.against) and all(item.verdict is self.whole.verdict for item in self.against)

    @property
    def refuted(self) -> bool:
        """Whether the culprit is proven to be no different from a parent."""
        return any(item.verdict is Verdict.SAME for item in self.against)

    @property
    def share(self) -> float:
        """The part of the whole change that is the culprit's own, by the logarithm of the rates; 1 is all of it."""
        return change(self.against[0]) / change(self.whole) if self.against else 0.0


Outcome = Unchanged | Spread | Stuck | Found


def change(comparison: Comparison) -> float:
    """The logarithm of new over base: changes of commits that follow each other add up."""
    return log1p(comparison.delta or 0.0)
