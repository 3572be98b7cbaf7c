"""What the benchmark of the native lab says of the senders, and when it holds a promise for broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.bench.netns import Reached, _broken, _promises, _reached, _table, _with_senders
from fwdlab.errors import MatrixError
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Native, Sender
from fwdlab.records.model import Calibration
from tests.unit.analyse.records import record, with_facts, with_trial

ROOT = Path(__file__).parents[3]
OWN = Reached(
    sender="auto (BPF live frames)",
    offered_pps=4.641e6,
    forwarded_pps=4.640e6,
    variation=0.0099,
    trials=5,
    own_part=0.16,
    faults=(),
)
TRAFGEN = replace(OWN, sender="trafgen (trafgen 0.6.8)", offered_pps=1.6e6, forwarded_pps=1.6e6, own_part=0.67)


def test_each_sender_has_a_row_with_one_prefix() -> None:
    assert list(_table([OWN, TRAFGEN])) == [
        "rates in Mpps            offered  forwarded  dropped      cv  n  sender's own part",
        "auto (BPF live frames)     4.641      4.640    0.001  0.99 %  5               16 %",
        "trafgen (trafgen 0.6.8)    1.600      1.600    0.000  0.99 %  5               67 %",
    ]


def test_a_trial_that_does_not_count_stands_below_its_sender() -> None:
    assert (
        list(_table([replace(OWN, faults=("sender reached too little",))]))[-1]
        == "  invalid: sender reached too little"
    )


def test_promises_are_told_with_their_limits() -> None:
    assert list(_promises([OWN, TRAFGEN])) == [
        "forwarded 2.90 times what trafgen gets through, at least 1.2 times is promised",
        "cv 0.99 %, at most 2 % is promised on a quiet host",
    ]
    assert len(list(_promises([OWN]))) == 1, "nothing to compare with"


@pytest.mark.parametrize(
    ("found", "broken"),
    [
        ([OWN, TRAFGEN], False),
        ([OWN], False),
        ([replace(OWN, forwarded_pps=1.92e6), TRAFGEN], False),
        ([replace(OWN, forwarded_pps=1.91e6), TRAFGEN], True),
        ([replace(OWN, variation=0.02), TRAFGEN], False),
        ([replace(OWN, variation=0.0201), TRAFGEN], True),
        ([OWN, replace(TRAFGEN, variation=0.5)], False),
        ([replace(OWN, faults=("the link changed",)), TRAFGEN], True),
    ],
)
def test_a_promise_is_broken_beyond_its_limit(found: list[Reached], broken: bool) -> None:
    assert _broken(found) is broken


def test_what_a_sender_reached_is_taken_from_its_records() -> None:
    calibration = Calibration(offered_pps=4e6, packets=1000)
    records = [
        replace(with_trial(record(), offered_pps=1e6, forwarded_pps=rate), calibration=calibration)
        for rate in (0.9e6, 1.0e6, 1.1e6)
    ]
    found = _reached(records)
    assert (found.offered_pps, found.forwarded_pps, found.trials) == (1e6, 1e6, 3)
    assert found.variation == pytest.approx(0.1)
    assert found.own_part == pytest.approx(0.25)
    assert found.dropped_pps == 0


def test_why_trials_do_not_count_is_told_once() -> None:
    calibration = Calibration(offered_pps=4e6, packets=1000)
    disturbed = replace(with_facts(record(), measured_processor_share="0.5"), calibration=calibration)
    (fault,) = _reached([disturbed] * 3).faults
    assert fault.startswith("other work had the DUT's processor for 50 %")


def test_each_sender_is_a_machine_of_its_own() -> None:
    matrix = _with_senders(load_matrix(ROOT / "examples/netns.yaml"), [Sender.AUTO, Sender.TRAFGEN])
    assert [machine.name for machine in matrix.machines] == ["auto", "trafgen"]
    assert [machine.setup.sender for machine in matrix.machines if isinstance(machine.setup, Native)] == [
        *(Sender.AUTO, Sender.TRAFGEN)
    ]


def test_a_matrix_without_a_native_machine_is_refused() -> None:
    with pytest.raises(MatrixError, match="no machine of lab 'netns' is declared; name another matrix with -m"):
        _with_senders(load_matrix(ROOT / "matrix.yaml"), [Sender.AUTO])
