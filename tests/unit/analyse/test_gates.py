"""Each validity gate on both sides of its limit, and what a trial that does not pass means for its case."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.gates import GATES, faults_of
from fwdlab.records.model import Calibration, Clock, Record
from tests.unit.analyse.records import (
    PACKETS,
    SENT,
    Counters,
    counters,
    record,
    searched,
    with_facts,
    with_slice,
    with_trial,
)

NOTHING_TOLD = replace(with_facts(record()), counters=(), series=())


def reason(gate: str, found: Record) -> str | None:
    """What one gate says of a trial."""
    return next(item.reason(found) for item in GATES if item.name == gate)


def slice_of(packets: int) -> Record:
    """A trial whose third slice has so many packets, all of which arrive."""
    sent = SENT - PACKETS + packets
    return replace(with_slice(record(), packets=packets), counters=counters(at_dut=sent, on=sent, received=sent))


def generated(sent: int, at_dut: int, refused: int) -> Counters:
    """What is counted where the sender makes more than its slices hold, and the DUT's queue refuses some of it."""
    return (
        ("dut:d0", (("rx_dropped", refused), ("rx_packets", at_dut))),
        ("sender:generator", (("tx_packets", sent),)),
    )


def link(changes: int) -> Counters:
    return (("dut:d0", (("carrier_changes", changes),)), ("dut:d1", (("carrier_changes", 0),)))


def alone(pps: float, offered_pps: float) -> Record:
    """A trial whose sender reaches so much without a DUT, and offered so much with it."""
    return replace(
        with_trial(record(), offered_pps=offered_pps), calibration=Calibration(offered_pps=pps, packets=SENT)
    )


def linked(rate: str, forwarded_pps: float) -> Record:
    """A trial over links of that rate."""
    return with_trial(with_facts(record(), line_rate=rate), forwarded_pps=forwarded_pps)


def unwrapped(into: int, out: int) -> Record:
    """A trial through a tunnel, whose reference endpoint counted so many frames before it and behind it."""
    endpoint = (("reference:e0", (("rx_packets", into),)), ("reference:e1", (("tx_packets", out),)))
    return replace(record(), counters=(*counters(received=out), *endpoint))


def attacked(sent: int, due: int) -> Record:
    """A trial beside which an attacker sent so many frames, at least so many of them due."""
    told = ("attacker:generator", (("due_packets", due), ("tx_packets", sent)))
    return replace(record(), counters=(*counters(at_dut=SENT + sent), told))


PASSING = {
    "offered load": [
        attacked(990, 1000),
        with_trial(record(), intended_pps=1e6, offered_pps=990_000.0),
        with_trial(record(), intended_pps=1e6, offered_pps=1.2e6),
    ],
    "sender limit": [alone(1e6, offered_pps=400_000.0), alone(1e6, offered_pps=900_000.0)],
    "processor": [with_facts(record(), measured_processor_share=share) for share in ("0.9000", "1.0000")],
    "sender errors": [record()],
    "link": [replace(record(), counters=link(0))],
    "silence": [slice_of(1)],
    "reception": [with_trial(record(), forwarded_pps=1e-3)],
    "line rate": [linked("1 Gbit/s", 1_502_976.0), linked("10 Gbit/s", 14e6)],
    "search": [searched()],
    "logs": [replace(record(), faults=())],
    "counters": [
        replace(record(), counters=counters(at_dut=SENT - 40)),
        replace(record(), counters=counters(at_dut=SENT + 40)),
        replace(record(), counters=counters(at_dut=SENT - 1040, dropped=1000)),
        replace(record(), counters=counters(at_dut=SENT, dropped=1000)),  # dropped behind the DUT's first count
        replace(record(), counters=generated(2 * SENT, at_dut=2 * SENT - 1000, refused=1000)),
        unwrapped(SENT - 40, SENT - 80),
        replace(record(), counters=counters(on=SENT // 2, received=SENT // 2 - 40)),  # what the DUT drops is its own
    ],
    "kernel": [with_facts(record(), kernel_release="6.1.0-56", planned_release="6.1.0-56")],
    "clock": [
        with_trial(record(), duration_s=1e-3),
        with_trial(record(), duration_s=0.9e-3, time=Clock.WALL),
        with_slice(record(), duration_s=1e-9),
    ],
}

FAILING = {
    "offered load": [
        (
            with_trial(record(), intended_pps=1.49e6, offered_pps=1.12e6),
            "sender offered 1.120 Mpps of 1.490 Mpps; look at the sender's processor and link, or intend less",
        ),
        (
            attacked(989, 1000),
            "attacker sent 989 frames of at least 1000; look at its processor and link, or attack with less",
        ),
        (with_trial(record(), intended_pps=1e6, offered_pps=989_999.0), "0.990 Mpps of 1.000 Mpps"),
    ],
    "sender limit": [
        (
            alone(2.4e6, offered_pps=2.3e6),
            "sender reached 2.400 Mpps alone and 2.300 Mpps with the DUT: it was the limit, not the DUT; offer",
        ),
        (alone(1e6, offered_pps=900_001.0), "it was the limit"),
    ],
    "processor": [
        (
            with_facts(record(), measured_processor_share="0.6874"),
            "other work had the DUT's processor for 31 % of the trial; look at what else the host does",
        ),
        (with_facts(record(), measured_processor_share="0.8999"), "for 10 %"),
    ],
    "sender errors": [
        (
            with_slice(record(), errors=1),
            "sender could not send 1 frame beside 40000 sent; look at its interface",
        ),
        (with_slice(record(), errors=12), "12 frames"),
    ],
    "link": [
        (replace(record(), counters=link(1)), "the link changed: dut:d0 1 time; look at cable and port"),
        (replace(record(), counters=link(2)), "dut:d0 2 times"),
    ],
    "silence": [
        (
            slice_of(0),
            "nothing was sent (0 pps) in 1 of 10 parts of the trial; look at the sender's log",
        ),
    ],
    "reception": [
        (
            with_trial(record(), forwarded_pps=0.0),
            "the receiver saw no frame (0 pps) of 40000 sent; look at routes, rules and cables",
        ),
        (with_trial(record(), forwarded_pps=math.nan), "saw no frame"),
        (with_trial(record(), forwarded_pps=None), "no rate is known, and no log says why; look at the receiver's log"),
    ],
    "line rate": [
        (
            linked("1 Gbit/s", 1.51e6),
            "1.510 Mpps of frames of 64 octets came through, and the link carries 1.488 Mpps; look at what else",
        ),
    ],
    "search": [
        (
            searched("no load up to 9 pps lost more than the goal"),
            "irregular result: no load up to 9 pps lost more than the goal; look at its trials",
        ),
    ],
    "logs": [
        (
            replace(record(), faults=("it said 'ouch' (line 12); look at the link",)),
            "it said 'ouch' (line 12); look at the link",
        )
    ],
    "counters": [
        (
            replace(record(), counters=counters(at_dut=SENT - 41)),
            "41 frames vanish between sender and DUT, of 40000 sent; "
            "look at the interfaces' own counts of drops, and at what else sends",
        ),
        (replace(record(), counters=counters(at_dut=SENT + 41)), "41 frames appear between sender and DUT"),
        (replace(record(), counters=generated(2 * SENT, at_dut=2 * SENT - 81, refused=0)), "81 frames vanish"),
        (replace(record(), counters=counters(at_dut=SENT - 1041, dropped=1000)), "41 frames vanish"),
        (replace(record(), counters=counters(received=SENT - 41)), "41 frames vanish between DUT and receiver"),
        (replace(record(), counters=counters(on=SENT // 2)), "20000 frames appear between DUT and receiver"),
        (unwrapped(SENT - 41, SENT - 41), "41 frames vanish between DUT and reference endpoint"),
        (unwrapped(SENT, SENT - 41), "41 frames vanish in the reference endpoint"),
    ],
    "kernel": [
        (
            with_facts(record(), kernel_release="6.1.0-56", planned_release="6.1.0-57"),
            "DUT booted '6.1.0-56', planned was '6.1.0-57'; look at what it boots from",
        ),
    ],
    "clock": [
        (
            with_trial(record(), duration_s=0.9e-3),
            "the trial took 0.9 ms of virtual time, less than 1 ms; offer more packets",
        ),
        (with_slice(record(), duration_s=0.0), "part 3 of the trial took 0 s; look at the sender's clock"),
        (with_slice(record(), duration_s=-1.0), "part 3 of the trial took -1 s"),
        (with_slice(record(), duration_s=math.nan), "part 3 of the trial took nan s"),
        (with_trial(record(), duration_s=math.inf), "the trial took inf s; look at the sender's clock"),
        (with_trial(record(), duration_s=0.0, time=Clock.WALL), "the trial took 0 s"),
    ],
}

UNTOLD = {
    "offered load": record(),
    "sender limit": record(),
    "processor": record(),
    "sender errors": NOTHING_TOLD,
    "link": NOTHING_TOLD,
    "silence": NOTHING_TOLD,
    "line rate": record(),
    "counters": NOTHING_TOLD,
    "kernel": with_facts(record(), kernel_release="6.1.0-56"),
}


def test_every_gate_is_tried_on_both_sides() -> None:
    assert [gate.name for gate in GATES] == list(PASSING) == list(FAILING)


@pytest.mark.parametrize(("gate", "found"), [(gate, found) for gate, trials in PASSING.items() for found in trials])
def test_within_its_limit_a_trial_passes(gate: str, found: Record) -> None:
    assert reason(gate, found) == ""
    assert faults_of(found) == ()


@pytest.mark.parametrize(
    ("gate", "found", "said"), [(gate, found, said) for gate, trials in FAILING.items() for found, said in trials]
)
def test_beyond_its_limit_a_trial_is_invalid_by_that_gate_alone(gate: str, found: Record, said: str) -> None:
    assert said in (reason(gate, found) or "")
    assert faults_of(found) == (reason(gate, found),)


@pytest.mark.parametrize("gate", UNTOLD)
def test_a_trial_that_does_not_tell_is_told_from_one_that_passes(gate: str) -> None:
    assert reason(gate, UNTOLD[gate]) is None
    assert faults_of(UNTOLD[gate]) == ()


@pytest.mark.parametrize("said", [said for trials in FAILING.values() for _, said in trials[:1]])
def test_a_reason_names_a_value_and_what_to_do(said: str) -> None:
    found, _, advice = said.rpartition("; ")
    assert any(letter.isdigit() for letter in found)
    assert advice.split()[0] in {"look", "offer"}


def test_a_trial_that_fails_several_gates_has_a_reason_for_each() -> None:
    broken = with_trial(with_slice(record(), packets=0, errors=4000), forwarded_pps=0.0)
    assert [said.split(" ", 3)[:3] for said in faults_of(broken)] == [
        ["sender", "could", "not"],
        ["nothing", "was", "sent"],
        ["the", "receiver", "saw"],
        ["4000", "frames", "appear"],
    ]


LOSSES = st.one_of(st.just(0), st.integers(-60, 60), st.integers(0, SENT))


@st.composite
def trials(draw: st.DrawFn) -> Record:
    """Trials around the limits of the gates that count."""
    at_dut = SENT - draw(LOSSES)
    on = draw(st.integers(0, SENT))
    told = counters(at_dut=at_dut, on=on, received=on - draw(LOSSES), dropped=draw(st.sampled_from((0, 20, 1000))))
    intended = draw(st.one_of(st.none(), st.integers(100_000, 140_000).map(float)))
    found = with_trial(record(), intended_pps=intended, forwarded_pps=float(on))
    return with_slice(replace(found, counters=told), errors=draw(st.sampled_from((0, 0, 0, 1, 100))))


def scaled(found: Record, factor: int) -> Record:
    """The same trial where everything counted is so many times as much, and so many times as fast."""
    return replace(
        with_trial(
            found,
            intended_pps=None if found.trial.intended_pps is None else found.trial.intended_pps * factor,
            offered_pps=(found.trial.offered_pps or 0.0) * factor,
            forwarded_pps=(found.trial.forwarded_pps or 0.0) * factor,
        ),
        series=tuple(
            replace(item, packets=item.packets * factor, errors=item.errors * factor) for item in found.series
        ),
        counters=tuple((hop, tuple((name, value * factor) for name, value in said)) for hop, said in found.counters),
    )


@given(trials(), st.integers(1, 10_000))
def test_a_larger_trial_of_the_same_kind_passes_the_same_gates(found: Record, factor: int) -> None:
    larger = scaled(found, factor)
    assert [bool(gate.reason(found)) for gate in GATES] == [bool(gate.reason(larger)) for gate in GATES]
