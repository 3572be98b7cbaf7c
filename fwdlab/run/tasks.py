"""What a plan comes to in calls of the runner scripts: prepare every case, offer the rounds, collect every case."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fwdlab.case import Case, Lab
from fwdlab.matrix.plan import Plan, schedule


class Step(StrEnum):
    """A runner script, by the name it has without `.sh`."""

    PREPARE = "prepare"
    TRAFFIC = "traffic"
    COLLECT = "collect"


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One call of one runner script."""

    step: Step
    case: Case
    key: str
    repeat: int  # 0 where the step has none
    order: int  # place among all boots of the plan, from 1; 0 where the step is none

    @property
    def folder(self) -> str:
        """What the step adds to its run folder, once it is whole."""
        return {Step.PREPARE: "prepare", Step.TRAFFIC: f"repeat-{self.repeat}", Step.COLLECT: "profile"}[self.step]

    @property
    def lane(self) -> str:
        """Tasks of one lane share its places: a machine has one, the virtual lab as many as it is given."""
        match self.case.hardware.lab:
            case Lab.QEMU:
                return ""
            case Lab.NETNS:
                return self.case.hardware.lab  # all its machines are this host
        return dict(self.case.hardware.access).get("dut.host", self.case.hardware.name)  # entries may share a DUT

    @property
    def alone(self) -> bool:
        """Whether other work on this host would change the result."""
        return self.case.hardware.lab is Lab.NETNS


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """How a call ended: the script's exit status and the last thing it said."""

    status: int
    message: str
    seconds: float


def phases(plan: Plan) -> tuple[tuple[Task, ...], ...]:
    """The tasks in three phases, each to be done before the next begins.

    The middle one holds the rounds one after the other. A case with nothing left to measure takes no part.
    """
    open_cases = [item for item in plan.planned if item.left or not item.profiled]
    turns = [turn for turns in schedule(plan) for turn in turns]
    return (
        tuple(_task(Step.PREPARE, item.case, item.key) for item in open_cases),
        tuple(
            _task(Step.TRAFFIC, turn.planned.case, turn.planned.key, turn.repeat, order)
            for order, turn in enumerate(turns, 1)
        ),
        tuple(_task(Step.COLLECT, item.case, item.key) for item in open_cases),
    )


def _task(step: Step, case: Case, key: str, repeat: int = 0, order: int = 0) -> Task:
    return Task(step=step, case=case, key=key, repeat=repeat, order=order)
