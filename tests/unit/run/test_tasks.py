from __future__ import annotations

from fwdlab.case import Lab
from fwdlab.run.tasks import Step, phases
from tests.unit.records.example import case
from tests.unit.run.example import machine, plan, task

CASES = [case(firewall=name) for name in ("forwarding", "nft-stateless", "nft-stateful")]


def test_cases_are_prepared_measured_in_rounds_and_collected() -> None:
    prepare, traffic, collect = phases(plan(*CASES, repeats=3))
    assert [item.case for item in prepare] == [item.case for item in collect] == CASES
    assert [item.repeat for item in traffic] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert [item.order for item in traffic] == list(range(1, 10))
    for number in (1, 2, 3):
        assert {item.key for item in traffic if item.repeat == number} == {item.key for item in CASES}
    assert {item.step for item in prepare} == {Step.PREPARE}
    assert {(item.repeat, item.order) for item in (*prepare, *collect)} == {(0, 0)}


def test_the_order_inside_a_round_is_shuffled_and_the_same_every_time() -> None:
    rounds = [[item.key for item in phases(plan(*CASES, repeats=9))[1][at : at + 3]] for at in range(0, 27, 3)]
    assert len({tuple(keys) for keys in rounds}) > 1
    assert phases(plan(*CASES, repeats=9)) == phases(plan(*CASES, repeats=9))


def test_what_is_measured_is_not_measured_again() -> None:
    (prepare, traffic, collect) = phases(plan(*CASES, repeats=3, done=frozenset({1, 3}), profiled=True))
    assert [item.repeat for item in traffic] == [2, 2, 2]
    assert len(prepare) == len(collect) == 3
    assert phases(plan(*CASES, repeats=2, done=frozenset({1, 2}), profiled=True)) == ((), (), ())


def test_a_case_that_lacks_its_profile_alone_is_collected() -> None:
    prepare, traffic, collect = phases(plan(CASES[0], repeats=2, done=frozenset({1, 2})))
    assert (len(prepare), len(traffic), len(collect)) == (1, 0, 1)


def test_the_virtual_lab_is_one_lane_and_each_machine_its_own() -> None:
    assert task(case()).lane == task(case(hardware="qemu-arm64")).lane == ""
    assert task(machine("apu2")).lane == "apu2"
    assert task(case(hardware="one", lab=Lab.NETNS)).lane == task(case(hardware="two", lab=Lab.NETNS)).lane == "netns"


def test_what_is_measured_at_the_speed_of_this_host_is_alone_on_it() -> None:
    assert [lab for lab in Lab if task(case(lab=lab)).alone] == [Lab.NETNS]


def test_each_step_adds_one_folder() -> None:
    assert [task(step=step, repeat=7).folder for step in Step] == ["prepare", "repeat-7", "profile"]
