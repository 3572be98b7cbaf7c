"""A question asked of the cases: which arms are held against which baseline, and what counts as a difference.

Written beside the runs when a plan is made, so that analysis and site need no matrix.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from fwdlab.errors import RecordError

PHYSICAL_THRESHOLD = 0.01  # practical threshold where packets are counted by the wall clock
VIRTUAL_THRESHOLD = 0.002  # where guest time counts instructions: a fifth of a per cent is a finding there
FEWEST_REPEATS = 3  # a side with fewer gives no verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """One case of a campaign: its names on every axis in the order of `case.AXES`, and the key of its results."""

    names: tuple[str, ...]
    key: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Adaptive:
    """Repeats by need: rounds are added for arms that are still unproven, and every look counts in the level."""

    most: int  # boots of a case
    until: float  # a fraction: an arm whose repeats would show a change of this size needs no more


@dataclass(frozen=True, kw_only=True, slots=True)
class Ministat:
    """How ministat's text is set, for pages that stand beside others made by an older one or on another width."""

    relative_error: str  # of `analyse.ministat.RelativeError`
    width: int  # columns inside the frame


USUAL_MINISTAT = Ministat(relative_error="ratio", width=74)

_LOOKS = 4  # at most; each costs power, since all share the level


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
    adaptive: Adaptive | None = None  # None: `repeats` is all there will be
    gate: bool = False  # a comparison that is worse fails the job that reports it; False: it warns
    ministat: Ministat = USUAL_MINISTAT

    @property
    def baseline(self) -> str:
        """The arm the others are compared against."""
        return self.arms[0]

    @property
    def looks(self) -> tuple[int, ...]:
        """The numbers of repeats after which the campaign is judged, rising: the plan fixes them beforehand."""
        if self.adaptive is None:
            return (self.repeats,)
        step = max(1, -(-(self.adaptive.most - self.repeats) // (_LOOKS - 1)))
        return (*range(self.repeats, self.adaptive.most, step), self.adaptive.most)


def campaigns_text(campaigns: Iterable[Campaign]) -> str:
    """The campaigns as JSON, keys sorted: what a plan leaves beside the runs."""
    return json.dumps([asdict(campaign) for campaign in campaigns], indent=1, sort_keys=True) + "\n"


def parse_campaigns(text: str, origin: str) -> tuple[Campaign, ...]:
    """The campaigns a file of them says; RecordError that names `origin` where the text is none."""
    try:
        return tuple(_campaign(entry) for entry in json.loads(text))
    except (ValueError, TypeError, KeyError) as error:
        raise RecordError(f"{origin}: is no list of campaigns ({error}); run or plan again") from error


def _campaign(entry: dict[str, Any]) -> Campaign:
    members = tuple(Member(names=tuple(member["names"]), key=member["key"]) for member in entry["members"])
    lists = {name: tuple(entry[name]) for name in ("conditions", "arms")}
    adaptive = Adaptive(**entry["adaptive"]) if entry.get("adaptive") else None
    ministat = Ministat(**entry["ministat"]) if "ministat" in entry else USUAL_MINISTAT
    return Campaign(**{**entry, **lists, "members": members, "adaptive": adaptive, "ministat": ministat})
