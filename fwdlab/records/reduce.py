"""From what a lab counted to rates: a trial's offered and forwarded packets a second, and what every hop counted.

A trial's offered load is the 20 % trimmed mean of its slices' rates: the fastest and the slowest fifth of the slices
are left out of it, and stay visible in the series. So a slice in which the kernel put its work off does not move the
figure (it would move a mean), nor does whether a timer tick more or less fell into a slice (it would move a median).
The forwarding rate is that share of the load which the receiver's ingress counted over the whole trial; a sender that
is under way before the first slice and after the last one counts its frames itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from fwdlab.errors import RecordError
from fwdlab.records.model import GENERATED
from fwdlab.records.raw import AGAIN, Counted, Result

_TRIMMED = 0.2  # share of the slices left out at either end


def rates_of(result: Result, origin: str) -> tuple[float, float]:
    """Offered and forwarded packets a second of one result."""
    measured = result.phase("measured")
    if not measured:
        raise RecordError(f"{origin}: holds no measured sample; {AGAIN}")
    offered = _trimmed_mean([item.pps for item in measured])
    counters = differences(result.counters)
    received = counted(counters, "receiver:sink", "rx_packets", origin)
    hop, counter = GENERATED
    sent = counters.get(hop, {}).get(counter) or sum(item.packets for item in measured)
    return offered, offered * received / max(1, sent)


def differences(counters: Sequence[Counted]) -> dict[str, dict[str, int]]:
    """After less before, by hop and counter."""
    before = {(item.hop, item.counter): item.value for item in counters if item.moment == "before"}
    found: dict[str, dict[str, int]] = {}
    for item in counters:
        if item.moment == "after" and (item.hop, item.counter) in before:
            found.setdefault(item.hop, {})[item.counter] = item.value - before[item.hop, item.counter]
    return found


def counted(counters: Mapping[str, Mapping[str, int]], hop: str, counter: str, origin: str) -> int:
    """What a hop counted; RecordError where it did not."""
    try:
        return counters[hop][counter]
    except KeyError as error:
        raise RecordError(f"{origin}: {hop} did not count '{counter}' before and after; {AGAIN}") from error


def _trimmed_mean(values: Sequence[float]) -> float:
    """Mean without the highest and the lowest fifth of the values (J. W. Tukey)."""
    cut = int(len(values) * _TRIMMED)
    return fmean(sorted(values)[cut : len(values) - cut])
