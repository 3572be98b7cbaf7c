"""Repeats by need: after each look, which cases are measured further.

The looks are fixed beforehand and share the level in equal parts (Bonferroni), so that looking more than once makes no
false finding likelier, whatever the test and however the looks depend on each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fwdlab.analyse.result import CampaignResult, Comparison, Verdict


def next_repeats(result: CampaignResult, repeats: Mapping[str, int], settled: Collection[str]) -> dict[str, int]:
    """The repeats that cases need for the next look, by key, where it is more than the `repeats` they have been given.

    Both sides of a comparison go on while it is unproven and its repeats could miss a change of the campaign's
    `until`. A comparison that is invalid does not: more of what cannot be trusted settles nothing. Nor does one with a
    side that an earlier look has `settled`, by key: its rounds went by, and later ones would be taken at other times.
    """
    campaign = result.campaign
    if campaign.adaptive is None:
        return {}
    wanted: dict[str, int] = {}
    for comparison in result.comparisons:
        sides = {comparison.base.key, comparison.new.key}
        if _open(comparison, campaign.adaptive.until) and sides.isdisjoint(settled):
            for sample in (comparison.base, comparison.new):
                given = repeats.get(sample.key, 0)
                further = [look for look in campaign.looks if look > given]
                wanted.update({sample.key: further[0]} if further else {})
    return wanted


def _open(comparison: Comparison, until: float) -> bool:
    unsettled = comparison.verdict is Verdict.UNPROVEN
    return unsettled and (comparison.mde is None or comparison.mde > until)
