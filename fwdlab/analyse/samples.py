"""Records of one case become a sample: the values of the trials that pass every gate, and a reason for each other."""

from __future__ import annotations

from collections.abc import Sequence

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.result import Sample
from fwdlab.records.model import Record


def sample_of(records: Sequence[Record]) -> Sample:
    """The forwarding rates of a case's trials in the order they were measured."""
    ordered = sorted(records, key=lambda record: record.trial.repeat)
    faults = {record.trial.repeat: faults_of(record) for record in ordered}
    return Sample(
        names=ordered[0].names,
        key=ordered[0].key,
        metric="forwarded",
        values=tuple(record.trial.forwarded_pps for record in ordered if not faults[record.trial.repeat]),
        invalid=tuple(f"repeat-{repeat}: {'; '.join(said)}" for repeat, said in faults.items() if said),
    )
