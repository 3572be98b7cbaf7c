"""Where on the path frames were lost: what went into each stretch and did not come out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fwdlab.records.model import Record

# What came to each point of the path, in its order, and what lies behind it: a node, or the cable to the next.
_POINTS = (
    ("dut:d0", "rx_packets", "sender to DUT"),
    ("dut:d1", "tx_packets", "in the DUT"),
    ("reference:e0", "rx_packets", "DUT to reference endpoint"),
    ("reference:e1", "tx_packets", "in the reference endpoint"),
    ("receiver:sink", "rx_packets", "to the receiver"),
)
_LOSS = re.compile("drop|discard|miss|error|no_?route|no_?buf|bad_|not_forwardable", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """A part of the path, and how many of the trial's frames it lost; fewer than none where others came in."""

    where: str
    lost: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Path:
    """A trial's frames along the path: its stretches' losses add up to what the receiver did not see."""

    sent: int
    attack: tuple[int, int]  # what an attacker sent of these frames, and how many of its own were lost
    stretches: tuple[Stretch, ...]
    told: tuple[tuple[str, int], ...]  # what the hops themselves say of losses: counter and count

    @property
    def lost(self) -> int:
        """What was sent and not received."""
        return sum(item.lost for item in self.stretches)


def path_of(record: Record) -> Path | None:
    """The path of a trial; None where its receiver counted nothing."""
    if record.counted("receiver:sink", "rx_packets") is None:
        return None
    attacked = record.counted("attacker:generator", "tx_packets") or 0
    attack = (attacked, attacked - (record.counted("receiver:attack", "rx_packets") or 0))
    sent = record.sent + attacked + _control(record)
    return Path(sent=sent, attack=attack, stretches=tuple(_stretches(record, sent)), told=tuple(_told(record)))


def _stretches(record: Record, sent: int) -> Iterator[Stretch]:
    before = sent
    for hop, counter, where in _POINTS:
        count = record.counted(hop, counter)
        if count is None:
            continue
        if hop == "receiver:sink":
            count += (record.counted("receiver:attack", "rx_packets") or 0) + _control(record)
        yield Stretch(where=where, lost=before - count)
        before = count


def _control(record: Record) -> int:
    """Frames that the generator sent beside the load, and which none of its ends counts."""
    return record.counted("sender:generator", "control_packets") or 0


def _told(record: Record) -> Iterator[tuple[str, int]]:
    for hop, values in record.counters:
        yield from ((f"{hop} {name}", value) for name, value in values if value > 0 and _LOSS.search(name))
