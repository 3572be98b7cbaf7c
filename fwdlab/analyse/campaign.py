"""A campaign's samples become its result: every arm against the baseline with all other names the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from fwdlab.analyse.ceiling import ceilings
from fwdlab.analyse.compare import Pair, compare_all
from fwdlab.analyse.floor import NoiseFloor
from fwdlab.analyse.result import CampaignResult, Comparison, Sample
from fwdlab.analyse.rules import Rules, usual_rules
from fwdlab.analyse.samples import sample_of
from fwdlab.campaign import FEWEST_REPEATS, Campaign, Member
from fwdlab.case import AXES
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.idle import idle_reason
from fwdlab.records.model import Record

_HARDWARE = AXES.index("hardware")
_METRIC = "forwarded"


def judged(
    campaign: Campaign, records: Iterable[Record], floors: Mapping[str, NoiseFloor], profiles: Mapping[str, Profile]
) -> CampaignResult:
    """The campaign's result from the records of its members, by its own threshold and looks; profiles by case key."""
    by_key: dict[str, list[Record]] = {}
    for record in records:
        by_key.setdefault(record.key, []).append(record)
    samples = {key: sample_of(trials, profiles.get(key)) for key, trials in by_key.items()}
    deviations = {hardware: floor.deviation for hardware, floor in floors.items()}
    result = campaign_result(campaign, samples, deviations, usual_rules(campaign.threshold, len(campaign.looks)))
    return replace(result, comparisons=tuple(_with_idle(item, profiles) for item in result.comparisons))


def _with_idle(item: Comparison, profiles: Mapping[str, Profile]) -> Comparison:
    """The comparison with a caveat for each side whose profile is idle although its trials count."""
    idle = [
        f"{side}'s profile: {reason}"
        for side, sample in (("base", item.base), ("new", item.new))
        if sample.values and sample.key in profiles and (reason := idle_reason(profiles[sample.key]))
    ]
    return replace(item, caveats=(*item.caveats, *idle))


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
        correction=rules.corrections,
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
