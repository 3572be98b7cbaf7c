"""Comparisons with the names they go by where a reader has no page around them: in a report, a note, a test widget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fwdlab.analyse.result import Comparison, Verdict
from fwdlab.analyse.synthesis import outcome, titles_of
from fwdlab.render.model import CampaignPage

URGENCY = (Verdict.INVALID, Verdict.WORSE, Verdict.BETTER, Verdict.UNPROVEN, Verdict.SAME)  # what to read first
WORSE_FAILS, WORSE_WARNS = "'worse' fails the pipeline", "'worse' warns only"  # of a campaign that is a gate, or none


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """One comparison of one campaign."""

    page: CampaignPage
    comparison: Comparison
    title: str  # tells it from the campaign's other comparisons
    sentence: str  # such as `pf-stateful: -1.41 % +/- 0.98 %, worse`


def outcomes(page: CampaignPage) -> Iterator[Outcome]:
    """The campaign's comparisons in their own order."""
    compared = page.result.comparisons
    for title, item in zip(titles_of(compared), compared, strict=True):
        yield Outcome(page=page, comparison=item, title=title, sentence=f"{title}: {outcome(item)}")


def by_urgency(found: Sequence[Outcome]) -> list[Outcome]:
    """What cannot be trusted first, then worse, better, unproven and same; the larger change before the smaller."""

    def key(item: Outcome) -> tuple[int, float]:
        # Equal changes differ in the last bits of their quotients; rounded, they keep the campaign's order.
        return URGENCY.index(item.comparison.verdict), -round(abs(item.comparison.delta or 0.0), 6)

    return sorted(found, key=key)


def printable(text: str) -> str:
    """The text on one line, with every character that shows nothing or misleads the eye told by its number.

    So no control character, no half of a surrogate pair and no change of writing direction gets anywhere.
    """
    return "".join(character if character.isprintable() else _number(character) for character in " ".join(text.split()))


def _number(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
