"""On which side of the middle a commit lies, and whether two commits differ: the verdicts of every other comparison."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fwdlab.analyse.compare import Pair, compare_all
from fwdlab.analyse.result import Comparison, Sample, Verdict
from fwdlab.analyse.rules import usual_rules
from fwdlab.bisect.history import Suspect
from fwdlab.bisect.model import Mark, Measured

_GOLDEN = (math.sqrt(5) - 1) / 2
_OUTWARD = 1.5  # git's exponent: rather near the best halving than at the far end of the list


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """How much counts as a change on one machine."""

    threshold: float  # a fraction: a smaller change is no finding
    machine: str
    noise_floor: float | None  # of the machine, from A/A runs

    def compared(self, base: Sequence[Measured], new: Measured) -> tuple[Comparison, ...]:
        """One commit against others, corrected as one campaign."""
        pairs = [self._pair(_sample(item), _sample(new)) for item in base]
        return compare_all(pairs, usual_rules(self.threshold))

    def side(self, good: Measured, bad: Measured, new: Measured, looks: int) -> Mark | None:
        """The end that is nearer; None where the repeats cannot tell.

        The sample is held against one that lies halfway, and any difference counts. The looks of one search share the
        level, so that a wrong turn is as unlikely in a search as a false finding in a campaign.
        """
        pair = self._pair(_halfway(good, bad), _sample(new))
        (against,) = compare_all([pair], usual_rules(0.0, looks))
        if against.verdict not in {Verdict.BETTER, Verdict.WORSE}:
            return None
        return Mark.BAD if (against.verdict is Verdict.BETTER) == (bad.mean > good.mean) else Mark.GOOD

    def _pair(self, base: Sample, new: Sample) -> Pair:
        return Pair(
            names=(),
            base_arm=base.names[0],
            new_arm=new.names[0],
            base=base,
            new=new,
            machine=self.machine,
            noise_floor=self.noise_floor,
            doubts=(),
        )


def nearer(good: Measured, bad: Measured, new: Measured) -> Mark:
    """The end whose mean is nearer: the larger part of the change lies on the other side."""
    return Mark.GOOD if abs(_apart(good, new)) <= abs(_apart(bad, new)) else Mark.BAD


def _apart(one: Measured, other: Measured) -> float:
    return math.log(one.mean / other.mean)


def _sample(measured: Measured) -> Sample:
    commit = measured.commit
    return Sample(
        names=(commit.short,), key=commit.id, metric="forwarded", values=measured.values, invalid=measured.invalid
    )


def _halfway(good: Measured, bad: Measured) -> Sample:
    """The sample in the middle of two, by ratio, repeat by repeat."""
    values = tuple(math.sqrt(one * other) for one, other in zip(good.values, bad.values, strict=False))
    return Sample(names=("halfway",), key="", metric="forwarded", values=values, invalid=())


def next_suspect(suspects: Sequence[Suspect], skipped: Collection[str]) -> Suspect | None:
    """The suspect that halves best; after skipped ones, some other place of the range. None where none is left.

    What keeps one commit from building mostly keeps its neighbours from it. So with every skip the next place is taken
    elsewhere in git's ranking, at fractions that spread evenly (multiples of the golden ratio), as git does by chance.
    """
    left = [item for item in suspects if item.apart and item.id not in skipped]
    if not left:
        return None
    jumps = sum(item.id in skipped for item in suspects)
    return left[int(len(left) * (jumps * _GOLDEN % 1) ** _OUTWARD)]


def steps_of(suspects: int) -> int:
    """About how many of so many suspects are yet to be measured, as git estimates it."""
    whole = suspects.bit_length() - 1
    rest = suspects - (1 << whole)
    return whole if (1 << whole) < 3 * rest else max(0, whole - 1)
