"""The noise floor of a machine from A/A runs: the same case as both arms, repeats dealt out in turns.

Whatever differs there is noise. The floor is the relative deviation below which no sample of the machine is believed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, variance

from fwdlab.analyse.result import Sample
from fwdlab.analyse.rules import LEAST_FLOOR
from fwdlab.campaign import FEWEST_REPEATS
from fwdlab.errors import RecordError


@dataclass(frozen=True, kw_only=True, slots=True)
class NoiseFloor:
    """What A/A runs said of one machine."""

    hardware: str
    deviation: float  # relative
    pairs: int
    repeats: int  # of each arm
    measured: str  # day of the last trial, ISO 8601

    @property
    def source(self) -> str:
        """Where the floor came from, for the page."""
        return f"{self.hardware}: {self.pairs} A/A pairs of {self.repeats} repeats an arm, {self.measured}"


def arms_of(sample: Sample) -> tuple[Sample, Sample]:
    """The sample's repeats dealt out to two arms in turns, so that drift hits both alike."""
    halves = (sample.values[0::2], sample.values[1::2])
    a, b = (
        Sample(names=sample.names, key=sample.key, metric=sample.metric, values=values, invalid=()) for values in halves
    )
    return a, b


def floor_of(samples: Sequence[Sample]) -> float:
    """The relative deviation of A/A samples: pooled within the arms, or what their means differ by, the larger.

    Every arm needs 3 values or more; RecordError where none has. Pooled: sum of squares about each arm's mean over the
    degrees of freedom. Between: half the mean square of the arms' differences times their n, the same quantity where
    nothing but chance is at work.
    """
    pairs = [arms_of(sample) for sample in samples]
    usable = [(a.values, b.values) for a, b in pairs if min(len(a.values), len(b.values)) >= FEWEST_REPEATS]
    if not usable:
        raise RecordError(f"no A/A pair has {FEWEST_REPEATS} valid repeats an arm; measure more with --repeats")
    within = [variance(arm) / fmean(arm) ** 2 for pair in usable for arm in pair]
    weights = [len(arm) - 1 for pair in usable for arm in pair]
    pooled = sum(weight * value for weight, value in zip(weights, within, strict=True)) / sum(weights)
    between = fmean((fmean(b) / fmean(a) - 1) ** 2 / (1 / len(a) + 1 / len(b)) for a, b in usable)
    return max(math.sqrt(max(pooled, between)), LEAST_FLOOR)


def floors_text(floors: Iterable[NoiseFloor]) -> str:
    """The floors as JSON, by machine."""
    ordered = sorted(floors, key=lambda floor: floor.hardware)
    return json.dumps([asdict(floor) for floor in ordered], indent=1, sort_keys=True) + "\n"


def parse_floors(text: str, origin: str) -> dict[str, NoiseFloor]:
    """The floors by machine; RecordError that names `origin` where the text is no list of them."""
    try:
        floors = [NoiseFloor(**entry) for entry in json.loads(text)]
        return {floor.hardware: floor for floor in floors if math.isfinite(floor.deviation)}
    except (ValueError, TypeError) as error:
        raise RecordError(f"{origin}: is no list of noise floors ({error}); measure again with 'fwdlab aa'") from error
