"""How a campaign's cases are laid out: panels by hardware and traffic, groups within them, one bar an arm.

Names that are the same in the whole campaign are left out of titles and labels; the page's conditions say them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from fwdlab.analyse.result import METRICS, CampaignResult, Comparison, Metric, Sample
from fwdlab.campaign import Campaign
from fwdlab.case import AXES
from fwdlab.units import Scale, common_scale

PANEL_AXES = ("hardware", "traffic")
_SEPARATOR = " \N{MIDDLE DOT} "


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """One arm of one group."""

    arm: str
    sample: Sample
    comparison: Comparison | None  # with the baseline; None for the baseline itself

    @property
    def median(self) -> float | None:
        """Median of the values in base units; None where no repeat was valid."""
        return median(self.sample.values) if self.sample.values else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Bars that are compared with each other."""

    label: str  # empty where the campaign has one group a panel
    bars: tuple[Bar, ...]  # in the order of the campaign's arms


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """The groups of one hardware under one traffic."""

    hardware: str
    title: str  # empty where the campaign has one panel
    groups: tuple[Group, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """All panels of a campaign, with the one scale their figures share."""

    campaign: Campaign
    metric: Metric
    scale: Scale
    panels: tuple[Panel, ...]

    @property
    def bars(self) -> tuple[Bar, ...]:
        """Every bar, from the first panel to the last."""
        return tuple(bar for panel in self.panels for group in panel.groups for bar in group.bars)


def layout_of(result: CampaignResult) -> Layout:
    """The campaign's samples and comparisons, each in its panel and group."""
    bars = _bars(result)
    scale = common_scale(bar.median for bar in bars if bar.median is not None)
    metric = _metric_of(result)
    return Layout(campaign=result.campaign, metric=metric, scale=scale, panels=tuple(_panels(result.campaign, bars)))


def _metric_of(result: CampaignResult) -> Metric:
    """The metric of all samples; where they have several, one that does as if it were none of them."""
    found = list(dict.fromkeys(sample.metric for sample in result.samples if sample.values))
    metrics = [METRICS[name] for name in found] or [METRICS[result.samples[0].metric]]
    return metrics[0] if len(metrics) == 1 else replace(metrics[0], label="Rates of several methods, named above")


def shared_label(campaign: Campaign, names: tuple[str, ...], without: tuple[str, ...] = ()) -> str:
    """What tells a comparison from the campaign's others; `names` are those of AXES without the compared one."""
    axes = [axis for axis in AXES if axis != campaign.axis]
    return _label(axes, names, _varying(campaign) - set(without))


def _bars(result: CampaignResult) -> list[Bar]:
    found = {(item.names, item.new_arm): item for item in result.comparisons}
    position = AXES.index(result.campaign.axis)
    bars = []
    for sample in result.samples:
        arm, rest = sample.names[position], _without(sample.names, position)
        bars.append(Bar(arm=arm, sample=sample, comparison=found.get((rest, arm))))
    return bars


def _panels(campaign: Campaign, bars: list[Bar]) -> Iterable[Panel]:
    shown = _varying(campaign)
    panel_axes = [axis for axis in PANEL_AXES if axis != campaign.axis]
    group_axes = [axis for axis in AXES if axis not in PANEL_AXES and axis != campaign.axis]
    for names, members in _grouped(bars, panel_axes):
        parts = dict(zip(panel_axes, names, strict=True))
        groups = [
            Group(label=_label(group_axes, values, shown), bars=_in_order(campaign, group))
            for values, group in _grouped(members, group_axes)
        ]
        title = _label(panel_axes, names, shown)
        yield Panel(hardware=parts.get("hardware", ""), title=title, groups=tuple(groups))


def _grouped(bars: list[Bar], axes: list[str]) -> list[tuple[tuple[str, ...], list[Bar]]]:
    """The bars by their names on those axes, in the order the names first appear."""

    def key(bar: Bar) -> tuple[str, ...]:
        return tuple(bar.sample.names[AXES.index(axis)] for axis in axes)

    order = {names: place for place, names in enumerate(dict.fromkeys(map(key, bars)))}
    ranked = sorted(bars, key=lambda bar: order[key(bar)])
    return [(names, list(members)) for names, members in groupby(ranked, key=key)]


def _in_order(campaign: Campaign, bars: list[Bar]) -> tuple[Bar, ...]:
    return tuple(sorted(bars, key=lambda bar: campaign.arms.index(bar.arm)))


def _label(axes: list[str], names: tuple[str, ...], shown: set[str]) -> str:
    return _SEPARATOR.join(name for axis, name in zip(axes, names, strict=True) if axis in shown)


def _varying(campaign: Campaign) -> set[str]:
    """The axes on which the campaign's cases differ."""
    values = zip(*(member.names for member in campaign.members), strict=True)
    return {axis for axis, names in zip(AXES, values, strict=True) if len(set(names)) > 1}


def _without(names: tuple[str, ...], position: int) -> tuple[str, ...]:
    return names[:position] + names[position + 1 :]
