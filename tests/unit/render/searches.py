"""Loss curves as records, for tests of pages and graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

from fwdlab.analyse.result import CampaignResult
from fwdlab.records.model import Label, Record, TriedLoad
from tests.unit.analyse.records import record, searched, with_trial

SHARES = (None, 0.5, 0.9, 1.0, 1.1, 1.3)


def curve_records(result: CampaignResult) -> Iterator[Record]:
    """Three repeats of a loss curve for every sample, its knee at the sample's mean."""
    for sample in result.samples:
        most = fmean(sample.values)
        for repeat in (1, 2, 3):
            yield curve(sample.names, most * (1 + repeat / 1000), repeat)


def curve(names: tuple[str, ...], most: float, repeat: int = 1) -> Record:
    """A loss curve of shares of what a DUT forwards at most."""
    empty = searched(label=Label.CURVE, goal="at 50, 90, 100, 110, 130 %")
    assert empty.searched is not None
    tried = tuple(_tried(None if share is None else round(share * most), most) for share in SHARES)
    found = replace(empty.searched, lower_pps=None, upper_pps=None, trials=tried)
    trial = with_trial(record(), repeat=repeat, intended_pps=round(SHARES[-1] * most), forwarded_pps=most).trial
    trial = replace(trial, offered_pps=trial.intended_pps)
    return replace(empty, names=names, searched=found, trial=trial)


def _tried(load: int | None, most: float) -> TriedLoad:
    came = most if load is None else min(load, most)
    loss = 0.0 if load is None else 1 - came / load
    return TriedLoad(intended_pps=load, duration_s=1.0, offered_pps=came, forwarded_pps=came, loss_ratio=loss)
