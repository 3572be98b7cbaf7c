"""What runs when: which cases a pipeline measures, which it leaves out, and why.

Pure: what changed, what is measured already, what a case costs and the time are arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from fwdlab import units
from fwdlab.campaign import Campaign
from fwdlab.case import Case, Lab
from fwdlab.errors import MatrixError
from fwdlab.matrix.expand import only
from fwdlab.matrix.model import Names
from fwdlab.matrix.words import advice, quoted
from fwdlab.pipeline.counterparts import counterparts

COMPARED = "the other side of a comparison"
_PROTECTED = "its runner serves protected refs alone; a maintainer starts it by hand on one"


class Source(StrEnum):
    """What made the pipeline begin."""

    MERGE_REQUEST = "merge-request"
    PUSH = "push"
    SCHEDULE = "schedule"
    HAND = "hand"


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What the pipeline is asked for."""

    source: Source
    now: datetime
    trusted: bool  # the ref is protected: runners of real machines serve it
    campaign: str | None  # by hand: the campaign whose cases are wanted
    pattern: str | None  # by hand: the cases that are wanted, as `--only` takes them
    stale_after_s: float  # by schedule: a result of that age is to be taken again
    budget_s: float | None  # by schedule: most lab time of one machine


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What is known of the cases."""

    changed: Mapping[Names, Sequence[str]]  # what a change touched of them, in words; a case not in it is as it was
    measured: Mapping[str, datetime]  # when the newest result of a case was taken, by its key
    cost_s: Mapping[Names, float]  # lab time of all its repeats and its profile


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """A case, and why it is taken or left out."""

    case: Case
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """Every case of the matrix on one of two sides, each in the order of the cases."""

    taken: tuple[Reason, ...]
    left: tuple[Reason, ...]

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases to measure."""
        return tuple(item.case for item in self.taken)


Judge = Callable[[Case], tuple[bool, str]]  # whether a case is wanted for itself, and why or why not


def decide(cases: Sequence[Case], campaigns: Sequence[Campaign], request: Request, known: Known) -> Decision:
    """The cases this pipeline measures: those it is for, and what each is held against in a campaign.

    A baseline that changed takes its arms along, since every comparison with it did; one that was named by hand alone
    does not.
    """
    wanted, left = _sorted_out(cases, campaigns, request, known)
    by_names = {case.names: case for case in cases}
    asked = [item for item in campaigns if request.campaign in {None, item.name}]
    others = counterparts(asked, arms=request.source is not Source.HAND)
    groups = [
        _Group(item=item, others=[by_names[names] for names in others.get(item.case.names, ())]) for item in wanted
    ]
    taken, over = _within_budget(groups, request, known)
    reasons = {**left, **over}
    return Decision(
        taken=tuple(Reason(case=case, why=taken[case.names]) for case in cases if case.names in taken),
        left=tuple(Reason(case=case, why=reasons[case.names]) for case in cases if case.names not in taken),
    )


def _sorted_out(
    cases: Sequence[Case], campaigns: Sequence[Campaign], request: Request, known: Known
) -> tuple[list[Reason], dict[Names, str]]:
    """The cases that are wanted for themselves, the most urgent first, and why each other one is not."""
    judge = _judge(cases, campaigns, request, known)
    wanted: list[Reason] = []
    left: dict[Names, str] = {}
    for case in cases:
        taken, why = judge(case)
        if taken and _serves(request, case):
            wanted.append(Reason(case=case, why=why))
        else:
            left[case.names] = _PROTECTED if taken else why
    if request.source is Source.SCHEDULE:
        wanted.sort(key=lambda item: _age(item.case, request, known), reverse=True)
    return wanted, left


def _judge(cases: Sequence[Case], campaigns: Sequence[Campaign], request: Request, known: Known) -> Judge:
    match request.source:
        case Source.MERGE_REQUEST | Source.PUSH:
            return lambda case: _if_changed(case, known)
        case Source.SCHEDULE:
            return lambda case: _if_stale(case, request, known)
        case Source.HAND:
            return _asked_for(cases, campaigns, request)


def _serves(request: Request, case: Case) -> bool:
    """Whether a runner may take the case: real machines stand behind protected refs, virtual ones are anybody's."""
    return request.trusted or case.hardware.lab is Lab.QEMU


def _if_changed(case: Case, known: Known) -> tuple[bool, str]:
    touched = known.changed.get(case.names)
    if not touched:
        return False, "nothing it depends on changed"
    if date := known.measured.get(case.key):
        return False, f"is measured as it now stands, on {date:%Y-%m-%d}"
    return True, ", ".join(touched)


def _age(case: Case, request: Request, known: Known) -> float:
    """Seconds since its newest result; without end where there is none."""
    date = known.measured.get(case.key)
    return (request.now - date).total_seconds() if date else float("inf")


def _if_stale(case: Case, request: Request, known: Known) -> tuple[bool, str]:
    age = _age(case, request, known)
    if age == float("inf"):
        return True, "has no result as it now stands"
    if age < request.stale_after_s:
        return False, f"has a result younger than {units.duration_text(request.stale_after_s)}"
    return True, f"has no result younger than {units.duration_text(request.stale_after_s)}"


def _asked_for(cases: Sequence[Case], campaigns: Sequence[Campaign], request: Request) -> Judge:
    """What was chosen by hand; everything where nothing was said. MatrixError where there is no such thing."""
    chosen = {case.names for case in (only(cases, request.pattern, "--cases") if request.pattern else cases)}
    if request.campaign is not None:
        by_name = {campaign.name: campaign for campaign in campaigns}
        if request.campaign not in by_name:
            raise MatrixError(
                f"--campaign: there is no {quoted(request.campaign)}; {advice(request.campaign, by_name)}"
            )
        chosen &= {member.names for member in by_name[request.campaign].members}
    return lambda case: (case.names in chosen, "asked for" if case.names in chosen else "not asked for")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Group:
    """A case that is wanted, with those it is compared with."""

    item: Reason
    others: Sequence[Case]


def _within_budget(
    groups: Sequence[_Group], request: Request, known: Known
) -> tuple[dict[Names, str], dict[Names, str]]:
    """The reasons of what is taken and of what no machine has the time for, by the names of the cases.

    A comparison is taken whole or not at all; one that does not fit makes room for later ones that do.
    """
    budget_s = request.budget_s if request.source is Source.SCHEDULE else None
    taken: dict[Names, str] = {}
    over: dict[Names, str] = {}
    spent: dict[str, float] = {}
    for group in groups:
        others = [case for case in group.others if _serves(request, case)]
        after = _spent(spent, [case for case in (group.item.case, *others) if case.names not in taken], known)
        if budget_s is not None and any(after[machine] > max(budget_s, spent.get(machine, 0.0)) for machine in after):
            over[group.item.case.names] = (
                f"{group.item.why}; beyond the budget of {units.duration_text(budget_s)} of each machine"
            )
            continue
        spent = after
        taken[group.item.case.names] = group.item.why
        for case in others:
            taken.setdefault(case.names, COMPARED)
    return taken, over


def _spent(before: Mapping[str, float], cases: Iterable[Case], known: Known) -> dict[str, float]:
    """The lab time of each machine with these cases added."""
    after = dict(before)
    for case in cases:
        after[case.hardware.name] = after.get(case.hardware.name, 0.0) + known.cost_s[case.names]
    return after
