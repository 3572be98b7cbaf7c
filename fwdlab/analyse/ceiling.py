"""Samples that stand at a limit of generator, link or receiver: far quieter than their machine, and at one value."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from fwdlab.analyse.result import Sample
from fwdlab.analyse.words import level_text, percent
from fwdlab.campaign import FEWEST_REPEATS
from fwdlab.case import AXES

_HARDWARE, _FIREWALL, _TRAFFIC = (AXES.index(axis) for axis in ("hardware", "firewall", "traffic"))
CEILING_SHARE = 0.2  # of the noise floor: no DUT is that steady, and no two firewalls cost so much the same
_FEWEST_SAMPLES = 4  # whose median spread can stand in for a floor


def ceilings(samples: Sequence[Sample], floors: Mapping[str, float]) -> Mapping[str, str]:
    """A caveat by case key for each sample at a ceiling, and an empty one for each that is not.

    Noise floors by hardware name, where measured. A sample that cannot be judged has none: it has too few repeats, or
    its machine neither a floor nor samples enough to stand in for one.
    """
    usable = [sample for sample in samples if len(sample.values) >= FEWEST_REPEATS and min(sample.values) > 0]
    found = {}
    for hardware in dict.fromkeys(sample.names[_HARDWARE] for sample in usable):
        here = [sample for sample in usable if sample.names[_HARDWARE] == hardware]
        if floor := floors.get(hardware) or _usual_spread(here):
            quiet = [sample for sample in here if _spread(sample) <= CEILING_SHARE * floor]
            twins = {sample.key: _twin(sample, quiet, floor) for sample in quiet}
            found.update({sample.key: _caveat(sample, twins.get(sample.key), floor) for sample in here})
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
        near = abs(statistics.fmean(other.values) / mean - 1) <= CEILING_SHARE * floor
        if same_traffic and near and other.names[_FIREWALL] != sample.names[_FIREWALL]:
            return other
    return None


def _caveat(sample: Sample, twin: Sample | None, floor: float) -> str:
    if twin is None:
        return ""
    level = level_text(statistics.fmean(sample.values), sample.metric)
    quiet = f"with a deviation of {percent(_spread(sample))} where the machine has {percent(floor)}"
    return f"{level} is that of {twin.names[_FIREWALL]} too, {quiet}: a ceiling of generator or link, not of the DUT"
