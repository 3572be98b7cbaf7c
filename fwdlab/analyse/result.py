"""The values analysis hands on: samples, comparisons and their verdicts. Doubt is a caveat, never a log line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fwdlab.campaign import Campaign


class Better(StrEnum):
    """Which way a metric is good; said once, here, and never again in a template."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One measured quantity: its unit in base units, its good direction, its label on an axis."""

    unit: str
    better: Better
    label: str


METRICS = {
    "forwarded": Metric(unit="pps", better=Better.HIGHER, label="Forwarding rate at maximum offered load"),
    "forwarded_at_load": Metric(unit="pps", better=Better.HIGHER, label="Forwarding rate at the intended load"),
    "loss_curve": Metric(unit="pps", better=Better.HIGHER, label="Forwarding rate at the last load of the curve"),
    "throughput": Metric(unit="pps", better=Better.HIGHER, label="Throughput (RFC 2544)"),
    "ndr": Metric(unit="pps", better=Better.HIGHER, label="NDR (MLRsearch, RFC 9971)"),
    "pdr": Metric(unit="pps", better=Better.HIGHER, label="PDR (MLRsearch, RFC 9971)"),
    "establishment_rate": Metric(
        unit="cps", better=Better.HIGHER, label="Maximum connection establishment rate (RFC 9693, section 4.5)"
    ),
    "table_capacity": Metric(
        unit="states", better=Better.HIGHER, label="Connection tracking table capacity (RFC 9693, section 4.9)"
    ),
}


class Verdict(StrEnum):
    """What a comparison says; `same` is proven too, `unproven` is ministat's "no difference proven"."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    UNPROVEN = "unproven"
    INVALID = "invalid"

    def mirrored(self) -> Verdict:
        """The verdict with baseline and new side swapped."""
        return {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}.get(self, self)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """The values of one metric over the valid repeats of one case, in the order they were measured."""

    names: tuple[str, ...]  # the case's names in the order of `case.AXES`
    key: str
    metric: str
    values: tuple[float, ...]  # base units
    invalid: tuple[str, ...]  # one reason for each repeat that was left out
    goal: str = ""  # what a search looked for, or the loads that were offered, in words; empty at maximum load

    @property
    def method(self) -> str:
        """What its values are, in words: only samples of one method are compared."""
        label = METRICS[self.metric].label
        return f"{label}: {self.goal}" if self.goal else label


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """One arm against the baseline, everything else the same."""

    names: tuple[str, ...]  # the names both sides share, in the order of `case.AXES` without the compared axis
    base_arm: str
    new_arm: str
    base: Sample
    new: Sample
    verdict: Verdict
    delta: float | None  # (new - base) / base of the means, a fraction; None where there is no value
    low: float | None  # confidence interval of `delta`
    high: float | None
    confidence: float  # two-sided, such as 0.95
    p_value: float | None  # corrected over the campaign; None where no test was possible
    test: str  # the test by name
    mde: float | None  # smallest relative change these repeats could show, a fraction
    threshold: float  # practical threshold used, a fraction
    noise_floor: float | None  # of this machine, from A/A runs; None is `unmeasured`
    caveats: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CampaignResult:
    """Everything a campaign's page says: the samples of all its cases and the comparisons between them."""

    campaign: Campaign
    samples: tuple[Sample, ...]  # in the order of the campaign's members
    comparisons: tuple[Comparison, ...]
    correction: str  # the correction over the whole campaign, by name, such as "Holm"
