from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.case import Case
from fwdlab.case import Lab as Place
from fwdlab.run.carry import Event, Failure, carry_out, exit_code
from fwdlab.run.tasks import Outcome, Step, Task, phases
from tests.unit.records.example import case
from tests.unit.run.example import FINE, machine, outcome, plan, task

FORWARDING, STATELESS, STATEFUL = (case(firewall=name) for name in ("forwarding", "nft-stateless", "nft-stateful"))


@dataclass(slots=True)
class Lab:
    """Does nothing, says what it was told to say, and notes what was asked of it."""

    says: Callable[[Task, int], Outcome] = lambda _task, _call: FINE
    calls: list[Task] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    busy: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)
    mutex: threading.Lock = field(default_factory=threading.Lock)
    stopped: int = 0

    def do(self, called: Task) -> Outcome:
        with self.mutex:
            self.calls.append(called)
            self.busy[called.lane] += 1
            self.most[called.lane] = max(self.most[called.lane], self.busy[called.lane])
        time.sleep(0.001)
        with self.mutex:
            self.busy[called.lane] -= 1
        return self.says(called, sum(item == called for item in self.calls))

    def stop(self) -> None:
        self.stopped += 1

    def carry(self, *cases: Case, places: int = 2, repeats: int = 2) -> tuple[Failure, ...]:
        return carry_out(phases(plan(*cases, repeats=repeats)), self.do, places, self.events.append, stop=self.stop)

    @property
    def done(self) -> list[str]:
        return [f"{item.step} {item.case.firewall.name} {item.repeat}".removesuffix(" 0") for item in self.calls]


@dataclass(slots=True)
class Beside(Lab):
    """A lab that notes what else was under way when a task began."""

    under_way: list[Task] = field(default_factory=list)
    beside: list[tuple[Task, list[Task]]] = field(default_factory=list)

    def do(self, called: Task) -> Outcome:
        with self.mutex:
            self.beside.append((called, list(self.under_way)))
            self.under_way.append(called)
        outcome_ = Lab.do(self, called)
        with self.mutex:
            self.under_way.remove(called)
        return outcome_


def says(answers: Mapping[tuple[str, Step], list[int]]) -> Callable[[Task, int], Outcome]:
    """The statuses of a firewall's step, one call after the other; the last stays."""

    def say(called: Task, call: int) -> Outcome:
        statuses = answers.get((called.case.firewall.name, called.step), [0])
        return outcome(statuses[min(call, len(statuses)) - 1])

    return say


def test_one_place_does_one_task_after_the_other_in_the_order_of_the_plan() -> None:
    lab = Lab()
    assert lab.carry(FORWARDING, STATEFUL, places=1) == ()
    assert lab.calls == [task for tasks in phases(plan(FORWARDING, STATEFUL)) for task in tasks]
    assert [event.task for event in lab.events] == lab.calls
    assert lab.most == {"": 1}
    assert lab.stopped == 0


def test_a_phase_is_over_before_the_next_begins() -> None:
    lab = Lab()
    lab.carry(FORWARDING, STATELESS, STATEFUL, places=3)
    assert [item.step for item in lab.calls] == [Step.PREPARE] * 3 + [Step.TRAFFIC] * 6 + [Step.COLLECT] * 3


@pytest.mark.parametrize("places", [1, 2, 3])
def test_the_virtual_lab_has_the_places_it_is_given(places: int) -> None:
    lab = Lab()
    lab.carry(FORWARDING, STATELESS, STATEFUL, places=places, repeats=4)
    assert lab.most[""] <= places
    assert len(lab.calls) == 3 + 12 + 3


def test_a_machine_has_one_place_whatever_the_virtual_lab_has() -> None:
    lab = Lab()
    lab.carry(FORWARDING, machine("apu2"), machine("c2758"), places=4, repeats=4)
    assert lab.most["apu2"] == lab.most["c2758"] == 1
    assert lab.most[""] <= 4


def test_machines_do_not_wait_for_each_other() -> None:
    meet = threading.Barrier(3, timeout=5)
    cases = (machine("apu2"), machine("c2758"), FORWARDING)

    def say(called: Task, _call: int) -> Outcome:
        if called.step is Step.TRAFFIC:
            meet.wait()
        return FINE

    assert Lab(says=say).carry(*cases, places=1, repeats=3) == ()


def test_nothing_runs_beside_what_must_be_alone() -> None:
    natives = [case(hardware=name, lab=Place.NETNS) for name in ("one", "two")]
    lab = Beside()
    lab.carry(*natives, FORWARDING, machine("apu2"), STATEFUL, places=3, repeats=4)
    assert len(lab.calls) == 5 * 6
    assert {len(beside) for called, beside in lab.beside if called.alone} == {0}
    assert max(len(beside) for called, beside in lab.beside if not called.alone) > 0


def test_a_broken_lab_gets_one_second_chance() -> None:
    lab = Lab(says=says({("nft-stateful", Step.TRAFFIC): [3, 0]}))
    assert lab.carry(STATEFUL, places=1, repeats=1) == ()
    assert lab.done == ["prepare nft-stateful", *["traffic nft-stateful 1"] * 2, "collect nft-stateful"]
    assert [event.outcome.status for event in lab.events] == [0, 0, 0]


@pytest.mark.parametrize(("status", "calls"), [(1, 1), (2, 1), (3, 2), (4, 1), (137, 1), (-9, 1)])
def test_only_a_broken_lab_is_tried_again_and_once(status: int, calls: int) -> None:
    lab = Lab(says=says({("nft-stateful", Step.TRAFFIC): [status]}))
    (failure,) = lab.carry(STATEFUL, places=1, repeats=3)
    assert lab.done == ["prepare nft-stateful", *["traffic nft-stateful 1"] * calls]
    assert failure.outcome.status == status


def test_a_case_that_is_given_up_is_left_out_and_the_others_go_on() -> None:
    lab = Lab(says=says({("nft-stateful", Step.TRAFFIC): [2]}))
    (failure,) = lab.carry(FORWARDING, STATEFUL, places=1, repeats=3)
    assert failure.message == "qemu-x86/debian-6.1/nft-stateful/none/udp4-64: repeat 1: it broke; mend it"
    assert sum("forwarding" in item for item in lab.done) == 5
    assert sum("nft-stateful" in item for item in lab.done) == 2
    told = [event for event in lab.events if event.task.key == STATEFUL.key]
    assert [event.skipped for event in told] == [False, False, True, True, True]
    assert len(lab.events) == 10, "every task is told, so that a bar comes to its end"


def test_a_case_that_cannot_be_prepared_is_not_offered_any_load() -> None:
    lab = Lab(says=says({("nft-stateful", Step.PREPARE): [2]}))
    (failure,) = lab.carry(FORWARDING, STATEFUL)
    assert failure.message.endswith("nft-stateful/none/udp4-64: prepare: it broke; mend it")
    assert "traffic nft-stateful 1" not in lab.done
    assert "traffic forwarding 2" in lab.done


def test_two_repeats_of_a_case_that_fail_at_once_are_one_failure() -> None:
    meet = threading.Barrier(2, timeout=5)

    def say(called: Task, _call: int) -> Outcome:
        if called.step is not Step.TRAFFIC:
            return FINE
        meet.wait()
        return outcome(2)

    assert len(Lab(says=say).carry(STATEFUL, places=2, repeats=2)) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_ends_the_work_stops_what_is_under_way(error: type[BaseException]) -> None:
    under_way, stopped = threading.Event(), threading.Event()

    def do(called: Task) -> Outcome:
        if called.repeat == 2:
            under_way.set()
            assert stopped.wait(timeout=5), "the pool would wait for this thread"
        return FINE

    def report(event: Event) -> None:
        if event.task.repeat == 1:
            under_way.wait(timeout=5)
            raise error

    with pytest.raises(error):
        carry_out([[task(), task(repeat=2)], [task(repeat=3)]], do, 2, report, stop=stopped.set)


def test_an_error_of_ours_is_not_taken_for_a_failed_case() -> None:
    def do(_called: Task) -> Outcome:
        raise RuntimeError("a bug")

    lab = Lab()
    with pytest.raises(RuntimeError, match="a bug"):
        carry_out([[task()]], do, 1, lab.events.append, stop=lab.stop)
    assert lab.stopped == 1


def test_nothing_to_do_is_done() -> None:
    assert Lab().carry() == ()


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [([], 0), ([3], 3), ([2], 2), ([3, 2, 3], 2), ([1], 3), ([137, 3], 3), ([-9], 3), ([4], 3)],
)
def test_the_author_is_told_before_the_lab_keeper(statuses: list[int], expected: int) -> None:
    assert exit_code(Failure(task=task(), outcome=outcome(status)) for status in statuses) == expected


@given(st.lists(st.sampled_from([0, 2, 3]), min_size=3, max_size=3), st.integers(min_value=1, max_value=4))
def test_every_task_is_told_once_whatever_fails(statuses: list[int], places: int) -> None:
    cases = (FORWARDING, STATELESS, STATEFUL)
    answers = {(of.firewall.name, Step.TRAFFIC): [status] for of, status in zip(cases, statuses, strict=True)}
    lab = Lab(says=says(answers))
    failures = lab.carry(*cases, places=places)
    assert Counter(event.task for event in lab.events) == Counter(t for tasks in phases(plan(*cases)) for t in tasks)
    assert {failure.task.key for failure in failures} == {
        of.key for of, status in zip(cases, statuses, strict=True) if status
    }
