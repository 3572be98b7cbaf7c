"""Real trials over real ssh between namespaces: what is counted, what is read back, and that nothing is left."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.hops import path_of
from fwdlab.records.model import Record
from tests.scripts.ssh.bed import Bed
from tests.scripts.ssh.conftest import Lay
from tests.unit.run.processes import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


def adds_up(record: Record) -> bool:
    """Whether what each hop lost comes to what the trial lost."""
    sent, sunk = record.sent, record.counted("receiver:sink", "rx_packets") or 0
    d0, d1 = record.counted("dut:d0", "rx_packets") or 0, record.counted("dut:d1", "tx_packets") or 0
    return (sent - d0) + (d0 - d1) + (d1 - sunk) == sent - sunk and sunk > 0


def speakers(listening: int) -> list[str]:
    """The processes that hold a pipe of ours open, us aside."""
    pipe = Path(f"/proc/self/fd/{listening}").readlink()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) != os.getpid() and pipe in {path.readlink() for path in (process / "fd").iterdir()}:
                found.append((process / "cmdline").read_text())
        except OSError:
            continue  # it ended meanwhile
    return found


@pytest.mark.parametrize("family", ["inet", "inet6"])
@pytest.mark.parametrize("topology", ["two-nodes", "three-nodes"])
def test_a_trial_counts_what_is_sent_at_every_hop(lay: Lay, topology: str, family: str) -> None:
    record = lay(topology=topology).named("forwarding", family).measure()
    assert faults_of(record) == ()
    assert adds_up(record)
    assert record.trial.frame_size == {"inet": 64, "inet6": 66}[family]
    assert len(record.series) == 4


@pytest.mark.parametrize("family", ["inet", "inet6"])
def test_an_attack_is_offered_beside_the_load_and_counted_apart(lay: Lay, family: str) -> None:
    record = lay(topology="two-senders").named("forwarding", family).with_load(20_000).measure()
    assert faults_of(record) == ()
    attacked = record.counted("attacker:generator", "tx_packets") or 0
    assert attacked > 10_000
    assert dict(record.conditions.facts)["attack"] == "20000"
    assert record.counted("attacker:generator", "due_packets") == 20_000 * 4 * 150 // 1000
    assert record.counted("receiver:attack", "rx_packets") == pytest.approx(attacked, rel=0.01)
    assert record.counted("dut:d0", "rx_packets") == pytest.approx(attacked + (record.sent or 0), rel=0.01)
    found = path_of(record)
    assert found is not None
    assert [item.where for item in found.stretches] == ["sender to DUT", "in the DUT", "to the receiver"]
    assert found.lost == pytest.approx(0, abs=found.sent // 1000)


@pytest.mark.parametrize("family", ["inet", "inet6"])
def test_a_reference_endpoint_takes_the_duts_tunnel_apart(lay: Lay, family: str) -> None:
    record = lay(topology="tunnel").named("forwarding", family).with_load(20_000).measure()
    assert faults_of(record) == ()
    assert adds_up(record)
    octets = record.counted("dut:d1", "tx_bytes") or 0
    assert record.trial.frame_size is not None
    assert octets / (record.counted("dut:d1", "tx_packets") or 1) > record.trial.frame_size + 40
    assert record.counted("reference:e1", "tx_packets") == pytest.approx(record.sent, rel=0.01)
    found = path_of(record)
    assert found is not None
    assert len(found.stretches) == 5
    assert all(abs(item.lost) * 1000 <= found.sent for item in found.stretches)


def test_both_generators_of_ours_offer_and_count(lay: Lay) -> None:
    record = lay(generator="live-frames").measure()
    assert faults_of(record) == ()
    assert record.trial.generator.startswith("live frames")


@pytest.mark.parametrize("firewall", ["nft-stateful", "iptables-stateless"])
def test_rules_are_loaded_counted_and_read_back(bed: Bed, firewall: str) -> None:
    asked = bed.named(firewall, "inet")
    record = asked.measure()
    assert faults_of(record) == ()
    counters = dict(dict(record.counters)["dut:firewall"])
    assert max(value for name, value in counters.items() if name.startswith("rule_")) >= record.sent * 0.9
    report = (asked.run / "repeat-1/dut.report").read_text()
    assert "dport 9" in report


def test_a_load_is_offered_as_it_is_intended(bed: Bed) -> None:
    record = bed.with_load(20_000).measure()
    assert faults_of(record) == ()
    assert record.trial.intended_pps == 20_000
    assert record.trial.offered_pps == pytest.approx(20_000, rel=0.05)  # a busy host is late, and makes up for it


@pytest.mark.parametrize("family", ["inet", "inet6"])
def test_a_mix_of_sizes_is_repeated_in_its_order(bed: Bed, family: str) -> None:
    asked = bed.named("forwarding", family).with_load(24_000)
    mix = "7x70 4x594 1x1518"
    record = asked.with_case(traffic=replace(asked.case.traffic, imix=mix, frame_size=364)).measure()
    assert faults_of(record) == ()
    assert adds_up(record)
    octets, frames = (record.counted("dut:d1", counter) or 0 for counter in ("tx_bytes", "tx_packets"))
    assert octets / frames + 4 == pytest.approx((7 * 70 + 4 * 594 + 1518) / 12, rel=1e-3)
    facts = dict(record.conditions.facts)
    assert (facts["imix"], facts["imix_order"]) == (mix, "repeated")


def test_a_load_that_the_sender_cannot_reach_marks_the_trial_and_names_the_host(bed: Bed) -> None:
    asked = bed.with_load(90_000_000)
    assert asked.call("prepare.sh").status == 0
    done = asked.call("traffic.sh", "1")
    assert done.status == 0
    assert "sender 10.0.0.11: offered " in done.last
    assert done.last.endswith("pps of 90000000 intended; look at its processor and link, or intend less")
    (fault, *_) = faults_of(asked.measure())
    assert fault.startswith("sender offered ")


def test_another_case_finds_nothing_of_the_one_before(bed: Bed) -> None:
    refusing = bed.with_rules(
        "nft-none",
        "table inet filter {\n\tchain forward {\n\t\ttype filter hook forward priority 0; policy drop;\n\t}\n}\n",
    )
    (fault, *_) = faults_of(refusing.measure())
    assert fault.startswith("the receiver saw no frame")
    assert faults_of(bed.measure()) == ()


@pytest.mark.parametrize("shell", ["/usr/bin/dash", "/usr/bin/busybox", "/bin/bash"])
def test_any_shell_runs_a_nodes_scripts(ground: Path, lay: Lay, shell: str) -> None:
    for node in ("sender", "dut", "receiver"):
        (ground / node / "shell").write_text(shell)
    bed = lay().named("nft-stateful", "inet6")
    assert faults_of(bed.measure()) == ()
    assert bed.call("collect.sh").status == 0


def test_nothing_is_left_on_the_nodes_after_a_trial(bed: Bed) -> None:
    assert bed.call("prepare.sh").status == 0
    child = bed.start("traffic.sh", "1")
    assert child.wait() == 0
    assert child.stderr is not None
    assert speakers(child.stderr.fileno()) == [], "whoever listens would wait for them"
    assert child.communicate()[1] == ""
    assert [bed.by_ssh(node, "ls /var/tmp") for node in ("sender", "dut", "receiver")] == ["", "fwdlab-dut\n", ""]
    assert "fwdlab" not in bed.on("receiver", "nft", "list", "ruleset")


def test_nothing_is_left_on_the_nodes_of_a_trial_that_was_killed(bed: Bed) -> None:
    asked = bed.with_settings(**{"trial.slice_ms": "2000"})
    assert asked.call("prepare.sh").status == 0
    child = asked.start("traffic.sh", "1")
    until(lambda: bed.running("packets"), 20, "the sender never began")
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    until(lambda: not bed.running("packets"), 5, "the sender went on")
    until(lambda: not bed.by_ssh("sender", "ls /var/tmp"), 5, "its folder stayed")
    until(lambda: "fwdlab" not in bed.on("receiver", "nft", "list", "ruleset"), 5, "the sink stayed")
