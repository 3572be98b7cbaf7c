"""Measurements of a state table: what becomes of them in a case, and who cannot make them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.case import Lab
from fwdlab.matrix.expand import as_written, expand
from fwdlab.matrix.load import load_matrix
from fwdlab.search.connections import Measure, usual_connections
from fwdlab.search.goal import parse_program
from tests.unit.matrix.example import Bench
from tests.unit.structure.tree import ROOT

TEXT = """\
repeats: 3
seed: 1
hardware:
  here: {lab: netns, title: Here, processor: 1, sender: packet, trial: {warmup: 300ms, samples: 20, length: 1s}}
revisions:
  host: {title: What runs, os: linux, running: kernel, version: latest}
firewalls:
  forwarding: {}
  nft-stateful: {generate: {rules: 10, seed: 1}}
patches: {none: {}}
traffic:
  table: {family: inet, frame_size: 64, flows: 100000, load: establishment-rate}
"""
QEMU = "{lab: qemu, title: Guest, arch: x86_64, memory: 512M, trial: {warmup: 4000, samples: 10, packets: 4000}}"


@pytest.mark.parametrize("measure", Measure)
def test_a_measurement_is_in_the_case_with_its_n(bench: Bench, measure: Measure) -> None:
    (traffic,) = bench.load(TEXT.replace("establishment-rate", measure)).traffic
    assert parse_program(traffic.load, traffic.goal) == usual_connections(measure, 100_000)


def test_a_measurement_says_how_close_and_how_fast(bench: Bench) -> None:
    said = "table-capacity, search: {width: 1%, answers: 20%, rate: 10%, trials: 30}"
    (traffic,) = bench.load(TEXT.replace("establishment-rate", said)).traffic
    usual = usual_connections(Measure.CAPACITY, 100_000)
    assert parse_program(traffic.load, traffic.goal) == replace(usual, width=0.01, answers=0.2, rate=0.1, trials=30)


def test_plain_forwarding_has_no_case_of_it(bench: Bench) -> None:
    matrix = bench.load(TEXT)
    cases = tuple(expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}))
    assert [case.firewall.name for case in cases] == ["nft-stateful"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("flows: 100000", "flows: 10000001", "write a whole number from 1 to 50000"),
        (
            "establishment-rate}",
            "max}",
            "100000 flows are more than the 50000 ports of this load; write fewer",
        ),
        (
            "establishment-rate}",
            "establishment-rate, search: {loss: 1%}}",
            "load 'establishment-rate' has no 'loss'; it has width, answers, trials",
        ),
        (
            "establishment-rate}",
            "establishment-rate, search: {rate: 10%}}",
            "load 'establishment-rate' has no 'rate'; it has width, answers, trials",
        ),
        (
            "flows: 100000, load: establishment-rate}",
            "flows: 100, load: ndr, search: {answers: 10%}}",
            "load 'ndr' has no 'answers'; remove it",
        ),
        (
            "establishment-rate}",
            "establishment-rate, sources: 4}",
            "load 'establishment-rate' has a connection a frame, and no 'sources'; remove it",
        ),
        (
            "  nft-stateful: {generate: {rules: 10, seed: 1}}\n",
            "",
            "load 'establishment-rate' needs a firewall that keeps states, and none has 'rules'; add one",
        ),
        (
            "sender: packet",
            "sender: bpf",
            "load 'establishment-rate' can be measured on no machine, lab 'netns' of 'here' has no sender for it; use "
            "lab 'qemu', lab 'netns' with 'sender: packet', or lab 'ssh' with 'generator: packets'",
        ),
    ],
)
def test_what_cannot_be_measured_is_said(bench: Bench, old: str, new: str, fault: str) -> None:
    assert old in TEXT
    assert any(fault in told for told in bench.faults(TEXT.replace(old, new)))


def in_the_virtual_lab(**changes: str) -> str:
    here = TEXT[TEXT.index("{lab: netns") : TEXT.index("\nrevisions")]
    text = TEXT.replace(here, QEMU).replace("running: kernel", "package: linux-image-cloud-amd64")
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


def test_the_virtual_lab_has_cases_of_it(bench: Bench) -> None:
    matrix = bench.load(in_the_virtual_lab())
    cases = tuple(expand(matrix, as_written(matrix), {Lab.QEMU: ""}))
    assert [case.traffic.load for case in cases] == [Measure.RATE]


def test_pktgen_tells_fewer_connections_apart_over_ipv6(bench: Bench) -> None:
    wide = "100000 connections over IPv6 are more than the 40000 that lab 'qemu' tells apart; write fewer"
    assert any(wide in told for told in bench.faults(in_the_virtual_lab(inet="inet6")))


def test_the_shipped_matrix_asks_both_questions() -> None:
    matrix = load_matrix(ROOT / "examples/state-table.yaml")
    cases = tuple(expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}))
    assert {case.traffic.load for case in cases} == set(Measure)
