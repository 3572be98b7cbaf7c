"""What a matrix comes to before any hardware is touched: boots, lab time, what is measured already, and the order.

Pure: what was measured and how long a boot takes are arguments, and so is the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fwdlab import units
from fwdlab.campaign import Campaign
from fwdlab.case import Case, Lab
from fwdlab.errors import MatrixError
from fwdlab.matrix.by_seconds import counts_seconds
from fwdlab.matrix.campaigns import campaigns_of
from fwdlab.matrix.model import Machine, Matrix, Names
from fwdlab.matrix.notes import notes_of
from fwdlab.search.cost import ONE_TRIAL, cost_of
from fwdlab.search.goal import parse_program

_ASSUMED_BOOT_S = {Lab.QEMU: 6.0, Lab.NETNS: 5.0, Lab.SSH: 300.0}  # until a boot of the machine was timed
_HOST_S = {Lab.QEMU: 15.0, Lab.NETNS: 1.0, Lab.SSH: 1.0}  # for a second of a trial
_AROUND_S = {Lab.NETNS: 1.0, Lab.SSH: 10.0}  # a further trial of a repeat, where nothing is booted for it
_PORTS_S = 15.0  # that a generator which takes its ports from the system, and reports once a second, needs besides


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """What earlier runs left in the folder of results."""

    done: Mapping[str, frozenset[int]]  # numbers of the measured repeats by the case's key
    profiled: frozenset[str]  # keys of the cases that have a profile
    boot_s: Mapping[str, float]  # mean seconds a boot with its trial took, by the machine's name


NO_HISTORY = History(done={}, profiled=frozenset(), boot_s={})


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A case and what is still to be measured of it."""

    case: Case
    key: str
    repeats: int
    done: frozenset[int]  # numbers of the repeats that are measured, from 1
    profiled: bool

    @property
    def left(self) -> tuple[int, ...]:
        """The numbers of the repeats that are not measured yet."""
        return tuple(number for number in range(1, self.repeats + 1) if number not in self.done)


@dataclass(frozen=True, kw_only=True, slots=True)
class MachinePlan:
    """What one machine has to do. A boot is one repeat or one profile."""

    machine: Machine
    cases: int
    repeats: int
    repeats_left: int
    profiles_left: int
    boot_s: float
    boot_timed: bool  # by earlier runs; False: assumed
    left_s: float  # lab time, one boot after the other
    most_s: float  # the same where every search takes all the trials that its goal allows
    longest_s: float  # of one repeat, likewise, with trials that are slow


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """A matrix in numbers: what `fwdlab plan` shows and `fwdlab run` carries out."""

    origin: str
    seed: int
    planned: tuple[Planned, ...]  # in the order of the cases
    machines: tuple[MachinePlan, ...]  # those that have a case, in the order of the file
    campaigns: tuple[Campaign, ...]
    notes: tuple[str, ...]  # what is no fault, but worth a thought before hours of lab time


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One boot to do: this case, as this repeat."""

    planned: Planned
    repeat: int


def make_plan(matrix: Matrix, cases: Sequence[Case], history: History = NO_HISTORY) -> Plan:
    """The plan for these cases of the matrix, or some of them."""
    keys = {case.names: case.key for case in cases}
    campaigns = campaigns_of(matrix, keys)
    repeats = _repeats_by_case(campaigns)
    planned = tuple(
        Planned(
            case=case,
            key=key,
            repeats=repeats.get(names, matrix.repeats),
            done=history.done.get(key, frozenset()),
            profiled=key in history.profiled,
        )
        for case, (names, key) in zip(cases, keys.items(), strict=True)
    )
    return Plan(
        origin=matrix.origin,
        seed=matrix.seed,
        planned=planned,
        machines=tuple(_machine_plans(matrix.machines, planned, history.boot_s)),
        campaigns=campaigns,
        notes=notes_of(matrix, tuple(keys), campaigns),
    )


def _repeats_by_case(campaigns: Sequence[Campaign]) -> dict[Names, int]:
    """The most repeats that any campaign asks of a case."""
    asked: dict[Names, int] = {}
    for campaign in campaigns:
        for member in campaign.members:
            asked[member.names] = max(campaign.repeats, asked.get(member.names, 0))
    return asked


def _machine_plans(
    machines: Sequence[Machine], planned: Sequence[Planned], boot_s: Mapping[str, float]
) -> Iterator[MachinePlan]:
    by_machine: dict[str, list[Planned]] = {}
    for item in planned:
        by_machine.setdefault(item.case.hardware.name, []).append(item)
    for machine in machines:
        if ours := by_machine.get(machine.name):
            timed = boot_s.get(machine.name, _ASSUMED_BOOT_S[machine.lab])
            profiles = sum(not item.profiled for item in ours)
            lengths = [(item, *_lengths_s(item.case, timed)) for item in ours]
            yield MachinePlan(
                machine=machine,
                cases=len(ours),
                repeats=sum(item.repeats for item in ours),
                repeats_left=sum(len(item.left) for item in ours),
                profiles_left=profiles,
                boot_s=timed,
                boot_timed=machine.name in boot_s,
                left_s=profiles * timed + sum(len(item.left) * usual_s for item, usual_s, _, _ in lengths),
                most_s=profiles * timed + sum(len(item.left) * most_s for item, _, most_s, _ in lengths),
                longest_s=max(longest_s for _, _, _, longest_s in lengths),
            )


def repeat_s(case: Case, boot_s: float) -> float:
    """Seconds that a repeat of the case takes, as a plan reckons."""
    return _lengths_s(case, boot_s)[0]


def _lengths_s(case: Case, boot_s: float) -> tuple[float, float, float]:
    """Seconds that a repeat takes as a rule, with all trials that it may have, and with all of them slow.

    It is a boot with its trial, or several: each a boot again, but in the native lab and on real machines.
    """
    traffic, lab = case.traffic, case.hardware.lab
    cost = cost_of(parse_program(traffic.load, traffic.goal)) if traffic.goal else ONE_TRIAL
    around_s = _around_s(case, boot_s)
    each_s = _HOST_S[lab] * cost.trial_s + around_s
    slow_s = _HOST_S[lab] * cost.longest_s + (around_s if lab is Lab.SSH else boot_s)
    usual, most = cost.usual - 1, cost.most - 1
    return boot_s + usual * each_s, boot_s + most * each_s, boot_s + most * slow_s


def _around_s(case: Case, boot_s: float) -> float:
    """Seconds of a further trial beside its load: a boot, or reading and waiting; on real machines a warm-up."""
    settings, lab = dict(case.hardware.settings), case.hardware.lab
    warmup_s = int(settings.get("trial.warmup_ms", 0)) / 1000 if lab is Lab.SSH else 0.0
    return _AROUND_S.get(lab, boot_s) + warmup_s + _PORTS_S * counts_seconds(settings)


def refuse_above(plan: Plan, cap_s: float | None) -> None:
    """MatrixError where a machine needs more lab time than the cap."""
    over = [item for item in plan.machines if cap_s is not None and item.left_s > cap_s]
    if over and cap_s is not None:
        cap = units.duration_text(cap_s)
        raise MatrixError(
            "\n".join(
                f"{plan.origin}: {item.machine.name} needs {units.duration_text(item.left_s)} of lab time, "
                f"the cap is {cap}; select fewer cases or raise it with --cap"
                for item in over
            )
        )


def schedule(plan: Plan) -> Iterator[tuple[Turn, ...]]:
    """The boots that are left, round after round: repeat 1 of every case, then repeat 2, ...

    The order inside a round follows from the seed and the round alone, whatever is measured already: a run that was
    cut off goes on in the order it had.
    """
    for number in range(1, max((item.repeats for item in plan.planned), default=0) + 1):
        taking_part = [item for item in plan.planned if item.repeats >= number]
        random.Random(f"{plan.seed}:{number}").shuffle(taking_part)  # noqa: S311 - an order, no secret
        yield tuple(Turn(planned=item, repeat=number) for item in taking_part if number not in item.done)
