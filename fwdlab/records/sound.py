"""What makes a trial say nothing about the DUT, by what its sender and the hops counted.

Each question has its reason for an answer, empty where the trial is sound, None where it does not tell. The gates ask
them of a record, and a search of each of its trials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fwdlab.records.model import GENERATED, Slice

Counters = Mapping[str, Mapping[str, int]]  # by hop, by counter: after less before

_LEAST_ATTACK_PERCENT = 99  # of what was due while the load was offered
STRAY_ONE_IN = 1000  # frames one may be none of ours, such as neighbour discovery


def reasons_of(series: Sequence[Slice], counters: Counters) -> Iterator[str]:
    """Why the trial does not count; nothing where it is sound."""
    sent = counters.get(GENERATED[0], {}).get(GENERATED[1]) or sum(item.packets for item in series)
    told = (
        sender_errors(series, sent),
        weak_attack(counters),
        link_changes(counters),
        silent_parts(series),
        disagreement(counters, sent),
    )
    yield from filter(None, told)


def sender_errors(series: Sequence[Slice], sent: int) -> str | None:
    """Whether the sender could send every frame."""
    if not series:
        return None
    errors = sum(item.errors for item in series)
    return f"sender could not send {frames(errors)} beside {sent} sent; look at its interface" if errors else ""


def weak_attack(counters: Counters) -> str | None:
    """Whether a second sender attacked with what it was told."""
    attack = counters.get("attacker:generator", {})
    due, sent = attack.get("due_packets"), attack.get("tx_packets", 0)
    if due is None:
        return None
    if sent * 100 >= due * _LEAST_ATTACK_PERCENT:
        return ""
    return f"attacker sent {frames(sent)} of at least {due}; look at its processor and link, or attack with less"


def link_changes(counters: Counters) -> str | None:
    """Whether every interface kept its carrier."""
    told = [(hop, values["carrier_changes"]) for hop, values in counters.items() if "carrier_changes" in values]
    if not told:
        return None
    changed = [f"{hop} {count} {'time' if count == 1 else 'times'}" for hop, count in told if count]
    return f"the link changed: {', '.join(changed)}; look at cable and port" if changed else ""


def silent_parts(series: Sequence[Slice]) -> str | None:
    """Whether something was sent in every part of the trial."""
    if not series:
        return None
    silent = sum(item.packets == 0 for item in series)
    if silent == 0:
        return ""
    return f"nothing was sent (0 pps) in {silent} of {len(series)} parts of the trial; look at the sender's log"


def disagreement(counters: Counters, sent: int) -> str | None:
    """Whether both ends of every cable counted the same."""

    def counted(hop: str, counter: str) -> int | None:
        return counters.get(hop, {}).get(counter)

    queues = (("dut:cpu", "softnet_dropped"), ("dut:d0", "rx_dropped"))  # the DUT's own, before it counts the frame
    dropped = sum(counted(*queue) or 0 for queue in queues)
    attack = counted("attacker:generator", "tx_packets") or 0
    control = counted("sender:generator", "control_packets") or 0  # that a generator sends beside the load
    sunk = counted("receiver:sink", "rx_packets")
    if sunk is not None:
        sunk += (counted("receiver:attack", "rx_packets") or 0) + control
    left, unwrapped = counted("dut:d1", "tx_packets"), counted("reference:e1", "tx_packets")
    wrapped = counted("reference:e0", "rx_packets")
    last = ("DUT", left) if unwrapped is None else ("reference endpoint", unwrapped)
    stretches = (
        ("between sender and DUT", sent + attack + control, counted("dut:d0", "rx_packets"), dropped),
        ("between DUT and reference endpoint", left, wrapped, 0),
        ("in the reference endpoint", wrapped, unwrapped, 0),
        (f"between {last[0]} and receiver", last[1], sunk, 0),
    )
    told = [(where, into - out, lost) for where, into, out, lost in stretches if into is not None and out is not None]
    reasons = (_stretch_reason(where, missing, lost, sent) for where, missing, lost in told)
    return "; ".join(filter(None, reasons)) if told else None


def _stretch_reason(where: str, missing: int, dropped: int, sent: int) -> str:
    """What vanished or appeared, where it is too much; so many frames may have been `dropped` on the way."""
    stray = max(missing - dropped, 0) or min(missing, 0)
    if abs(stray) * STRAY_ONE_IN <= sent:
        return ""
    verb = "vanish" if stray > 0 else "appear"
    count = f"{frames(abs(stray))} {verb}{'s' if abs(stray) == 1 else ''} {where}, of {sent} sent"
    return f"{count}; look at the interfaces' own counts of drops, and at what else sends"


def frames(count: int) -> str:
    """So many frames, in words."""
    return f"{count} {'frame' if count == 1 else 'frames'}"
