"""Records of one case become a sample: the values of the trials that pass every gate, and a reason for each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.idle import idle_fault
from fwdlab.analyse.result import Sample
from fwdlab.profiles.folded import Profile
from fwdlab.records.model import Label, Record

_METRICS = {
    Label.FRMOL: "forwarded",
    Label.FR: "forwarded_at_load",
    Label.CURVE: "loss_curve",
    Label.THROUGHPUT: "throughput",
    Label.NDR: "ndr",
    Label.PDR: "pdr",
    Label.ESTABLISHMENT: "establishment_rate",
    Label.CAPACITY: "table_capacity",
}


def sample_of(records: Sequence[Record], profile: Profile | None = None) -> Sample:
    """The values of a case's trials in the order they were measured; with the case's profile, where known."""
    ordered = sorted(records, key=lambda record: record.trial.repeat)
    faults = {record.trial.repeat: tuple(_faults(record, profile)) for record in ordered}
    return Sample(
        names=ordered[0].names,
        key=ordered[0].key,
        metric=_METRICS[ordered[0].label],
        values=tuple(_values(record for record in ordered if not faults[record.trial.repeat])),
        invalid=tuple(f"repeat-{repeat}: {'; '.join(said)}" for repeat, said in faults.items() if said),
        goal=_goal(ordered[0]),
    )


def _goal(record: Record) -> str:
    if record.searched:
        return record.searched.goal
    return "" if record.trial.intended_pps is None else f"{record.trial.intended_pps:.0f} pps"


def _values(records: Iterable[Record]) -> Iterator[float]:
    return (record.value for record in records if record.value is not None)


def _faults(record: Record, profile: Profile | None) -> Iterator[str]:
    yield from faults_of(record)
    if fault := idle_fault(record, profile):
        yield fault
