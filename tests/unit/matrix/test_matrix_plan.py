"""What a matrix comes to: repeats, boots, lab time, campaigns, notes and the order of the boots."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.campaign import Adaptive
from fwdlab.case import Case, Family, Firewall, Hardware, Kind, Lab, Patch, Revision, Traffic
from fwdlab.errors import MatrixError
from fwdlab.matrix.expand import as_written, expand, quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix
from fwdlab.matrix.plan import NO_HISTORY, History, Plan, Planned, make_plan, refuse_above, schedule
from tests.unit.matrix.example import Bench, bent
from tests.unit.structure.tree import ROOT


def cases_of(matrix: Matrix) -> tuple[Case, ...]:
    return tuple(expand(matrix, as_written(matrix), {Lab.QEMU: "5c"}))


def plan_of(matrix: Matrix, history: History = NO_HISTORY) -> Plan:
    return make_plan(matrix, cases_of(matrix), history)


def item(number: int, repeats: int, done: frozenset[int] = frozenset()) -> Planned:
    case = Case(
        hardware=Hardware(name=f"box{number}", lab=Lab.QEMU, settings=()),
        revision=Revision(name="r", kind=Kind.IMAGE, package="p", version="1", sha256=""),
        firewall=Firewall(name="forwarding", rules="", sha256=""),
        patch=Patch(name="none", file="", sha256="", options=""),
        traffic=Traffic(name="t", family=Family.INET, frame_size=64, flows=1, load="max"),
        runner_sha256="",
    )
    return Planned(case=case, key=str(number), repeats=repeats, done=done, profiled=False)


def order(items: list[Planned], seed: int) -> list[list[tuple[str, int]]]:
    plan = Plan(origin="m", seed=seed, planned=tuple(items), machines=(), campaigns=(), notes=())
    return [[(turn.planned.key, turn.repeat) for turn in turns] for turns in schedule(plan)]


counts = st.lists(st.integers(1, 6), max_size=12)


@given(counts, st.integers(0, 999))
def test_each_round_holds_each_case_that_has_so_many_repeats_once(repeats: list[int], seed: int) -> None:
    rounds = order([item(number, count) for number, count in enumerate(repeats)], seed)
    assert len(rounds) == max(repeats, default=0)
    for number, turns in enumerate(rounds, 1):
        assert Counter(turns) == Counter((str(case), number) for case, count in enumerate(repeats) if count >= number)


@given(counts, st.integers(0, 999))
def test_the_same_seed_gives_the_same_order(repeats: list[int], seed: int) -> None:
    items = [item(number, count) for number, count in enumerate(repeats)]
    assert order(items, seed) == order(items, seed)


@given(counts, st.integers(0, 999), st.frozensets(st.integers(1, 6)))
def test_what_is_measured_is_left_out_and_the_rest_keeps_its_order(
    repeats: list[int], seed: int, done: frozenset[int]
) -> None:
    whole = order([item(number, count) for number, count in enumerate(repeats)], seed)
    resumed = order([item(number, count, done) for number, count in enumerate(repeats)], seed)
    assert resumed == [[turn for turn in turns if turn[1] not in done] for turns in whole]


def test_rounds_and_seeds_differ_in_their_order() -> None:
    items = [item(number, 2) for number in range(12)]
    first, second = ([key for key, _ in turns] for turns in order(items, 1))
    assert first != second
    assert order(items, 1) != order(items, 2)
    assert first == ["2", "5", "3", "6", "9", "8", "10", "1", "0", "4", "7", "11"], "a recorded seed is for ever"


def test_a_case_gets_the_most_repeats_any_campaign_asks(bench: Bench) -> None:
    plan = plan_of(bench.load())
    assert {(planned.case.hardware.name, planned.repeats) for planned in plan.planned} == {("box", 7), ("arm", 5)}


def test_a_machine_plan_counts_repeats_profiles_and_time(bench: Bench) -> None:
    matrix = bench.load()
    keys = [case.key for case in cases_of(matrix)]
    done = {keys[0]: frozenset({1, 2, 9}), keys[-1]: frozenset({1})}
    plan = plan_of(matrix, History(done=done, profiled=frozenset(keys[:2]), boot_s={"box": 2.5}))
    box, arm = plan.machines
    assert (box.cases, box.repeats, box.repeats_left, box.profiles_left) == (8, 56, 54, 6)
    assert (box.boot_timed, box.left_s) == (True, 150.0)
    assert (arm.cases, arm.repeats, arm.repeats_left, arm.profiles_left, arm.boot_timed) == (5, 25, 24, 5, False)
    assert plan.planned[0].left == (3, 4, 5, 6, 7)


@pytest.mark.parametrize(("name", "minutes"), [("state-table", 10), ("state-table-virtual", 15)])
def test_a_plan_of_state_tables_is_near_what_it_took(name: str, minutes: float) -> None:
    matrix = load_matrix(ROOT / f"examples/{name}.yaml")
    cases = tuple(expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}))
    plan = make_plan(matrix, cases)
    (machine,) = plan.machines
    assert minutes / 2 < machine.left_s / 60 < 2 * minutes
    assert machine.left_s < machine.most_s < sum(item.repeats for item in plan.planned) * machine.longest_s
    assert "a test of a state table is reckoned at 200000 new connections a second" in plan.notes
    assert any("several trials a repeat, of 'rate4' 6, " in note for note in plan.notes)


def test_a_plan_above_the_cap_names_each_machine(bench: Bench) -> None:
    plan = plan_of(bench.load(), History(done={}, profiled=frozenset(), boot_s={"box": 60.0, "arm": 1.0}))
    refuse_above(plan, None)
    refuse_above(plan, 64 * 60.0)
    with pytest.raises(MatrixError) as error:
        refuse_above(plan, 63 * 60.0)
    assert str(error.value) == (
        f"{bench.path}: box needs 1 h 04 min of lab time, the cap is 1 h 03 min; "
        "select fewer cases or raise it with --cap"
    )


def test_a_campaign_holds_its_arms_with_the_baseline_first(bench: Bench) -> None:
    text = bent("compare: revision\n    baseline: old", "compare: firewall\n    baseline: nft-stateful")
    (campaign,) = plan_of(bench.load(text)).campaigns
    assert (campaign.axis, campaign.arms, campaign.baseline) == (
        "firewall",
        ("nft-stateful", "forwarding"),
        "nft-stateful",
    )
    assert (campaign.threshold, campaign.repeats) == (0.005, 7)
    assert len(campaign.members) == 8
    assert [member.names[0] for member in campaign.members] == ["box"] * 8


def test_members_carry_the_keys_of_their_cases(bench: Bench) -> None:
    matrix = bench.load()
    keys = {case.names: case.key for case in cases_of(matrix)}
    (campaign,) = plan_of(matrix).campaigns
    assert all(keys[member.names] == member.key for member in campaign.members)


def test_arms_come_in_the_order_that_is_written(bench: Bench) -> None:
    text = bent("revisions:\n", "revisions:\n  newer: {title: N, os: linux, package: linux-6.18, version: latest}\n")
    (campaign,) = plan_of(
        bench.load(bent("baseline: old", "baseline: old\n    arms: [new, newer, old]", text))
    ).campaigns
    assert campaign.arms == ("old", "new", "newer")
    (campaign,) = plan_of(bench.load(bent("baseline: old", "baseline: old\n    arms: [new, old]", text))).campaigns
    assert campaign.arms == ("old", "new")
    assert {member.names[1] for member in campaign.members} == {"old", "new"}


def test_the_virtual_lab_has_the_smaller_threshold(bench: Bench) -> None:
    text = bent("    threshold: 0.5%\n", "")
    matrix = bench.load(text)
    assert plan_of(matrix).campaigns[0].threshold == 0.002
    elsewhere = replace(matrix, machines=tuple(replace(machine, lab=Lab.SSH) for machine in matrix.machines))
    assert make_plan(elsewhere, cases_of(matrix)).campaigns[0].threshold == 0.01


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("repeats: 7", "repeats: 2", "campaign 'step' has fewer than 3 repeats; its verdicts will be 'invalid'"),
        ("repeats: 7", "repeats: 7", "5 of 13 cases are in no campaign; they are measured, and no page compares them"),
        (
            "size: 82",
            "size: 81",
            "traffic 'udp6' asks for frames of 81 octets; the sender's smallest over IPv6 have 82",
        ),
        ("warmup: 4000", "warmup: 1999", "hardware 'box' warms up with 1999 packets, fewer than the 2000 flows; a"),
        (
            "{hardware: arm, firewall: [nft-stateful]}",
            "{hardware: arm}\n  - {traffic: udp6}",
            "traffic 'udp6' has no case",
        ),
    ],
)
def test_what_is_worth_a_thought_is_a_note(bench: Bench, old: str, new: str, note: str) -> None:
    assert any(found.startswith(note) for found in plan_of(bench.load(bent(old, new))).notes)


def test_a_matrix_that_asks_nothing_is_told_so(bench: Bench) -> None:
    text = bent("repeats: 5", "repeats: 2")
    text = text[: text.index("campaigns:")]
    assert plan_of(bench.load(text)).notes == (
        "2 repeats are fewer than 3; no verdict can be given on them",
        "13 of 13 cases are in no campaign; they are measured, and no page compares them",
    )


def test_a_campaign_that_the_quick_round_cannot_compare_is_a_note(bench: Bench) -> None:
    text = bent("select: {hardware: box, traffic: udp4}", "select: {hardware: arm, traffic: udp4}")
    plan = plan_of(quick_of(bench.load(text)))
    assert plan.campaigns == ()
    assert plan.notes[-1] == "campaign 'step' has nothing to compare among these cases"


def test_repeats_by_need_plan_the_first_look_and_say_what_may_come(bench: Bench) -> None:
    plan = plan_of(bench.load(bent("repeats: 7", "repeats: {min: 4, max: 20, until: 0.5%}")))
    campaign = plan.campaigns[0]
    assert (campaign.repeats, campaign.adaptive) == (4, Adaptive(most=20, until=0.005))
    assert {item.repeats for item in plan.planned if item.key in {member.key for member in campaign.members}} == {4}
    assert any("may take 20 repeats of a case instead of 4" in note for note in plan.notes)


@pytest.mark.parametrize(("written", "gate"), [("", False), ("\n    gate: false", False), ("\n    gate: true", True)])
def test_a_campaign_is_a_gate_where_it_says_so(bench: Bench, written: str, gate: bool) -> None:
    (campaign,) = plan_of(bench.load(bent("repeats: 7", f"repeats: 7{written}"))).campaigns
    assert campaign.gate is gate
