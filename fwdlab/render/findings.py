"""What a campaign found, in words and numbers: a headline, a line a group, a sentence a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from fwdlab.analyse.result import METRICS, CampaignResult, Comparison, Verdict
from fwdlab.case import AXES
from fwdlab.render import words
from fwdlab.render.model import Pair
from fwdlab.render.panels import PANEL_AXES, shared_label


def subject(result: CampaignResult, comparison: Comparison) -> str:
    """What is compared: the arm where there are several, and whatever tells this comparison from the others."""
    place = shared_label(result.campaign, comparison.names)
    return _named(result, comparison.new_arm, place)


def finding(result: CampaignResult, comparison: Comparison) -> str:
    """One comparison as a sentence without its stop: `nft-stateful: +26.6 % (…), better`."""
    return f"{subject(result, comparison)}: {words.verdict_text(comparison)}"


def headline(result: CampaignResult) -> str:
    """How many comparisons came out how: `12 comparisons against debian-6.1: 10 better, 2 same.`"""
    count = len(result.comparisons)
    noun = "comparison" if count == 1 else "comparisons"
    return f"{count} {noun} against {result.campaign.baseline}: {_counts(result.comparisons)}."


def summary(result: CampaignResult) -> tuple[Pair, ...]:
    """One line for each arm and group, over all machines and traffic: the range of its differences, and verdicts."""
    return tuple(Pair(label=label, value=_range(items)) for label, items in groups(result).items())


def groups(result: CampaignResult) -> dict[str, list[Comparison]]:
    """The comparisons of each line, by its label."""
    found: dict[str, list[Comparison]] = {}
    for item in result.comparisons:
        found.setdefault(_group(result, item), []).append(item)
    return found


def panel(result: CampaignResult, comparison: Comparison) -> str:
    """The machine and the traffic of a comparison, where they tell it from the others of its line."""
    others = tuple(axis for axis in AXES if axis not in PANEL_AXES)
    return shared_label(result.campaign, comparison.names, without=others)


def alt_text(result: CampaignResult, unit: str) -> str:
    """What the graph shows, for who cannot see it: the headline, then every difference."""
    told = "; ".join(finding(result, item) for item in result.comparisons)
    metrics = dict.fromkeys(METRICS[sample.metric] for sample in result.samples)
    rates = all(metric.unit == "pps" for metric in metrics)
    measured = "forwarding rates" if rates else " and ".join(metric.label for metric in metrics)
    return f"Bars of {measured} in {unit}. {headline(result)} {told}."


def _named(result: CampaignResult, arm: str, place: str) -> str:
    several = len(result.campaign.arms) > 2
    return ", ".join(filter(None, (arm if several or not place else "", place)))


def _group(result: CampaignResult, comparison: Comparison) -> str:
    place = shared_label(result.campaign, comparison.names, without=PANEL_AXES)
    return _named(result, comparison.new_arm, place)


def _range(items: Sequence[Comparison]) -> str:
    if len(items) == 1:
        return words.verdict_text(items[0])
    known = [item for item in items if item.delta is not None]
    ends = [pick(known, key=lambda item: item.delta or 0.0) for pick in (min, max)] if known else []
    texts = list(dict.fromkeys(words.difference(item) for item in ends))
    return ", ".join(filter(None, (" to ".join(texts) + _widest(known), _agreed(items))))


def _widest(items: Iterable[Comparison]) -> str:
    """How far the intervals reach, so that no range stands without one."""
    halves = [(item.high - item.low) / 2 for item in items if item.low is not None and item.high is not None]
    return f" (each \N{PLUS-MINUS SIGN} {words.plain_percent(max(halves))} or less)" if halves else ""


def _agreed(items: Sequence[Comparison]) -> str:
    verdicts = {item.verdict for item in items}
    return f"{verdicts.pop()} in all {len(items)}" if len(verdicts) == 1 else _counts(items)


def _counts(items: Iterable[Comparison]) -> str:
    counts = Counter(item.verdict for item in items)
    return words.listed([f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]) or "none"
