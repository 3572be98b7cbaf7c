"""The jobs that a plan comes to: one a case and round, a stage a round, one to collect each case.

The tasks are those that `fwdlab run` does (`run.tasks.phases`); preparing a case is part of its first round.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fwdlab import units
from fwdlab.case import AXES, Case
from fwdlab.errors import MatrixError
from fwdlab.matrix.model import Machine
from fwdlab.matrix.plan import MachinePlan, Plan, Planned
from fwdlab.pipeline.model import PLAN, CaseJobs, Job, Look, Place, Placed, Timeout, Turns
from fwdlab.run.tasks import Task, phases

_SPARE_S = 300  # of a job's time, for what comes after its script: cleaning up, and sending the artifacts
_BOOT_HANGS_S = 600  # after which the runner scripts have ended a boot themselves, and said why
_PREPARE_S = 1200  # packages fetched and unpacked
_BUILD_S = 7200  # kernels compiled, when none is cached
_LONGEST_JOB_S = 29 * 86400.0  # GitLab takes no timeout of a month or more
_LONGEST = 40  # characters of a case's words: a job's name is cut by GitLab's pages, and counts in its limits


def widest(plan: Plan) -> Plan:
    """The plan with every repeat that campaigns with repeats by need may come to."""
    most: dict[str, int] = {}
    for campaign in plan.campaigns:
        for member in campaign.members if campaign.adaptive else ():
            most[member.key] = max(campaign.looks[-1], most.get(member.key, 0))
    planned = tuple(replace(item, repeats=max(item.repeats, most.get(item.key, 0))) for item in plan.planned)
    return replace(plan, planned=planned)


def run_of(case: Case, key: str) -> str:
    """The case's folder below the folder of runs, as jobs name it."""
    return "/".join((*case.names, key))


def order_of(plan: Plan) -> list[Task]:
    """Every boot the plan may come to, in its order."""
    return list(phases(widest(plan))[1])


def placed(plan: Plan, machines: Sequence[Machine], *, worded: bool) -> Placed:
    """The jobs of the plan, on the places of these machines; their names have words, or a number alone."""
    _, tasks, collected = phases(widest(plan))
    cases = _cases(plan.planned, machines, worded=worded)
    looks = _looks(plan)
    numbers = sorted({task.repeat for task in tasks})
    places = list(_places(plan, machines, {case.place for case in cases.values()}))
    rounds = {(place.name, number): _round(place, number, limits) for place, limits in places for number in numbers}
    collecting = {place.name: _collecting(place, limits) for place, limits in places}
    fixed = {item.key: item.repeats for item in plan.planned}
    rounds_of: dict[str, list[int]] = {}
    for task in tasks:
        rounds_of.setdefault(task.key, []).append(task.repeat)
    return Placed(
        stages=tuple(_stages(numbers, looks)),
        places=tuple(place for place, _ in places),
        turns=(*rounds.values(), *collecting.values()),
        looks=looks,
        cases=tuple(cases.values()),
        jobs=(
            *(
                _traffic(cases[task.key], rounds[cases[task.key].place, task.repeat], _heeds(task, fixed, looks))
                for task in tasks
            ),
            *(_collect(cases[task.key], collecting[cases[task.key].place], rounds_of[task.key]) for task in collected),
        ),
        collect=tuple(cases[task.key].job("collect") for task in collected),
    )


def _cases(planned: Sequence[Planned], machines: Sequence[Machine], *, worded: bool) -> dict[str, CaseJobs]:
    """By the cases' keys; a machine's places take its cases in turns."""
    places = {machine.name: machine.runner.places for machine in machines}
    words = _words([item.case for item in planned]) if worded else [""] * len(planned)
    seen: dict[str, int] = {}
    found = {}
    for number, (item, said) in enumerate(zip(planned, words, strict=True), 1):
        machine = item.case.hardware.name
        seen[machine] = seen.get(machine, 0) + 1
        found[item.key] = CaseJobs(
            number=number,
            place=_place_name(machine, places[machine], seen[machine]),
            run=run_of(item.case, item.key),
            words=said,
        )
    return found


def _words(cases: Sequence[Case]) -> list[str]:
    """The names of each case on the axes where they differ, but for the patch `none`; cut where they are long."""
    telling = [axis for place, axis in enumerate(AXES) if len({case.names[place] for case in cases}) > 1]
    named = ([(axis, getattr(case, axis).name) for axis in telling or ["firewall"]] for case in cases)
    return [_cut("/".join(name for axis, name in names if (axis, name) != ("patch", "none"))) for names in named]


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."


def _place_name(machine: str, places: int, turn: int) -> str:
    return machine if places == 1 else f"{machine}/{(turn - 1) % places + 1}"


def _looks(plan: Plan) -> tuple[Look, ...]:
    """The last look of a campaign decides nothing, and needs no job."""
    rounds = {after for campaign in plan.campaigns if campaign.adaptive for after in campaign.looks[:-1]}
    return tuple(Look(after=after) for after in sorted(rounds))


def _stages(rounds: Iterable[int], looks: Sequence[Look]) -> Iterator[str]:
    by_round = {look.after: look for look in looks}
    for number in rounds:
        yield f"round {number}"
        if number in by_round:
            yield by_round[number].name
    yield "collect"


def _heeds(turn: Task, fixed: Mapping[str, int], looks: Sequence[Look]) -> Look | None:
    """The look whose word a round needs; None for a round that is always measured."""
    if turn.repeat <= fixed[turn.key]:
        return None
    return [look for look in looks if look.after < turn.repeat][-1]


def _traffic(case: CaseJobs, turns: Turns, look: Look | None) -> Job:
    templates = (case.template, turns.template)
    return Job(
        name=case.job(turns.stage),
        templates=(*templates, look.template) if look else templates,
        after=(PLAN, case.first, look.name) if look else (),
    )


def _collect(case: CaseJobs, turns: Turns, rounds: Iterable[int]) -> Job:
    return Job(
        name=case.job(turns.stage),
        templates=(case.template, turns.template),
        after=(PLAN, *(case.job(f"round {number}") for number in rounds)),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Patience:
    """How long jobs on a place may take."""

    first: Timeout  # of round 1, which prepares the case
    round: Timeout
    collect: Timeout


def _places(plan: Plan, machines: Sequence[Machine], used: set[str]) -> Iterator[tuple[Place, _Patience]]:
    timed = {item.machine.name: item for item in plan.machines}
    number = 0
    built = {item.case.hardware.name for item in plan.planned if item.case.revision.kind.built}
    for machine in machines:
        for turn in range(1, machine.runner.places + 1):
            name = _place_name(machine.name, machine.runner.places, turn)
            if name in used:
                number += 1
                place = Place(name=name, number=number, tags=machine.runner.tags)
                yield place, _patience(timed[machine.name], machine.name in built)


def _patience(item: MachinePlan, builds: bool) -> _Patience:
    """A search may take all the trials that its goal allows; a profile is one boot."""
    boot_s = _BOOT_HANGS_S + 4 * item.boot_s
    round_s = boot_s + item.longest_s - item.boot_s
    if round_s > _LONGEST_JOB_S:
        raise MatrixError(
            f"{item.machine.name}: a repeat may take {units.duration_text(round_s)}, and GitLab ends a job after "
            f"{units.duration_text(_LONGEST_JOB_S)}; lower 'trials' or 'final' of its searches"
        )
    return _Patience(
        first=_timeout(round_s + _PREPARE_S + builds * _BUILD_S),
        round=_timeout(round_s),
        collect=_timeout(2 * boot_s),
    )


def _timeout(script_s: float) -> Timeout:
    """Whole minutes, as GitLab and its runner read them."""
    script, job = (math.ceil(seconds / 60) for seconds in (script_s, script_s + _SPARE_S))
    return Timeout(script=f"{script}m", job=f"{job} minutes")


def _round(place: Place, number: int, patience: _Patience) -> Turns:
    timeout = patience.first if number == 1 else patience.round
    return Turns(place=place, stage=f"round {number}", repeat=number, timeout=timeout)


def _collecting(place: Place, patience: _Patience) -> Turns:
    return Turns(place=place, stage="collect", repeat=0, timeout=patience.collect)
