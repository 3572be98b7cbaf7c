"""Samples in, comparisons out: any number of pairs at once, corrected together as one campaign."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fwdlab.analyse.caveats import Finding, caveats_of, invalid_caveats
from fwdlab.analyse.power import detectable
from fwdlab.analyse.result import METRICS, Better, Comparison, Sample, Verdict
from fwdlab.analyse.rules import Correction, Rules
from fwdlab.analyse.student import Floats, side_of
from fwdlab.analyse.verdict import CODES, Evidence, Judged, evidence_of, joined, judge, stand_in_floor


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two samples to compare: everything the same but the arm."""

    names: tuple[str, ...]  # what both sides share
    base_arm: str
    new_arm: str
    base: Sample
    new: Sample
    machine: str  # samples of one machine lend each other a noise floor
    noise_floor: float | None  # of that machine, from A/A runs
    doubts: tuple[str, ...]  # caveats the caller already knows of


def compare(pair: Pair, rules: Rules) -> Comparison:
    """One pair, as a campaign of one."""
    return compare_all([pair], rules)[0]


def compare_all(pairs: Sequence[Pair], rules: Rules) -> tuple[Comparison, ...]:
    """Every pair's comparison, in the order given; p-values are corrected over all of them."""
    valid = [pair for pair in pairs if not invalid_caveats(pair.base, pair.new)]
    findings = {id(pair): finding for pair, finding in zip(valid, _findings(valid, rules), strict=True)}
    return tuple(_comparison(pair, findings.get(id(pair)), rules) for pair in pairs)


def _floors(pairs: Iterable[Pair]) -> Mapping[str, float]:
    """The noise floor to use on each machine: the measured one, or what its samples say."""
    samples: dict[str, dict[int, Sample]] = {}
    measured: dict[str, float | None] = {}
    for pair in pairs:
        samples.setdefault(pair.machine, {}).update({id(pair.base): pair.base, id(pair.new): pair.new})
        measured[pair.machine] = pair.noise_floor
    return {machine: _floor(list(items.values()), measured[machine]) for machine, items in samples.items()}


def _floor(samples: Sequence[Sample], measured: float | None) -> float:
    fewest = min(len(sample.values) for sample in samples)
    return float(stand_in_floor(_spreads(samples), fewest, measured))


def _spreads(samples: Sequence[Sample]) -> Floats:
    spreads = np.empty(len(samples))
    for places in _alike([len(sample.values) for sample in samples]).values():
        spreads[places] = side_of(np.array([samples[place].values for place in places])).spread
    return spreads


def _alike(keys: Iterable[object]) -> dict[object, list[int]]:
    """Places of equal keys."""
    groups: dict[object, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return groups


def _findings(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    if not pairs:
        return []
    floors = _floors(pairs)
    floor = np.array([floors[pair.machine] for pair in pairs])
    evidence = _evidence(pairs, floor, rules)
    gain = np.array([1.0 if METRICS[pair.base.metric].better is Better.HIGHER else -1.0 for pair in pairs])
    judged = judge(evidence, rules, gain)
    return _rows(pairs, floor.tolist(), evidence, judged, rules)


def _evidence(pairs: Sequence[Pair], floor: Floats, rules: Rules) -> Evidence:
    """The evidence of all pairs; those with equal numbers of repeats are worked out together."""
    groups = _alike((len(pair.base.values), len(pair.new.values)) for pair in pairs).values()
    parts = []
    for places in groups:
        base = np.array([pairs[place].base.values for place in places])
        new = np.array([pairs[place].new.values for place in places])
        parts.append(evidence_of(base, new, floor[places], rules))
    return joined(parts, np.argsort(np.concatenate([np.array(places) for places in groups])))


def _rows(pairs: Sequence[Pair], floor: list[float], evidence: Evidence, judged: Judged, rules: Rules) -> list[Finding]:
    tested = evidence.tested
    columns = (tested.delta, tested.low, tested.high, judged.p, tested.p, evidence.p_shape_free, tested.error)
    figures = zip(*(column.tolist() for column in columns), strict=True)
    looks = zip(evidence.base_shape.looks(), evidence.new_shape.looks(), strict=True)
    level = lone_level(rules, len(pairs))
    return [
        Finding(
            base=pair.base,
            new=pair.new,
            verdict=CODES[code],
            delta=delta,
            low=_known(low),
            high=_known(high),
            p=p,
            p_alone=p_alone,
            p_shape_free=p_shape_free,
            error=error,
            mde=error * detectable(len(pair.base.values), len(pair.new.values), level, rules.test),
            floor=used,
            noise_floor=pair.noise_floor,
            base_look=base_look,
            new_look=new_look,
            drift=drift,
            comparisons=len(pairs),
            level=level,
        )
        for pair, code, used, drift, (delta, low, high, p, p_alone, p_shape_free, error), (base_look, new_look) in zip(
            pairs, judged.codes, floor, evidence.drift.tolist(), figures, looks, strict=True
        )
    ]


def lone_level(rules: Rules, comparisons: int) -> float:
    """The level one true effect among so many comparisons must pass: that of the correction's first step."""
    return rules.alpha if rules.correction is Correction.NONE else rules.alpha / comparisons


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _comparison(pair: Pair, finding: Finding | None, rules: Rules) -> Comparison:
    caveats = caveats_of(finding, rules) if finding else invalid_caveats(pair.base, pair.new)
    return Comparison(
        names=pair.names,
        base_arm=pair.base_arm,
        new_arm=pair.new_arm,
        base=pair.base,
        new=pair.new,
        verdict=finding.verdict if finding else Verdict.INVALID,
        delta=finding.delta if finding else None,
        low=finding.low if finding else None,
        high=finding.high if finding else None,
        confidence=rules.confidence,
        p_value=finding.p if finding else None,
        test=str(rules.test),
        mde=finding.mde if finding else None,
        threshold=rules.threshold,
        noise_floor=pair.noise_floor,
        caveats=(*pair.doubts, *caveats),
    )
