"""Loads of a traffic: what becomes of them in a case, and what no machine could be asked for."""

from __future__ import annotations

import pytest

from fwdlab.case import case_text, parse_case
from fwdlab.matrix.plan import make_plan
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.search.goal import CURVE, Curve, Goal, Search, parse_program, usual_goal
from tests.unit.matrix.example import FAKES, TEXT, Bench, bent

LOAD = "load: max}\n  udp6"
HERE = "  here: {lab: netns, title: Here, processor: 1, trial: {warmup: 300ms, samples: 20, length: 1s}}\n"
NATIVE = f"""\
repeats: 3
seed: 1
hardware:
{HERE}\
revisions:
  host: {{title: What runs, os: linux, running: kernel, version: latest}}
firewalls: {{forwarding: {{}}}}
patches: {{none: {{}}}}
traffic:
  udp4: {{family: inet, frame_size: 64, flows: 2000, load: max}}
"""


def loaded(bench: Bench, load: str) -> tuple[str, str]:
    """Load and goal of the first traffic."""
    traffic = bench.load(bent(LOAD, f"load: {load}}}\n  udp6")).traffic[0]
    return traffic.load, traffic.goal


@pytest.mark.parametrize(
    ("written", "load"),
    [("max", "max"), ("1488095", "1488095"), ("100kpps", "100000"), ("1.488 Mpps", "1488000"), ("250pps", "250")],
)
def test_a_load_is_packets_a_second(bench: Bench, written: str, load: str) -> None:
    assert loaded(bench, written) == (load, "")


@pytest.mark.parametrize("search", Search)
def test_a_search_has_its_usual_goal(bench: Bench, search: Search) -> None:
    load, goal = loaded(bench, search)
    assert parse_program(load, goal) == usual_goal(search)


def test_a_search_says_what_it_looks_for(bench: Bench) -> None:
    load, goal = loaded(
        bench, "pdr, search: {loss: 1%, width: 0.2%, initial: 100ms, final: 1s, sum: 21s, exceed: 20%, trials: 80}"
    )
    wanted = Goal(search=Search.PDR, loss=0.01, width=0.002, initial_s=0.1, final_s=1, sum_s=21, exceed=0.2, trials=80)
    assert parse_program(load, goal) == wanted


def test_one_length_is_that_of_all_trials(bench: Bench) -> None:
    program = parse_program(*loaded(bench, "ndr, search: {final: 200ms}"))
    assert isinstance(program, Goal)
    assert (program.initial_s, program.final_s, program.sum_s) == (0.2, 0.2, 0.2)


def test_a_list_of_loads_is_a_curve(bench: Bench) -> None:
    load, goal = loaded(bench, "[50kpps, 100000, 0.2Mpps], search: {final: 100ms}")
    assert load == CURVE
    assert parse_program(load, goal) == Curve(loads=(5e4, 1e5, 2e5), shares=False, final_s=0.1)


def test_a_share_is_a_curve_of_one(bench: Bench) -> None:
    assert parse_program(*loaded(bench, "50%")) == Curve(loads=(0.5,), shares=True, final_s=1)


def test_a_case_carries_its_goal_and_older_cases_keep_their_keys(bench: Bench) -> None:
    cases = resolved_cases(bench.load(bent(LOAD, "load: ndr}\n  udp6")), FAKES)
    for case in cases:
        assert ("traffic.goal\t" in case_text(case)) is (case.traffic.name == "udp4")
        assert parse_case(case_text(case), "here") == case


@pytest.mark.parametrize(
    ("written", "place", "fault"),
    [
        ("0", 10, "is '0'; write 'max', a rate such as '100kpps'"),
        ("0kpps", 10, "is '0kpps'; write 'max'"),
        ("100Gpps", 10, "is '100Gpps'; write 'max'"),
        ("NDR", 10, "is 'NDR'; write 'max'"),
        ("[50%]", 10, "'load' of traffic 'udp4' is too short"),
        ("[50%, 50%]", 10, "stands twice"),
        ("[50%, 100kpps]", 10, "'100kpps' stands beside '50%'; write all loads in one unit"),
        ("[2Mpps, 1Mpps]", 10, "'1Mpps' is not above '2Mpps'; write the loads rising"),
        ("[50%, ndr]", 10, "is 'ndr'; write a rate such as '100kpps', '50%' or '50% of line rate'"),
        ("max, search: {final: 1s}", 10, "load 'max' is offered and not searched for; remove 'final'"),
        ("[50%, 60%], search: {loss: 1%}", 10, "a list of loads is offered and not searched for; remove 'loss'"),
        ("ndr, search: {}", 10, "'search' of traffic 'udp4' is empty; write '{width: 0.5%, final: 1s}'"),
        ("ndr, search: {los: 1%}", 10, "unknown key 'los' in 'search' of traffic 'udp4'; did you mean 'loss'?"),
        ("pdr, search: {loss: 100%}", 10, "is '100%'; write a share such as '0.5%' or '50%', less than 100%"),
        ("pdr, search: {loss: 0.5}", 10, "is '0.5'; write a share"),
        ("ndr, search: {loss: 0.5%}", 10, "a loss goal of '0.5%' makes no 'ndr'; write 'load: pdr'"),
        ("pdr, search: {loss: 0%}", 10, "a loss goal of '0%' makes no 'pdr'; write 'load: ndr'"),
        ("throughput, search: {exceed: 50%}", 10, "a trial that loses a frame is above the throughput (RFC 2544)"),
        ("ndr, search: {width: 0%}", 10, "is '0%'; write a share"),
        ("ndr, search: {initial: 2s, final: 1s}", 10, "'2s' is longer than 'final', 1 s; mend one of the two"),
        ("ndr, search: {sum: 1s, final: 2s}", 10, "'1s' is less than 'final', 2 s; mend one of the two"),
        ("ndr, search: {trials: 1}", 10, "is '1'; write a whole number from 2 to 500"),
    ],
)
def test_a_load_that_cannot_be_is_refused_in_its_line(bench: Bench, written: str, place: int, fault: str) -> None:
    line = TEXT.splitlines().index("traffic:") + 2
    told = bench.faults(bent(LOAD, f"load: {written}}}\n  udp6"))
    assert len(told) == 1, told
    assert told[0].startswith(f"{line}:")
    assert fault in told[0]
    assert int(told[0].split(":")[1]) > place


@pytest.mark.parametrize("sender", ["bpf", "trafgen"])
def test_a_sender_that_offers_the_most_it_can_is_told_no_load(bench: Bench, sender: str) -> None:
    text = NATIVE.replace("processor: 1", f"processor: 1, sender: {sender}")
    assert bench.faults(text) == []
    assert bench.faults(text.replace("load: max", "load: ndr")) == [
        f"10:59: load 'ndr' cannot be told to any machine: sender '{sender}' of 'here' offers the most it can; "
        "write 'load: max', or name another sender"
    ]


def test_beside_a_machine_that_can_be_told_it_has_no_case(bench: Bench) -> None:
    other = HERE.replace("here:", "fast:").replace("processor: 1", "processor: 1, sender: bpf")
    text = NATIVE.replace(HERE, HERE + other).replace("load: max", "load: 100kpps")
    assert {case.hardware.name for case in resolved_cases(bench.load(text), FAKES.parents[2] / "runner-scripts")} == {
        "here"
    }


def test_a_matrix_whose_machines_fit_nothing_is_refused_at_them(bench: Bench) -> None:
    told = bench.faults(NATIVE.replace("flows: 2000", "flows: 2000, sources: 2"))
    assert told == ["3:1: no machine goes with any revision, firewall and traffic; add one that does"]


def test_an_ordinary_sender_of_the_native_lab_can_be_told_a_load(bench: Bench) -> None:
    assert bench.faults(NATIVE.replace("load: max", "load: pdr")) == []


def test_a_plan_says_that_a_search_takes_several_trials(bench: Bench) -> None:
    matrix = bench.load(bent(LOAD, "load: ndr}\n  udp6"))
    notes = make_plan(matrix, resolved_cases(matrix, FAKES)).notes
    assert any(note.startswith("lab time above counts several trials a repeat, of 'udp4' 6; ") for note in notes)
    plain = bench.load()
    assert not any("several trials" in note for note in make_plan(plain, resolved_cases(plain, FAKES)).notes)


SIZE = "frame_size: 64, flows: 2000, load: max}\n  udp6"


def test_a_mix_of_sizes_has_their_mean(bench: Bench) -> None:
    traffic = bench.load(bent(SIZE, "imix: [7x64, 4x594, 1x1518], flows: 2000, load: max}\n  udp6")).traffic[0]
    assert (traffic.imix, traffic.frame_size) == ("7x64 4x594 1x1518", 362)


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("imix: [64, 594]", "write weight and octets with FCS, from 64 to 1518, such as '7x64'"),
        ("imix: [7x63, 4x594]", "is '7x63'; write weight and octets"),
        ("imix: [7x64]", "'imix' of traffic 'udp4' is too short"),
        ("imix: [7x64, 1x1518], frame_size: 64", "keep one of them"),
    ],
)
def test_a_mix_that_cannot_be_is_refused(bench: Bench, written: str, fault: str) -> None:
    told = bench.faults(bent(SIZE, f"{written}, flows: 2000, load: max}}\n  udp6"))
    assert any(fault in line for line in told), told


@pytest.mark.parametrize("sender", ["bpf", "trafgen"])
def test_a_sender_of_one_size_has_no_mix(bench: Bench, sender: str) -> None:
    mixed = NATIVE.replace("frame_size: 64", "imix: [7x64, 1x1518]")
    assert bench.faults(mixed) == [], "the packet socket repeats it"
    assert bench.faults(mixed.replace("processor: 1", f"processor: 1, sender: {sender}")) == [
        f"10:24: frames of several sizes cannot be offered by any machine: sender '{sender}' of 'here' makes one size; "
        "write 'frame_size', or name 'packets' (lab ssh) or 'packet' (lab netns)"
    ]


def test_a_share_of_a_line_rate_that_no_machine_has_is_refused(bench: Bench) -> None:
    told = bench.faults(NATIVE.replace("load: max", "load: 50% of line rate"))
    assert told[0] == (
        "10:59: no machine has a 'line_rate' to take a share of; write a rate such as '100kpps', or '50%' of maximum"
    )
