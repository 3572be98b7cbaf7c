"""Validity gates: what makes a trial say nothing about the DUT. Each gives its reason, or nothing."""

from __future__ import annotations

from collections.abc import Callable

from fwdlab.records.model import Record

_LOAD_SHORTFALL = 0.01  # of the intended load that a sender may lack
_STRAY_FRAMES = 0.001  # of the frames that may be none of ours, such as neighbour discovery


def faults_of(record: Record) -> tuple[str, ...]:
    """Why the trial is invalid, a reason for each gate it does not pass; empty where it is valid."""
    return tuple(reason for gate in GATES if (reason := gate(record)))


def sender_below_load(record: Record) -> str:
    """The sender could not offer what was asked: the DUT was not tried."""
    intended, offered = record.trial.intended_pps, record.trial.offered_pps
    if intended is None or offered >= intended * (1 - _LOAD_SHORTFALL):
        return ""
    return f"sender offered {offered:.6g} pps of {intended:.6g} pps; the trial says nothing about the DUT"


def sender_errors(record: Record) -> str:
    """Frames the sender itself could not send."""
    errors = sum(item.errors for item in record.series)
    return f"sender could not send {errors} frames; look at its interface" if errors else ""


def silent_slices(record: Record) -> str:
    """Parts of the trial in which nothing was sent."""
    silent = sum(item.packets == 0 for item in record.series)
    return f"nothing was sent in {silent} of {len(record.series)} parts of the trial" if silent else ""


def nothing_received(record: Record) -> str:
    """A path that forwards nothing."""
    return "" if record.trial.forwarded_pps > 0 else "the receiver saw no frame; look at routes, rules and cables"


def counters_disagree(record: Record) -> str:
    """Frames that vanish or appear between two hops, where nothing but a cable is."""
    sent = sum(item.packets for item in record.series)
    stretches = (
        ("sender and DUT", sent, record.counted("dut:d0", "rx_packets"), record.counted("dut:cpu", "softnet_dropped")),
        ("DUT and receiver", record.counted("dut:d1", "tx_packets"), record.counted("receiver:sink", "rx_packets"), 0),
    )
    for between, into, out_of, dropped in stretches:
        if into is None or out_of is None:
            continue
        missing = into - out_of - (dropped or 0)
        if abs(missing) > sent * _STRAY_FRAMES:
            what = f"{missing} frames vanish" if missing > 0 else f"{-missing} frames appear"
            return f"{what} between {between}, of {sent} sent; the counters do not add up"
    return ""


GATES: tuple[Callable[[Record], str], ...] = (
    sender_below_load,
    sender_errors,
    silent_slices,
    nothing_received,
    counters_disagree,
)
