"""Searches and curves over real ssh: the DUT polices, so the truth is known."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.hops import path_of
from fwdlab.records.model import Label, Record
from fwdlab.search.goal import CURVE, Curve, Goal, Program, Search, program_text, usual_goal
from tests.scripts.ssh.bed import PATIENCE_S, SCRIPTS, Bed
from tests.scripts.ssh.conftest import Lay
from tests.unit.run.processes import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

FAULT = SCRIPTS / "bed/fault.sh"
RATE, BURST = 5000, 100  # of the policer; a sender on a busy host is late, and then comes in bursts
ATTACK = "198.18.200.0/24"
POLICER = """table inet filter {{
	chain forward {{
		type filter hook forward priority 0;
		{first}
		limit rate over {rate}/second burst {burst} packets counter drop
	}}
}}
"""
WIDTH = 0.04  # more than a burst is of a trial's frames


def searching(bed: Bed, load: str, program: Program, first: str = "", rate: int = RATE) -> Bed:
    """The laboratory with a DUT that lets so many packets a second pass, asked for a search or a curve."""
    traffic = replace(bed.case.traffic, load=load, goal=program_text(program))
    rules = POLICER.format(first=first, rate=rate, burst=rate * BURST // RATE)
    return bed.with_rules("nft-policer", rules).with_case(traffic=traffic)


def short(search: Search, loss: float = 0.0) -> Goal:
    return replace(usual_goal(search), loss=loss, width=WIDTH, initial_s=0.8, final_s=0.8, sum_s=0.8, trials=20)


def adds_up(record: Record) -> bool:
    """Whether what the DUT dropped is what is missing between both ends."""
    into, out = record.counted("dut:d0", "rx_packets") or 0, record.counted("dut:d1", "tx_packets") or 0
    return abs(into - out - dropped(record)) <= 5 and into > 0


def dropped(record: Record) -> int:
    """What the rules of the DUT's firewall counted: each that counts drops."""
    counts = [count for hop, values in record.counters if hop == "dut:firewall" for name, count in values]
    assert counts
    return sum(counts)


def test_a_search_finds_the_policer_though_a_link_flaps_meanwhile(bed: Bed) -> None:
    asked = searching(bed, Search.NDR, short(Search.NDR))
    assert asked.call("prepare.sh").status == 0
    child = asked.start("traffic.sh", "1")
    until((asked.run / "repeat-1.partial/trial-2/result").exists, 60, "the second trial never began")
    until(lambda: asked.running("packets"), 20, "the sender never began")
    until(lambda: not asked.running("packets"), 20, "the warm-up never ended")
    until(lambda: asked.running("packets"), 20, "the load never began")
    assert fault(asked, "unplug", "receiver", "r0", "0.2")
    _, said = child.communicate(timeout=PATIENCE_S)
    assert child.returncode == 0, said
    record = asked.measure()
    assert faults_of(record) == ()
    assert adds_up(record)
    assert record.label is Label.NDR
    # On a busy host a sender is late and then in a hurry, and the policer cuts what comes in a burst.
    assert 0.5 * RATE < (record.trial.forwarded_pps or 0) <= (1 + WIDTH) * RATE
    assert record.searched
    flapped, again = record.searched.trials[1:3]
    assert "the link changed: dut:d1 2 times, receiver:r0 2 times" in flapped.fault
    assert (again.intended_pps, again.fault) == (flapped.intended_pps, "")


@pytest.mark.parametrize("topology", ["two-senders", "tunnel"])
def test_what_is_searched_for_is_the_load_whatever_else_is_on_the_path(lay: Lay, topology: str) -> None:
    """The DUT drops an attack, and then polices; a goal that allows loss forgives what comes in a burst."""
    bed = lay(topology=topology).named("forwarding", "inet")
    goal = replace(short(Search.PDR, loss=0.1), width=0.1)
    asked = searching(bed, Search.PDR, goal, f"ip saddr {ATTACK} counter drop")
    record = asked.measure()
    assert faults_of(record) == ()
    assert 0.8 * RATE < (record.trial.forwarded_pps or 0) <= 1.1 * RATE
    assert record.searched
    for tried in record.searched.trials[1:]:
        assert tried.loss_ratio < 0.9, "an attack is nobody's loss"
    attacked = record.counted("attacker:generator", "tx_packets")
    assert attacked is None if topology == "tunnel" else attacked == pytest.approx(20_000 * 0.8, rel=0.5)
    found = path_of(record)
    assert found is not None
    assert found.lost == pytest.approx(dropped(record), abs=5)


def test_a_generator_that_reports_once_a_second_has_trials_of_whole_seconds(lay: Lay) -> None:
    bed = lay(generator="pkt-gen", trial="{warmup: 1s, samples: 5, length: 1s}")
    asked = searching(bed, CURVE, Curve(loads=(300, 900), shares=False, final_s=2), rate=600)
    record = asked.measure()
    assert [fault for fault in faults_of(record) if not fault.startswith("sender offered ")] == []
    assert len(record.series) == 2
    assert record.searched
    below, above = record.searched.trials
    assert (below.offered_pps, above.offered_pps) == pytest.approx((300, 900), rel=0.05)
    assert (below.loss_ratio, above.loss_ratio) == pytest.approx((0, 1 / 3), abs=0.05)


def test_a_sender_that_dies_ends_the_repeat_and_the_next_attempt_goes_on_in_the_same_boot(bed: Bed) -> None:
    curve = Curve(loads=(0.5 * RATE, 0.6 * RATE, 0.7 * RATE, 2.0 * RATE), shares=False, final_s=0.8)
    asked = searching(bed.named("forwarding", "inet6"), CURVE, curve)
    assert asked.call("prepare.sh").status == 0
    child = asked.start("traffic.sh", "1")
    until((asked.run / "repeat-1.partial/trial-4/result").exists, 60, "the fourth trial never began")
    until(lambda: fault(asked, "kill", "sender", "packets"), 20, "the sender never began")
    _, said = child.communicate(timeout=PATIENCE_S)
    assert child.returncode == 3
    assert "sender 10.0.0.11: generator 'packets' died" in said.splitlines()[-1]
    ended, folder = asked.run / "failed/repeat-1.1", asked.run / "repeat-1"
    (ended / "trial-2/facts").write_text("boot\tanother\n")
    record = asked.measure()
    kept = [same(ended / f"trial-{number}/result", folder / f"trial-{number}/result") for number in (1, 2, 3)]
    assert kept == [True, False, False]
    assert faults_of(record) == ()
    assert adds_up(record)
    assert record.searched
    half, *_, double = (item for item in record.searched.trials if not item.fault)
    assert half.loss_ratio == 0
    assert double.loss_ratio == pytest.approx(0.5, abs=0.03)


def same(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()


def fault(bed: Bed, *words: str) -> bool:
    """Break something in the laboratory; whether it was there."""
    broken = subprocess.run(bed.inside(str(FAULT), str(bed.folder), *words), check=False, timeout=PATIENCE_S)
    return broken.returncode == 0
