"""ministat's text of a campaign: one block for all arms that share everything else, the baseline first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fwdlab.analyse.ministat import CURRENT, FEWEST_VALUES, MOST_SETS, PAGE, NamedSet, RelativeError, ministat_text
from fwdlab.analyse.result import CampaignResult, Comparison
from fwdlab.campaign import Ministat
from fwdlab.render.model import MinistatBlock


def ministat_blocks(result: CampaignResult) -> Iterator[MinistatBlock]:
    """Every block of the page; ministat wants three values a set, and takes seven sets."""
    groups: dict[tuple[str, ...], list[Comparison]] = {}
    for item in result.comparisons:
        groups.setdefault(item.names, []).append(item)
    columns = list(zip(*groups, strict=True))
    telling = [place for place, column in enumerate(columns) if len(set(column)) > 1]
    for names, items in groups.items():
        told = [item for item in items if len(item.new.values) >= FEWEST_VALUES <= len(item.base.values)]
        for several in _batches(told):
            title = " ".join(names[place] for place in telling) or ", ".join(item.new_arm for item in several)
            yield MinistatBlock(title=title, text=_text(several, result.campaign.ministat))


def _batches(items: Sequence[Comparison]) -> Iterator[Sequence[Comparison]]:
    for first in range(0, len(items), MOST_SETS - 1):
        yield items[first : first + MOST_SETS - 1]


def _text(items: Sequence[Comparison], form: Ministat) -> str:
    sides = [(items[0].base_arm, items[0].base), *((item.new_arm, item.new) for item in items)]
    sets = [NamedSet(name=f"{arm} {' '.join(items[0].names)}", values=sample.values) for arm, sample in sides]
    formulas = replace(CURRENT, relative_error=RelativeError(form.relative_error))
    return ministat_text(sets, replace(PAGE, width=form.width), formulas)
