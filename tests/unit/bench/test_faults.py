"""What `bench faults` says of faults: which reason fits which, what is lost, and that a seed repeats."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fwdlab.bench._bed import write_matrix
from fwdlab.bench._inject import PKT_GEN, Kind, explains
from fwdlab.bench._struck import Struck
from fwdlab.bench.faults import PLOT, campaign_text, faults_in_turn, judge, table
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases

ROOT = Path(__file__).parents[3]


def met(kind: Kind, *reasons: str, step: str = "prepare") -> Struck:
    return Struck(kind=kind, run="bed/running/forwarding/none/inet-1/0123", step=step, reasons=reasons)


def test_a_seed_gives_the_same_faults_of_all_kinds_alike() -> None:
    kinds, _ = faults_in_turn(200, 1)
    assert kinds == faults_in_turn(200, 1)[0]
    assert kinds != faults_in_turn(200, 2)[0]
    counts = Counter(kinds)
    assert set(counts) == set(Kind)
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (
            Kind.CUT,
            "receiver 10.0.0.13: the connection broke; look at its console and at the cable of the admin network",
        ),
        (Kind.HANG, "dut 10.0.0.12: no answer within 3 s; look at its power and at the cable of the admin network"),
        (Kind.SENDER, "sender 10.0.0.11: generator 'packets' died before its time (); look at what ended it"),
        (
            Kind.SENDER,
            "sender 10.0.0.11: pkt-gen stopped (5.1 main_thread [2277] 1000 pps); look at the link of its port",
        ),
        (
            Kind.OUCH,
            "receiver 10.0.0.13: pkt-gen stopped (5.1 main_thread [2304] ouch, thread 0 exited with error); "
            "look at the link of its port",
        ),
        (Kind.OUCH, "the receiver said 'poll err' (line 9); look at the link and at the interface's queues"),
        (Kind.REVISION, "dut 10.0.0.12: booted '0.0.0-other', planned was '6.1.0'; look at what it boots from"),
        (Kind.DISK, "sender 10.0.0.11: no space left for copying; free some in /var/tmp there"),
    ],
)
def test_a_reason_fits_its_fault_alone(kind: Kind, reason: str) -> None:
    alike = {Kind.CUT, Kind.HANG} if kind in (Kind.CUT, Kind.HANG) else {kind}
    alike |= {Kind.LINK} if kind in (Kind.SENDER, Kind.OUCH) else set()
    assert {other for other in Kind if explains(other, reason)} == alike


def test_a_fault_waits_for_a_step_that_has_what_it_breaks() -> None:
    places = [("bed", False), ("bed", True), (PKT_GEN, False), (PKT_GEN, True)]

    def fitting(kind: Kind) -> list[bool]:
        return [kind.fits(hardware, trial=trial) for hardware, trial in places]

    assert fitting(Kind.OUCH) == [False, False, False, True]
    assert fitting(Kind.RECEIVER) == [False, True, False, False]
    assert fitting(Kind.SENDER) == [False, True, False, True]
    assert fitting(Kind.CUT) == [True] * 4


def test_another_reason_and_a_trial_without_a_record_are_lost() -> None:
    struck = [
        met(Kind.CUT, "dut 10.0.0.12: the connection broke; look at its console"),
        met(Kind.DISK, "dut 10.0.0.12: there is no interface 'd9'"),
        met(Kind.LINK, step="repeat-2"),
        met(Kind.LEASE),
    ]
    outcomes, remarks = judge(struck, {}, 40)
    fates = {item.kind: (item.unharmed, item.recovered, item.marked, item.lost) for item in outcomes}
    assert fates[Kind.CUT] == (0, 1, 0, 0)
    assert fates[Kind.DISK] == (0, 0, 0, 1)
    assert fates[Kind.LINK] == (0, 0, 0, 1)
    assert fates[Kind.LEASE] == (1, 0, 0, 0)
    assert remarks == [
        "0 cases have a record, 40 were to be measured",
        "disk full: prepare said: dut 10.0.0.12: there is no interface 'd9'",
        "link down: repeat-2 was never measured",
    ]


def test_what_a_step_says_may_come_of_the_fault_before() -> None:
    hung = "dut 10.0.0.12: no answer within 3 s; look at its power and at the cable of the admin network"
    outcomes, remarks = judge([met(Kind.CUT, hung), met(Kind.LINK, hung), met(Kind.LINK, hung)], {}, 2)
    fates = {item.kind: (item.recovered, item.lost) for item in outcomes}
    assert fates[Kind.LINK] == (1, 1)
    assert remarks[1:] == [f"link down: prepare said: {hung}"]


def test_a_dut_hangs_until_a_step_goes_on() -> None:
    broke = "sender 10.0.0.11: the connection broke; look at its console and at the cable of the admin network"
    hung = "dut 10.0.0.12: no answer within 3 s; look at its power and at the cable of the admin network"
    cut, link, killed = met(Kind.CUT, broke), met(Kind.LINK, hung), met(Kind.KILLED)
    for between, lost in (([cut, link, killed], 0), ([cut, link, met(Kind.CUT), met(Kind.LEASE)], 1)):
        outcomes, _ = judge([met(Kind.HANG, hung), *between, link], {}, 2)
        assert sum(item.lost for item in outcomes) == lost


def test_the_table_sums_every_column() -> None:
    outcomes, _ = judge([met(Kind.KILLED), met(Kind.LEASE)], {}, 2)
    lines = list(table(outcomes))
    assert lines[0] == "fault              injected unharmed recovered marked lost"
    assert lines[9] == "controller killed         1        0         1      0    0"
    assert lines[-1] == "all                       2        1         1      0    0"


@pytest.mark.parametrize("cases", [4, 10, 40])
def test_the_campaign_has_as_many_cases_as_are_asked_for(cases: int, tmp_path: Path) -> None:
    write_matrix(tmp_path, PLOT)
    matrix = tmp_path / "matrix.yaml"
    matrix.write_text(campaign_text(matrix.read_text(), tmp_path, cases))
    assert matrix.read_text().count("dut, '{action}']}") == 2
    made = resolved_cases(load_matrix(matrix), ROOT / "runner-scripts")
    generators = Counter(dict(case.hardware.settings)["generator"] for case in made)
    assert generators == {"pkt-gen": max(2, cases // 5), "packets": cases - max(2, cases // 5)}
    assert {case.hardware.name for case in made} == {"bed", PKT_GEN}
