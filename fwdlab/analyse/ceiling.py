"""Samples that stand at a limit of generator, link or receiver: far quieter than their machine, and at one value."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from fwdlab.analyse.result import Sample
from fwdlab.analyse.rules import FEWEST_REPEATS
from fwdlab.analyse.words import level_text, percent
from fwdlab.case import AXES

_HARDWARE, _FIREWALL, _TRAFFIC = (AXES.index(axis) for axis in ("hardware", "firewall", "traffic"))
_SHARE = 0.2  # of the noise floor: no DUT is that steady, and no two firewalls cost so much the same
_FEWEST_SAMPLES = 4  # whose median spread can stand in for a floor


def ceilings(samples: Sequence[Sample], floors: Mapping[str, float]) -> Mapping[str, str]:
    """A caveat by case key for each sample at a ceiling; noise floors by hardware name, where measured."""
    usable = [sample for sample in samples if len(sample.values) >= FEWEST_REPEATS and min(sample.values) > 0]
    found = {}
    for hardware in dict.fromkeys(sample.names[_HARDWARE] for sample in usable):
        here = [sample for sample in usable if sample.names[_HARDWARE] == hardware]
        floor = floors.get(hardware) or _usual_spread(here)
        quiet = [sample for sample in here if _spread(sample) <= _SHARE * floor]
        found.update(
            {sample.key: _caveat(sample, twin, floor) for sample in quiet if (twin := _twin(sample, quiet, floor))}
        )
    return found


def _usual_spread(samples: Sequence[Sample]) -> float:
    return statistics.median(map(_spread, samples)) if len(samples) >= _FEWEST_SAMPLES else 0.0


def _spread(sample: Sample) -> float:
    return statistics.stdev(sample.values) / statistics.fmean(sample.values)


def _twin(sample: Sample, others: Sequence[Sample], floor: float) -> Sample | None:
    """A sample of another firewall under the same traffic at the same value."""
    mean = statistics.fmean(sample.values)
    for other in others:
        same_traffic = other.names[_TRAFFIC] == sample.names[_TRAFFIC]
        near = abs(statistics.fmean(other.values) / mean - 1) <= _SHARE * floor
        if floor and same_traffic and near and other.names[_FIREWALL] != sample.names[_FIREWALL]:
            return other
    return None


def _caveat(sample: Sample, twin: Sample, floor: float) -> str:
    level = level_text(statistics.fmean(sample.values), sample.metric)
    quiet = f"with a deviation of {percent(_spread(sample))} where the machine has {percent(floor)}"
    return f"{level} is that of {twin.names[_FIREWALL]} too, {quiet}: a ceiling of generator or link, not of the DUT"
