"""Every verdict with all that it rests on, as JSON for machines; `verdicts.schema.json` describes each field.

Numbers are in base units and changes are fractions. JSON knows no infinity and no NaN: such a number is null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from fwdlab.analyse.result import METRICS, Comparison, Sample, Verdict
from fwdlab.analyse.synthesis import synthesis
from fwdlab.case import AXES
from fwdlab.render import names
from fwdlab.render.differences import difference_href
from fwdlab.render.model import CampaignPage, Pair
from fwdlab.render.outcomes import Outcome, outcomes

VERDICTS_FORMAT = "fwdlab-verdicts 1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One arm of a comparison: the valid repeats of one case, and why others were left out."""

    arm: str
    key: str
    method: str
    n: int
    values: tuple[float | None, ...]
    invalid: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """The confidence interval of a change."""

    low: float | None
    high: float | None
    confidence: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """One comparison and its verdict."""

    title: str
    names: dict[str, str]
    metric: str
    unit: str
    better: str
    base: Side
    new: Side
    verdict: str
    delta: float | None
    interval: Interval
    p_value: float | None
    test: str
    mde: float | None
    threshold: float
    noise_floor: float | None
    caveats: tuple[str, ...]
    flame_diff: str | None
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """One campaign with its comparisons."""

    name: str
    title: str
    question: str
    conditions: tuple[Pair, ...]
    axis: str
    arms: tuple[str, ...]
    baseline: str
    gate: bool
    measured: str | None
    virtual: bool
    correction: str
    noise_source: str | None
    counts: dict[str, int]
    synthesis: str
    page: str
    command: str
    comparisons: tuple[Compared, ...]


def verdicts_text(pages: Sequence[CampaignPage]) -> str:
    """The campaigns' verdicts as JSON, keys sorted: the same campaigns give the same bytes."""
    document = {"format": VERDICTS_FORMAT, "campaigns": [asdict(_judged(page)) for page in pages]}
    return json.dumps(document, indent=1, sort_keys=True, allow_nan=False) + "\n"


def _judged(page: CampaignPage) -> Judged:
    result, campaign = page.result, page.result.campaign
    verdicts = [item.verdict for item in result.comparisons]
    return Judged(
        name=campaign.name,
        title=campaign.title,
        question=campaign.question,
        conditions=page.conditions,
        axis=campaign.axis,
        arms=campaign.arms,
        baseline=campaign.baseline,
        gate=campaign.gate,
        measured=page.measured or None,
        virtual=page.virtual,
        correction=result.correction,
        noise_source=page.noise_source or None,
        counts={str(verdict): verdicts.count(verdict) for verdict in Verdict},
        synthesis=synthesis(result.comparisons),
        page=names.campaign_page(campaign.name),
        command=page.command,
        comparisons=tuple(_compared(item) for item in outcomes(page)),
    )


def _compared(found: Outcome) -> Compared:
    item, metric = found.comparison, METRICS[found.comparison.base.metric]
    held = [axis for axis in AXES if axis != found.page.result.campaign.axis]
    return Compared(
        title=found.title,
        names=dict(zip(held, item.names, strict=True)),
        metric=item.base.metric,
        unit=metric.unit,
        better=metric.better,
        base=_side(item.base_arm, item.base),
        new=_side(item.new_arm, item.new),
        verdict=item.verdict,
        delta=_finite(item.delta),
        interval=_interval(item),
        p_value=_finite(item.p_value),
        test=item.test,
        mde=_finite(item.mde),
        threshold=item.threshold,
        noise_floor=_finite(item.noise_floor),
        caveats=item.caveats,
        flame_diff=difference_href(found.page, item) or None,
        sentence=found.sentence,
    )


def _interval(item: Comparison) -> Interval:
    return Interval(low=_finite(item.low), high=_finite(item.high), confidence=item.confidence)


def _side(arm: str, sample: Sample) -> Side:
    return Side(
        arm=arm,
        key=sample.key,
        method=sample.method,
        n=len(sample.values),
        values=tuple(_finite(value) for value in sample.values),
        invalid=sample.invalid,
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
