"""Pages say what a state table came to in its own unit, and how the tests were made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.analyse.result import METRICS
from fwdlab.analyse.samples import sample_of
from fwdlab.records.model import ElementaryTest, Label, Record, StateTable
from fwdlab.render.assemble import searches
from fwdlab.render.conditions import conditions_of
from fwdlab.render.findings import alt_text
from fwdlab.render.table import sample_line
from tests.unit.analyse.records import searched
from tests.unit.render import examples


def elementary(states: int, kept: int) -> ElementaryTest:
    return ElementaryTest(
        states=states,
        intended_pps=50_000.0,
        offered_pps=50_000.0,
        established=states,
        answered=states,
        validated=kept,
        entries=kept,
        early_drops=states - kept,
        refused=0,
    )


def capacity() -> Record:
    table = StateTable(lower_states=3000, upper_states=3010, tests=(elementary(3000, 3000), elementary(3010, 2998)))
    return replace(searched(label=Label.CAPACITY), table=table)


def test_a_case_tells_the_bounds_in_states_and_what_a_full_table_kept() -> None:
    (told,) = searches([capacity()])
    assert (told.label, told.value) == (
        "connection tracking table capacity of repeat 1",
        "3000 states; lower bound 3000 states, upper bound 3010 states; 2 trials; regular; "
        "of 3010 connections 2998 were kept, 12 had made room",
    )


def test_a_rate_is_told_in_connections_a_second() -> None:
    table = StateTable(lower_states=None, upper_states=None, tests=(elementary(3000, 3000),))
    (told,) = searches([replace(searched(label=Label.ESTABLISHMENT), table=table)])
    assert told.value == "120000 cps; lower bound 120000 cps, upper bound 120600 cps; 2 trials; regular"


def test_a_sample_has_the_unit_of_what_was_measured() -> None:
    assert "3.000 kstates, Connection tracking table capacity (RFC 9693, section 4.9): " in sample_line(
        sample_of([capacity()])
    )


@pytest.mark.parametrize("label", Label)
def test_the_unit_of_a_label_is_that_of_its_metric(label: Label) -> None:
    assert METRICS[sample_of([searched(label=label)]).metric].unit == label.unit


def test_conditions_and_graph_name_the_measurement() -> None:
    result = examples.result("firewall", ("qemu-x86",))
    names = result.campaign.members[0].names
    pairs = {item.label: item.value for item in conditions_of(result.campaign, [replace(capacity(), names=names)])}
    assert pairs["offered load"] == (
        "udp4-64: connection tracking table capacity, several tests a repeat, each of new connections in an empty table"
    )
    measured = replace(result, samples=tuple(replace(item, metric="table_capacity") for item in result.samples))
    assert alt_text(measured, "kstates").startswith(
        "Bars of Connection tracking table capacity (RFC 9693, section 4.9) in kstates. "
    )
