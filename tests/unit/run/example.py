"""Plans of a few cases, for tests to carry out."""

from __future__ import annotations

from pathlib import Path

from fwdlab.case import Case, Lab
from fwdlab.matrix.plan import Plan, Planned
from fwdlab.run.tasks import Outcome, Step, Task
from tests.unit.records.example import case

FAKE_LAB = Path(__file__).parents[2] / "fakes" / "lab"
FINE = Outcome(status=0, message="", seconds=0.0)


def outcome(status: int, message: str = "it broke; mend it") -> Outcome:
    return Outcome(status=status, message=message, seconds=0.0)


def task(of: Case | None = None, step: Step = Step.TRAFFIC, repeat: int = 1, order: int = 1) -> Task:
    of = of or case()
    numbered = step is Step.TRAFFIC
    return Task(step=step, case=of, key=of.key, repeat=repeat if numbered else 0, order=order if numbered else 0)


def plan(*cases: Case, repeats: int = 2, done: frozenset[int] = frozenset(), profiled: bool = False) -> Plan:
    planned = tuple(Planned(case=of, key=of.key, repeats=repeats, done=done, profiled=profiled) for of in cases)
    return Plan(origin="matrix.yaml", seed=1, planned=planned, machines=(), campaigns=(), notes=())


def machine(name: str) -> Case:
    """A case of a machine that stands in a real lab."""
    return case(hardware=name, lab=Lab.SSH)
