"""Elementary tests of a state table become one record that tells all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.samples import sample_of
from fwdlab.case import Case, Lab
from fwdlab.errors import RecordError
from fwdlab.records.connections import test_of as elementary_test_of
from fwdlab.records.connections import tried_of
from fwdlab.records.make import records_of, value_of
from fwdlab.records.model import Label, Record
from fwdlab.records.raw import parse_result
from fwdlab.records.text import parse_record, record_text
from fwdlab.search.connections import Connections, Measure, usual_connections
from fwdlab.search.goal import program_text
from tests.unit.records import example
from tests.unit.records.test_several import write_trials

RATE = replace(usual_connections(Measure.RATE, 10_000), width=0.02)
CAPACITY = replace(usual_connections(Measure.CAPACITY, 4_000), width=0.02)
FASTEST, HOLDS = 400_000.0, 20_000  # what the DUT does


def measuring(program: Connections) -> Case:
    case = example.case(lab=Lab.NETNS)
    return replace(
        case,
        traffic=replace(case.traffic, load=program.measure, goal=program_text(program), flows=program.states),
    )


def said(states: int, load: str, holds: int = HOLDS) -> str:
    """The result of a test on a DUT that makes room for new states by giving up old ones."""
    rate = FASTEST if load == "max" else min(float(load), FASTEST)
    kept = min(states, holds)
    counts = {
        ("sender:s0", "tx_packets"): states,
        ("sender:s0", "tx_bytes"): 60 * states,
        ("dut:d0", "rx_packets"): states,
        ("dut:d1", "tx_packets"): states,
        ("receiver:sink", "rx_packets"): states,
        ("sender:sink", "rx_packets"): kept,
        ("dut:table", "entries"): kept,
        ("dut:table", "early_drop"): states - kept,
        ("dut:table", "drop"): 0,
    }
    rows = [("counter", "before", hop, counter, "0") for hop, counter in counts]
    rows.append(("sample", "measured", str(states), "0", str(round(states / rate * 1e6))))
    rows.append(("sample", "validation", str(states), "0", str(round(2 * states / rate * 1e6))))
    rows += [("counter", "after", *key, str(value)) for key, value in counts.items()]
    return "".join("\t".join(row) + "\n" for row in [*rows, ("end", "ok")])


def write_measured(runs: Path, program: Connections, holds: int = HOLDS) -> tuple[Case, Path]:
    """A run folder whose one repeat measured a DUT that holds so many states."""
    case = measuring(program)
    run = write_trials(runs, case, lambda _, lines: said(int(lines["traffic.flows"]), lines["traffic.load"], holds))
    return case, run


@pytest.mark.parametrize("measured", ["", "sample\tmeasured\t0\t0\t1000\n"])
def test_a_test_that_made_no_connection_is_none(measured: str) -> None:
    result = parse_result(f"{measured}end\tok\n", "here")
    with pytest.raises(RecordError, match="here: holds no connection that was made"):
        elementary_test_of({}, result, "here")


def made(run: Path) -> Record:
    (record,) = records_of(run)
    assert isinstance(record, Record), record
    return record


def test_a_rate_is_the_highest_at_which_all_are_established_and_validated(tmp_path: Path) -> None:
    case, run = write_measured(tmp_path / "runs", RATE)
    record = made(run)
    assert record.label is Label.ESTABLISHMENT
    assert record.value == record.trial.forwarded_pps == FASTEST
    assert value_of(case, run / "repeat-1") == (FASTEST, "cps")
    assert faults_of(record) == ()
    assert record.searched is not None
    assert record.table is not None
    assert (record.searched.lower_pps, record.table.lower_states) == (FASTEST, None)
    assert {item.states for item in record.table.tests} == {10_000}
    assert sample_of([record]).method == (
        "Maximum connection establishment rate (RFC 9693, section 4.5): N = 10000 new connections a test, answered at "
        "50 % of their rate, all of them; width 2 %"
    )


def test_a_capacity_is_the_most_connections_that_are_kept(tmp_path: Path) -> None:
    case, run = write_measured(tmp_path / "runs", CAPACITY)
    record = made(run)
    assert record.label is Label.CAPACITY
    assert record.table is not None
    lower, upper = record.table.lower_states, record.table.upper_states
    assert lower is not None
    assert upper is not None
    assert lower <= HOLDS < upper <= lower * 1.021
    assert value_of(case, run / "repeat-1") == (lower, "states")
    assert sample_of([record]).values == (lower,)
    assert faults_of(record) == ()
    full = [item for item in record.table.tests if item.states > HOLDS]
    assert all((item.validated, item.early_drops) == (HOLDS, item.states - HOLDS) for item in full)
    assert record.searched is not None
    assert record.searched.lower_pps is None


@pytest.mark.parametrize("program", [RATE, CAPACITY])
def test_the_record_comes_back_from_its_text(tmp_path: Path, program: Connections) -> None:
    record = made(write_measured(tmp_path / "runs", program)[1])
    assert parse_record(record_text(record), "x") == record


def test_a_rate_in_a_table_that_is_too_small_is_irregular(tmp_path: Path) -> None:
    record = made(write_measured(tmp_path / "runs", RATE, holds=9_999)[1])
    assert record.searched is not None
    assert record.searched.irregular.startswith("every load down to")
    assert sample_of([record]).values == ()


def test_a_table_without_end_is_irregular(tmp_path: Path) -> None:
    record = made(write_measured(tmp_path / "runs", CAPACITY, holds=10**8)[1])
    assert any("the table holds all 10000000 connections" in fault for fault in faults_of(record))


def test_what_may_be_under_way_is_two_batches_of_the_sender() -> None:
    """A sender of frame after frame is late by what a sender of batches may be."""
    text = said(10_000, "390000").replace("\t25641\n", "\t25800\n")
    test = elementary_test_of({"traffic.load": "390000"}, parse_result(text, "r"), "r")
    late = [tried_of(Measure.RATE, test, alone=False, batch=batch).loss for batch in (1, 64)]
    assert late == [pytest.approx(0.0062, abs=1e-4), 0.0]


def test_a_test_without_a_count_of_answers_is_refused() -> None:
    text = "\n".join(line for line in said(100, "max").splitlines() if "sender:sink" not in line)
    with pytest.raises(RecordError, match="sender:sink did not count 'rx_packets'"):
        elementary_test_of({"traffic.load": "max"}, parse_result(text + "\n", "r"), "r")
