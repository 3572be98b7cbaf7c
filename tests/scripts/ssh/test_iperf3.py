"""iperf3 through a tunnel, real at both ends: its reports are the counts, and what it cannot say is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.search.goal import CURVE, Curve, program_text
from tests.scripts.ssh.bed import Bed
from tests.scripts.ssh.conftest import Lay

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

SHELLS = {"sender": "/usr/bin/busybox", "receiver": "/bin/bash"}
OCTETS = {"inet": 64, "inet6": 82}


def asked(bed: Bed, family: str, **traffic: object) -> Bed:
    """The case with frames that iperf3 can make."""
    named = bed.named("forwarding", family)
    words = {"frame_size": OCTETS[family], "flows": 4, "load": "20000", **traffic}
    return named.with_case(traffic=replace(named.case.traffic, **words))  # type: ignore[arg-type]


def test_a_tunnel_is_measured_by_what_iperf3_reports(ground: Path, lay: Lay) -> None:
    for node, shell in SHELLS.items():
        (ground / node / "shell").write_text(shell)
    bed = lay(topology="tunnel", generator="iperf3")
    for family, octets in OCTETS.items():
        record = asked(bed, family).measure()
        busy_host = "sender offered "
        assert [fault for fault in faults_of(record) if not fault.startswith(busy_host)] == []
        assert record.trial.generator.endswith(", UDP, counted by its reports at both ends")
        assert record.trial.frame_size == octets
        assert record.trial.offered_pps == pytest.approx(20_000, rel=0.05)
        assert record.counted("receiver:sink", "rx_packets") == pytest.approx(record.sent, rel=0.001)
        assert record.counted("reference:e1", "tx_packets") == pytest.approx(record.sent, rel=0.002)
        for node in ("sender", "receiver"):
            assert "100.1" not in bed.on(node, "/sbin/ip", "address")
    assert reports_of_sender(asked(bed, "inet").run / "repeat-1") == 2
    curve = program_text(Curve(loads=(3000, 6000), shares=False, final_s=0.5))
    several = asked(bed, "inet", load=CURVE, goal=curve)
    record = several.measure()
    assert not [fault for fault in faults_of(record) if "appear" in fault or "vanish" in fault]
    assert record.searched
    assert [item.loss_ratio for item in record.searched.trials] == pytest.approx([0, 0], abs=0.002)
    assert reports_of_sender(several.run / "repeat-1/trial-2") == 2
    rules = bed.named("iptables-stateless", "inet")
    rules = rules.with_case(traffic=asked(bed, "inet").case.traffic)
    assert rules.call("prepare.sh").status == 0
    done = rules.call("traffic.sh", "1")
    assert done.status == 3
    assert "sender 10.0.0.11: iperf3 stopped (unable to connect to server" in done.last
    assert "TCP and UDP to port 9 pass both ways" in done.last


def reports_of_sender(folder: Path) -> int:
    """How many blasts of iperf3 are told beside this result."""
    return (folder / "sender.log").read_text().count('"version":\t"iperf 3')


@pytest.mark.parametrize(
    ("traffic", "sentence"),
    [
        ({"frame_size": 61}, "generator 'iperf3' makes no frame below 62 octets of this family, not 61"),
        ({"flows": 129}, "generator 'iperf3' has at most 128 flows, not 129"),
    ],
)
def test_what_iperf3_cannot_send_is_refused(lay: Lay, traffic: dict[str, object], sentence: str) -> None:
    bed = asked(lay(generator="iperf3"), "inet", **traffic)
    assert bed.call("prepare.sh").status == 0
    done = bed.call("traffic.sh", "1")
    assert done.status == 2
    assert f"sender 10.0.0.11: {sentence}" in done.last
