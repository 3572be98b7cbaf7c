"""A campaign's samples become its result: every arm against the baseline with all other names the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fwdlab.analyse.ceiling import ceilings
from fwdlab.analyse.compare import Pair, compare_all
from fwdlab.analyse.result import CampaignResult, Sample
from fwdlab.analyse.rules import FEWEST_REPEATS, Rules
from fwdlab.campaign import Campaign, Member
from fwdlab.case import AXES

_HARDWARE = AXES.index("hardware")
_METRIC = "forwarded"


def campaign_result(
    campaign: Campaign, samples: Mapping[str, Sample], floors: Mapping[str, float], rules: Rules
) -> CampaignResult:
    """The campaign's comparisons by the `rules`; samples by case key, measured noise floors by hardware name."""
    measured = tuple(samples.get(member.key) or _missing(member) for member in campaign.members)
    pairs = list(_pairs(campaign, measured, floors))
    return CampaignResult(
        campaign=campaign,
        samples=measured,
        comparisons=compare_all(pairs, rules),
        correction=str(rules.correction),
    )


def _missing(member: Member) -> Sample:
    return Sample(names=member.names, key=member.key, metric=_METRIC, values=(), invalid=("not measured",))


def _pairs(campaign: Campaign, samples: Sequence[Sample], floors: Mapping[str, float]) -> Iterator[Pair]:
    axis = AXES.index(campaign.axis)
    by_names = {sample.names: sample for sample in samples}
    limited = ceilings(samples, floors)
    for new in samples:
        held = (*new.names[:axis], *new.names[axis + 1 :])
        base = by_names.get((*new.names[:axis], campaign.baseline, *new.names[axis + 1 :]))
        if base is None or base is new:
            continue
        sides = (("base", base), ("new", new))
        yield Pair(
            names=held,
            base_arm=campaign.baseline,
            new_arm=new.names[axis],
            base=base,
            new=new,
            machine=new.names[_HARDWARE],
            noise_floor=floors.get(new.names[_HARDWARE]),
            doubts=tuple(doubt for side, sample in sides for doubt in _doubts(side, sample, limited)),
        )


def _doubts(side: str, sample: Sample, limited: Mapping[str, str]) -> Iterator[str]:
    """What is known of a side before it is compared; an invalid comparison tells by itself what was left out."""
    if caveat := limited.get(sample.key):
        yield f"{side}: {caveat}"
    if sample.invalid and len(sample.values) >= FEWEST_REPEATS:
        yield from (f"{side}: left out {reason}" for reason in sample.invalid)
