"""Real trials over real ssh between namespaces: what is counted, what is read back, and that nothing is left."""

from __future__ import annotations

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.records.model import Record
from tests.scripts.ssh.bed import Bed
from tests.scripts.ssh.conftest import Lay

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


def adds_up(record: Record) -> bool:
    """Whether what each hop lost comes to what the trial lost."""
    sent, sunk = record.sent, record.counted("receiver:sink", "rx_packets") or 0
    d0, d1 = record.counted("dut:d0", "rx_packets") or 0, record.counted("dut:d1", "tx_packets") or 0
    return (sent - d0) + (d0 - d1) + (d1 - sunk) == sent - sunk and sunk > 0


@pytest.mark.parametrize("family", ["inet", "inet6"])
@pytest.mark.parametrize("topology", ["two-nodes", "three-nodes"])
def test_a_trial_counts_what_is_sent_at_every_hop(lay: Lay, topology: str, family: str) -> None:
    record = lay(topology=topology).named("forwarding", family).measure()
    assert faults_of(record) == ()
    assert adds_up(record)
    assert record.trial.frame_size == {"inet": 64, "inet6": 66}[family]
    assert len(record.series) == 5


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
