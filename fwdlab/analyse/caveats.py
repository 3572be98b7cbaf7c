"""Doubt in words: what a reader must know beside a verdict, each with the number that would cure it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from fwdlab.analyse.power import MOST_REPEATS, repeats_for, repeats_within
from fwdlab.analyse.ranks import shape_free_test, smallest_p
from fwdlab.analyse.result import Sample, Verdict
from fwdlab.analyse.rules import LEAST_FLOOR, Correction, Rules
from fwdlab.analyse.shape import Look
from fwdlab.analyse.words import (
    interval_text,
    level_text,
    p_text,
    percent,
    repeats_text,
    signed_percent,
)
from fwdlab.campaign import FEWEST_REPEATS


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One comparison's figures, judged; effects and errors are fractions of the base."""

    base: Sample
    new: Sample
    verdict: Verdict
    delta: float
    low: float | None
    high: float | None
    p: float  # corrected over the campaign
    p_alone: float
    p_shape_free: float  # of the test without a shape; zero where both samples look normal
    error: float  # standard error
    mde: float
    floor: float  # used
    noise_floor: float | None  # measured
    base_look: Look
    new_look: Look
    drift: float  # relative change a round; zero where it may be chance
    comparisons: int  # of the campaign
    level: float  # at which one lone effect of the campaign is found


def invalid_caveats(base: Sample, new: Sample) -> tuple[str, ...]:
    """Why two samples cannot be compared; nothing where they can."""
    if base.values and new.values and base.method != new.method:
        return (f"base is '{base.method}', new is '{new.method}': rates of two methods are not compared",)
    return tuple(caveat for side, sample in (("base", base), ("new", new)) for caveat in _faults(side, sample))


def _faults(side: str, sample: Sample) -> Iterator[str]:
    count = len(sample.values)
    if count < FEWEST_REPEATS:
        missing = FEWEST_REPEATS - count
        of_all = f" of {count + len(sample.invalid)}" if sample.invalid else ""
        yield f"{side} has {count} valid repeats{of_all}; {missing} more would allow a comparison"
        yield from (f"{side}: {reason}" for reason in sample.invalid)
    elif not all(math.isfinite(value) for value in sample.values):
        yield f"{side} holds a value that is not a finite number"
    elif not 0 < sum(sample.values) < math.inf:
        yield f"{side} has a mean of {sum(sample.values) / count:g}; a relative change needs one above zero"


def caveats_of(finding: Finding, rules: Rules) -> tuple[str, ...]:
    """Every doubt about a comparison, the gravest first."""
    return (
        *_unproven(finding, rules),
        *_corrected_away(finding, rules),
        *_odd_looks(finding, rules),
        *_quiet(finding),
        *_drift(finding),
    )


def _counts(finding: Finding) -> tuple[int, int]:
    return len(finding.base.values), len(finding.new.values)


def _unproven(finding: Finding, rules: Rules) -> Iterator[str]:
    if finding.verdict is not Verdict.UNPROVEN:
        return
    target = max(abs(finding.delta), rules.threshold)
    if finding.mde > target:
        yield _resolution(finding, rules, target)
    elif abs(finding.delta) < rules.threshold:
        yield _undecided(finding, rules)


def _resolution(finding: Finding, rules: Rules, target: float) -> str:
    """What these repeats can show, and how many would show the target."""
    over = f" over {finding.comparisons} comparisons" if finding.level < rules.alpha else ""
    has = f"{repeats_text(*_counts(finding))} resolve {percent(finding.mde)} at {percent(rules.confidence)}{over}"
    needed = repeats_for(_in_repeats(target, finding), finding.level, rules.test)
    return f"{has}; {_many(needed)} would resolve {percent(target)}"


def _undecided(finding: Finding, rules: Rules) -> str:
    """Neither a change as large as the threshold nor proven to be smaller."""
    reach = f"{repeats_text(*_counts(finding))} put the change at {interval_text(finding.low, finding.high)}"
    room = rules.threshold - abs(finding.delta)
    needed = repeats_within(_in_repeats(room, finding), finding.level)
    return f"{reach}; {_many(needed)} would tell whether it stays within {percent(rules.threshold)}"


def _in_repeats(effect: float, finding: Finding) -> float:
    """An effect in relative deviations of one repeat."""
    base_n, new_n = _counts(finding)
    return round(effect / (finding.error / math.sqrt(1 / base_n + 1 / new_n)), 4)


def _many(needed: int | None) -> str:
    return f"more than {MOST_REPEATS} repeats" if needed is None else f"{needed} repeats"


def _corrected_away(finding: Finding, rules: Rules) -> Iterator[str]:
    if finding.p_alone <= rules.alpha < finding.p and rules.correction is not Correction.NONE:
        over = f"over {finding.comparisons} comparisons ({rules.correction})"
        yield f"{p_text(finding.p_alone)} alone, {p_text(finding.p)} {over}"
    elif finding.p <= rules.alpha and abs(finding.delta) < rules.threshold and finding.verdict is Verdict.UNPROVEN:
        small = f"by less than the practical threshold of {percent(rules.threshold)}"
        yield f"differs from none ({p_text(finding.p)}), {small}"


def _odd_looks(finding: Finding, rules: Rules) -> Iterator[str]:
    for side, sample, look in (("base", finding.base, finding.base_look), ("new", finding.new, finding.new_look)):
        if look.two_humped:
            yield _humps(side, sample, look)
        if look.outlier:
            yield _outlier(side, sample, look)
    if finding.base_look.odd or finding.new_look.odd:
        yield _shape_free(finding, rules)


def _humps(side: str, sample: Sample, look: Look) -> str:
    low, high = level_text(look.low_level, sample.metric), level_text(look.high_level, sample.metric)
    apart = percent(look.high_level / look.low_level - 1)
    counts = f"{look.low_count} repeats about {low}, {len(sample.values) - look.low_count} about {high}"
    return f"{side} is two-humped: {counts}, {apart} apart"


def _outlier(side: str, sample: Sample, look: Look) -> str:
    value, others = level_text(look.outlier_value, sample.metric), level_text(look.others, sample.metric)
    apart = signed_percent(look.outlier_value / look.others - 1)
    return f"{side} has an outlier: {value}, {apart} against the others' {others}; it stays in"


def _shape_free(finding: Finding, rules: Rules) -> str:
    counts = _counts(finding)
    said = f"not normal-looking: the {shape_free_test(*counts)} says {p_text(finding.p_shape_free)}"
    if smallest_p(*counts) <= rules.alpha:
        return said
    needed = next(n for n in range(FEWEST_REPEATS, MOST_REPEATS) if smallest_p(n, n) <= rules.alpha)
    return f"{said} and cannot say less than {smallest_p(*counts):.2g}; {needed} repeats could"


def _quiet(finding: Finding) -> Iterator[str]:
    quiet = [
        f"{side} {percent(look.spread)}"
        for side, look in (("base", finding.base_look), ("new", finding.new_look))
        if look.spread < finding.floor
    ]
    if quiet:
        yield f"deviation of {' and '.join(quiet)} counted as {percent(finding.floor)}: {_origin(finding)}"


def _origin(finding: Finding) -> str:
    if finding.floor == finding.noise_floor:
        return "the machine's noise floor"
    if finding.noise_floor is None and finding.floor == LEAST_FLOOR:
        return "the least assumed while the noise floor is unmeasured"
    return "no sample counts as far quieter than the campaign's others"


def _drift(finding: Finding) -> Iterator[str]:
    if finding.drift:
        rounds = max(_counts(finding))
        total = f"{signed_percent(finding.drift * (rounds - 1))} over {rounds} rounds"
        yield f"both sides drift by {signed_percent(finding.drift)} a round, {total}; warm up longer"
