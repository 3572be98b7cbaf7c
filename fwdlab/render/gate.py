"""What a pipeline makes of the verdicts: `worse` fails where the campaign is a gate and warns elsewhere.

A gate that cannot judge stays shut: an invalid comparison of a gated campaign fails too. `unproven` does neither; the
page says how small a change could have been seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fwdlab.analyse.result import Verdict
from fwdlab.errors import FwdlabError, GateError, RecordError, WorseError
from fwdlab.render.model import CampaignPage
from fwdlab.render.outcomes import Outcome, outcomes, printable

_SEVERITY: tuple[type[FwdlabError], ...] = (GateError, RecordError, WorseError)
_ADVICE: dict[type[FwdlabError], str] = {
    GateError: "the campaign is a gate: mend the change, or say 'gate: false' where the cost is meant",
    RecordError: "the campaign is a gate and could not judge: measure again",
    WorseError: "the campaign is no gate, so this is a warning",
}


def gate_error(pages: Sequence[CampaignPage], refused: Iterable[str]) -> FwdlabError | None:
    """One error of the gravest kind that tells every regression and what was `refused`; None where there is neither."""
    told: list[tuple[type[FwdlabError], str]] = [(RecordError, sentence) for sentence in refused]
    told += [(kind, _sentence(item, kind)) for page in pages for item, kind in _failing(page)]
    if not told:
        return None
    gravest = min((kind for kind, _ in told), key=_SEVERITY.index)
    return gravest("\n".join(sentence for _, sentence in sorted(told, key=lambda entry: _SEVERITY.index(entry[0]))))


def _failing(page: CampaignPage) -> Iterator[tuple[Outcome, type[FwdlabError]]]:
    gate = page.result.campaign.gate
    for item in outcomes(page):
        if item.comparison.verdict is Verdict.WORSE:
            yield item, GateError if gate else WorseError
        elif item.comparison.verdict is Verdict.INVALID and gate:
            yield item, RecordError


def _sentence(item: Outcome, kind: type[FwdlabError]) -> str:
    return f"campaign '{printable(item.page.result.campaign.name)}': {printable(item.sentence)}; {_ADVICE[kind]}"
