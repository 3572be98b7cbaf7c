"""An elementary test of a state table (RFC 9693): what was made, what was kept, and what that is to a search.

A connection was established where its frame came through, and validated where its answer came back through its state.
Every one of the N must be. Where the establishment rate is looked for and sender and DUT share a processor, connections
that were due and not offered in time are missing as well, as in any other search (`loss.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from fwdlab.errors import RecordError
from fwdlab.records.loss import LATE_BATCHES
from fwdlab.records.model import ElementaryTest
from fwdlab.records.raw import AGAIN, Result
from fwdlab.records.reduce import counted, differences
from fwdlab.search.bounds import Tried
from fwdlab.search.connections import Measure

MEASURE, ANSWERS = "trial.measure", "trial.answers"  # lines that a test's case has beside those of the case
_COUNTS = {"entries": "entries", "early_drops": "early_drop", "refused": "drop"}


def test_of(said: Mapping[str, str], result: Result, origin: str) -> ElementaryTest:
    """What one test made and kept; of the lines that its case and its lab say."""
    measured = result.phase("measured")
    offered = sum(item.packets for item in measured)
    if not offered:
        raise RecordError(f"{origin}: holds no connection that was made; {AGAIN}")
    load, counters = said.get("traffic.load", ""), differences(result.counters)
    told = counters.get("dut:table", {})
    return ElementaryTest(
        states=offered,
        intended_pps=float(load) if load.isdecimal() else None,
        offered_pps=offered / sum(item.duration_s for item in measured),
        established=counted(counters, "receiver:sink", "rx_packets", origin),
        answered=sum(item.packets for item in result.phase("validation")),
        validated=counted(counters, "sender:sink", "rx_packets", origin),
        **{field: told.get(counter) for field, counter in _COUNTS.items()},
    )


def tried_of(measure: str, test: ElementaryTest, *, alone: bool, batch: int) -> Tried:
    """The test as a trial of a search: of a rate, or of a number of connections; the sender may be a machine alone."""
    kept = min(test.established, test.validated)
    missing = max(0, test.states - kept)
    share = min(1.0, missing / test.states)
    rate = test.offered_pps * (1 - share)
    duration_s = test.states / test.offered_pps
    if test.intended_pps is None and measure == Measure.CAPACITY:
        came = test.offered_pps * min(1.0, test.established / test.states)  # the table may be smaller than this test
        return Tried(load=None, duration_s=duration_s, forwarded_pps=came, loss=0.0)
    if test.intended_pps is None:
        return Tried(load=None, duration_s=duration_s, forwarded_pps=rate, loss=0.0)
    if measure == Measure.CAPACITY:
        return Tried(load=test.states, duration_s=duration_s, forwarded_pps=rate, loss=share)
    late = 0.0 if alone else _late(test, test.intended_pps, batch)
    loss = min(1.0, (missing + late) / test.states)
    return Tried(load=round(test.intended_pps), duration_s=duration_s, forwarded_pps=rate, loss=loss)


def _late(test: ElementaryTest, intended_pps: float, batch: int) -> float:
    """Connections that were not offered when the last one was due; those under way are none of them."""
    late = test.states * (1 - test.offered_pps / intended_pps)
    return late if late > LATE_BATCHES * batch else 0.0
