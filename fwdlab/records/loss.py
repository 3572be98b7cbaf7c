"""The loss of a trial that a search or a curve makes.

Where sender and DUT share a processor, what was due at the intended load and did not come through is lost, whether the
path dropped it or the sender had no time to send it: a frame that waits for the DUT is never sent (RFC 9971 recommends
that a load which falls short be counted as loss). A batch more or less is no loss. Where they are machines of their
own, loss is what the sender sent and the receiver did not see.
"""

from __future__ import annotations

from fwdlab.records.model import GENERATED
from fwdlab.records.raw import Result
from fwdlab.records.reduce import differences

LATE_BATCHES = 2  # at either end of the trial's time one may be under way


def loss_of(result: Result, intended: int, batch: int, *, alone: bool) -> float:
    """The share of the frames due at the intended load that did not come through, 0..1; if alone, of those sent.

    A sender is alone that shares no processor with the DUT.
    """
    measured = result.phase("measured")
    sent, time_s = sum(item.packets for item in measured), sum(item.duration_s for item in measured)
    counters = differences(result.counters)
    generated = counters.get(GENERATED[0], {}).get(GENERATED[1]) or sent
    received = counters.get("receiver:sink", {}).get("rx_packets", 0)
    lost = max(0, generated - received) / max(1, generated)
    if alone:
        return lost
    due = intended * time_s
    waiting = max(len(measured), LATE_BATCHES * batch)  # at the end of each slice a frame may be due
    unsent = due - sent if due - sent > waiting else 0.0
    return min(1.0, max(0.0, unsent + lost * sent) / due)
