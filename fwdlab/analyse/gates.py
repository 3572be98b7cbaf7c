"""Validity gates: what makes a trial say nothing about the DUT. Each gives its reason, or nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from fwdlab.records import sound
from fwdlab.records.model import Clock, Label, Record
from fwdlab.units import common_scale

_LEAST_LOAD_PERCENT = 99  # of the intended load
_SHORTEST_VIRTUAL_S = 1e-3  # less is a few packets, or a clock that stood
_LARGEST_SENDER_PERCENT = 90  # of a packet's time; more, and the rate is the sender's
_WORDS = re.compile("[ :]+")  # what parts those of a kernel's version; one is the revision
_CLOCKS_PERCENT = 1  # by which the clocks of sender, link and receiver may differ
_LEAST_PROCESSOR_PERCENT = 90  # of the trial; a scheduler that is just to others gives them 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """One thing a trial must be, or it says nothing about the DUT."""

    name: str
    asks: str  # what is checked and with which limit, one sentence
    reason: Callable[[Record], str | None]  # why the trial does not pass; empty: it does; None: it does not tell


def faults_of(record: Record) -> tuple[str, ...]:
    """Why the trial is invalid, a reason for each gate it does not pass; empty where it is valid."""
    return tuple(reason for gate in (*GATES, HISTORY) if (reason := gate.reason(record)))


def _below_load(record: Record) -> str | None:
    told = (_sender_below_load(record), sound.weak_attack(record.by_hop))
    return None if told == (None, None) else "; ".join(filter(None, told))


def _sender_below_load(record: Record) -> str | None:
    intended, offered = record.trial.intended_pps, record.trial.offered_pps
    if intended is None or offered is None or (record.searched and record.label is not Label.FR):
        return None  # in a search and a curve what was not sent in time counts as loss
    if offered * 100 >= intended * _LEAST_LOAD_PERCENT:
        return ""
    scale = common_scale([intended])
    rates = f"{scale.text(offered, 'pps')} of {scale.text(intended, 'pps')}"
    return f"sender offered {rates}; look at the sender's processor and link, or intend less"


def _sender_limit(record: Record) -> str | None:
    if record.calibration is None or record.trial.offered_pps is None or record.trial.intended_pps is not None:
        return None
    alone, offered = record.calibration.offered_pps, record.trial.offered_pps
    if offered * 100 <= alone * _LARGEST_SENDER_PERCENT:
        return ""
    scale = common_scale([alone])
    rates = f"{scale.text(alone, 'pps')} alone and {scale.text(offered, 'pps')} with the DUT"
    return f"sender reached {rates}: it was the limit, not the DUT; offer the load by a cheaper sender"


def _processor_shared(record: Record) -> str | None:
    try:
        share = float(dict(record.conditions.facts)["measured_processor_share"])
    except (KeyError, ValueError):
        return None
    if share * 100 >= _LEAST_PROCESSOR_PERCENT:
        return ""
    lost = f"{100 - share * 100:.0f} % of the trial"
    return f"other work had the DUT's processor for {lost}; look at what else the host does, then measure again"


def _nothing_received(record: Record) -> str | None:
    if record.trial.forwarded_pps is None:
        return None if record.faults else "no rate is known, and no log says why; look at the receiver's log"
    if record.trial.forwarded_pps > 0:
        return ""
    return f"the receiver saw no frame (0 pps) of {record.sent} sent; look at routes, rules and cables"


def _above_line_rate(record: Record) -> str | None:
    most, forwarded = record.line_rate_pps, record.trial.forwarded_pps
    if most is None or forwarded is None:
        return None
    if forwarded * 100 <= most * (100 + _CLOCKS_PERCENT):
        return ""
    scale = common_scale([most])
    rates = f"{scale.text(forwarded, 'pps')} of frames of {record.trial.frame_size} octets"
    return (
        f"{rates} came through, and the link carries {scale.text(most, 'pps')}; look at what else the receiver counts, "
        "or mend 'line_rate' in the matrix"
    )


def _irregular(record: Record) -> str | None:
    if record.searched is None:
        return None
    irregular = record.searched.irregular
    if not irregular and record.label in (Label.CURVE, Label.FR):
        return None
    return f"irregular result: {irregular}; look at its trials, or widen the goal" if irregular else ""


def _logs(record: Record) -> str | None:
    return None if record.faults is None or record.searched else "; ".join(record.faults)


def _wrong_kernel(record: Record) -> str | None:
    facts = dict(record.conditions.facts)
    booted, planned = facts.get("kernel_release"), facts.get("planned_release")
    if booted is None or planned is None:
        return None
    said = (booted, facts.get("kernel_revision"), *_WORDS.split(facts.get("kernel_version", "")))
    return "" if planned in said else f"DUT booted '{booted}', planned was '{planned}'; look at what it boots from"


def _clock(record: Record) -> str | None:
    for number, item in enumerate(record.series, 1):
        if not 0 < item.duration_s < math.inf:
            return f"part {number} of the trial took {item.duration_s:g} s; look at the sender's clock"
    total = record.trial.duration_s
    if total is None:
        return None
    if not 0 < total < math.inf:
        return f"the trial took {total:g} s; look at the sender's clock"
    if record.trial.time is Clock.VIRTUAL and total < _SHORTEST_VIRTUAL_S:
        return f"the trial took {total * 1e3:.3g} ms of virtual time, less than 1 ms; offer more packets"
    return ""


HISTORY = Gate(  # shown only where it has something to say: results that came from no store have no notes
    name="history",
    asks="Nobody invalidated the trial after it was measured.",
    reason=lambda record: record.withdrawn,
)
GATES = (
    Gate(
        name="offered load",
        asks=f"Sender and attacker offer at least {_LEAST_LOAD_PERCENT} % of what was intended; 'max' intends nothing.",
        reason=_below_load,
    ),
    Gate(
        name="sender limit",
        asks=f"The sender's own part of a packet's time is at most {_LARGEST_SENDER_PERCENT} %; else it was the limit.",
        reason=_sender_limit,
    ),
    Gate(
        name="processor",
        asks=f"The DUT's processor was the trial's for at least {_LEAST_PROCESSOR_PERCENT} % of the time.",
        reason=_processor_shared,
    ),
    Gate(
        name="sender errors",
        asks="The sender can send every frame: 0 errors.",
        reason=lambda record: sound.sender_errors(record.series, record.sent),
    ),
    Gate(
        name="link",
        asks="No interface on the path loses or regains its carrier during the trial: 0 changes.",
        reason=lambda record: sound.link_changes(record.by_hop),
    ),
    Gate(
        name="silence",
        asks="Something is sent in every part of the trial: no part at 0 pps.",
        reason=lambda record: sound.silent_parts(record.series),
    ),
    Gate(
        name="reception",
        asks="The receiver sees the load: more than 0 pps.",
        reason=_nothing_received,
    ),
    Gate(
        name="line rate",
        asks=f"No more comes through than the link carries, but for {_CLOCKS_PERCENT} %.",
        reason=_above_line_rate,
    ),
    Gate(
        name="search",
        asks="A search ends with both bounds, no further apart than its goal asks: a regular result (RFC 9971).",
        reason=_irregular,
    ),
    Gate(
        name="logs",
        asks="The generator's logs are whole, tell of no error, and of more than 0 pps in every second that counts.",
        reason=_logs,
    ),
    Gate(
        name="counters",
        asks=f"Both ends of a cable count the same, but for 1 frame in {sound.STRAY_ONE_IN} sent.",
        reason=lambda record: sound.disagreement(record.by_hop, record.sent),
    ),
    Gate(
        name="kernel",
        asks="The DUT booted the release, or the revision, that was planned, to the letter.",
        reason=_wrong_kernel,
    ),
    Gate(
        name="clock",
        asks="Every part of the trial took a positive, finite time; a trial in virtual time at least 1 ms.",
        reason=_clock,
    ),
)
