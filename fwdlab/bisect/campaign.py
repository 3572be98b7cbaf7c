"""What was found as a campaign of its own: the commit against its parent, so that a page can show it."""

from __future__ import annotations

from collections.abc import Sequence

from fwdlab.bisect.model import Commit, Found
from fwdlab.campaign import Campaign, Member
from fwdlab.case import Case


def campaign_of(found: Found, parent: Commit, cases: Sequence[Case], repeats: int, threshold: float) -> Campaign:
    """The question the page answers; `cases` are those of the parent and of the commit."""
    return Campaign(
        name="bisect",
        title=f"What {found.culprit.short} changed",
        question=found.culprit.subject,
        conditions=(
            f"commit {found.culprit.id} of {found.culprit.date}",
            f"parent {parent.id} of {parent.date}",
            f"searched for in {found.whole.base_arm}..{found.whole.new_arm}",
        ),
        axis="revision",
        arms=(parent.short, found.culprit.short),
        members=tuple(Member(names=case.names, key=case.key) for case in cases),
        repeats=repeats,
        threshold=threshold,
    )
