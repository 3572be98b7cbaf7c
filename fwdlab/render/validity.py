"""How a campaign's trials and cases stand against each validity gate, for the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fwdlab.analyse.ceiling import CEILING_SHARE, ceilings
from fwdlab.analyse.gates import GATES, HISTORY, Gate
from fwdlab.analyse.idle import SATURATION, SATURATION_ASKS, idle_fault
from fwdlab.analyse.result import CampaignResult
from fwdlab.case import AXES
from fwdlab.profiles.folded import MOST_IDLE
from fwdlab.profiles.idle import idle_reason
from fwdlab.records.model import Record
from fwdlab.render import words
from fwdlab.render.model import CaseReport, Fault, GateReport

_HARDWARE = AXES.index("hardware")
_CEILING_ASKS = (
    f"No two firewalls meet at one value, each steadier than {words.plain_percent(CEILING_SHARE)} "
    "of the machine's noise floor."
)
_IDLE_ASKS = f"At most {words.plain_percent(MOST_IDLE)} of the profile is idle; else it says nothing about the DUT."

_Names = tuple[str, ...]
_Told = tuple[_Names, str, str | None]  # case, trial, and what the gate said: a reason, empty where it passes, None


def gate_reports(
    records: Sequence[Record], result: CampaignResult, cases: Sequence[CaseReport]
) -> tuple[GateReport, ...]:
    """A report for each gate: those of single trials, then those that take a whole case to judge."""
    gates = (*GATES, HISTORY) if any(record.withdrawn for record in records) else GATES
    return (
        *(_report(gate.name, gate.asks, "trials", _trials(records, gate)) for gate in gates),
        _report(SATURATION, SATURATION_ASKS, "trials", _saturation(records, cases)),
        _report("ceiling", _CEILING_ASKS, "cases", _ceiling(result)),
        _report("profile", _IDLE_ASKS, "cases", _idle(cases)),
    )


def _report(name: str, asks: str, unit: str, told: Iterator[_Told]) -> GateReport:
    everything = list(told)
    return GateReport(
        name=name,
        asks=asks,
        unit=unit,
        passed=sum(reason == "" for *_, reason in everything),
        untold=sum(reason is None for *_, reason in everything),
        faults=tuple(Fault(names=names, trial=trial, reason=reason) for names, trial, reason in everything if reason),
    )


def _trials(records: Sequence[Record], gate: Gate) -> Iterator[_Told]:
    return ((record.names, f"repeat-{record.trial.repeat}", gate.reason(record)) for record in records)


def _saturation(records: Sequence[Record], cases: Sequence[CaseReport]) -> Iterator[_Told]:
    profiles = {case.names: case.profile for case in cases}
    return (
        (record.names, f"repeat-{record.trial.repeat}", idle_fault(record, profiles.get(record.names)))
        for record in records
    )


def _ceiling(result: CampaignResult) -> Iterator[_Told]:
    machines = ((item.new.names[_HARDWARE], item.noise_floor) for item in result.comparisons)
    floors = {machine: floor for machine, floor in machines if floor is not None}
    found = ceilings(result.samples, floors)
    return ((sample.names, "", found.get(sample.key)) for sample in result.samples)


def _idle(cases: Sequence[CaseReport]) -> Iterator[_Told]:
    return ((case.names, "profile", idle_reason(case.profile) if case.profile else None) for case in cases)
