"""Records of one case become a sample: the values of the trials that pass every gate, and a reason for each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.idle import idle_fault
from fwdlab.analyse.result import Sample
from fwdlab.profiles.folded import Profile
from fwdlab.records.model import Record


def sample_of(records: Sequence[Record], profile: Profile | None = None) -> Sample:
    """The forwarding rates of a case's trials in the order they were measured; with the case's profile, where known."""
    ordered = sorted(records, key=lambda record: record.trial.repeat)
    faults = {record.trial.repeat: tuple(_faults(record, profile)) for record in ordered}
    return Sample(
        names=ordered[0].names,
        key=ordered[0].key,
        metric="forwarded",
        values=tuple(_rates(record for record in ordered if not faults[record.trial.repeat])),
        invalid=tuple(f"repeat-{repeat}: {'; '.join(said)}" for repeat, said in faults.items() if said),
    )


def _rates(records: Iterable[Record]) -> Iterator[float]:
    return (record.trial.forwarded_pps for record in records if record.trial.forwarded_pps is not None)


def _faults(record: Record, profile: Profile | None) -> Iterator[str]:
    yield from faults_of(record)
    if fault := idle_fault(record, profile):
        yield fault
