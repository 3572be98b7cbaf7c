"""pkt-gen on nodes of Linux, by its stand-in: its frames cross a real DUT; a port that fails ends it with 'ouch'."""

from __future__ import annotations

import io
import subprocess

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.generators.log import Kind
from fwdlab.generators.pkt_gen import read_log
from tests.scripts.ssh.bed import ROOT, Bed
from tests.scripts.ssh.conftest import Lay
from tests.unit.run.processes import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

PPS = 1000  # of the stand-in, where it is asked for the most
TRIAL = "{warmup: 1s, samples: 2, length: 1s}"
PKT_GEN = ROOT / "runner-scripts/bed/pkt_gen.py"
ENDS = "-s 198.18.10.1:1-198.18.10.1:9 -d 198.19.10.1:9-198.19.10.1:9"
SENDER = f"-f tx -4 -i lo -S 02:00:00:00:00:01 -D 02:00:00:00:00:02 {ENDS}"


def test_a_trial_is_counted_by_reports_until_a_receiver_says_ouch(lay: Lay) -> None:
    bed = lay(generator="pkt-gen", trial=TRIAL)
    for family, firewall in (("inet", "forwarding"), ("inet6", "nft-stateful")):
        asked = bed.named(firewall, family)
        record = asked.measure()
        assert faults_of(record) == ()
        assert len(record.series) == 2
        assert record.trial.offered_pps == pytest.approx(PPS, rel=0.05)
        assert record.counted("receiver:sink", "rx_packets") == pytest.approx(record.sent, abs=1)
    trial = asked.start("traffic.sh", "2")
    until(lambda: any("receiver/bin/pkt-gen" in line for line in bed.running("python3")), 20, "the receiver runs")
    (bed.folder / "receiver/ouch").touch()
    _, said = trial.communicate(timeout=60)
    assert trial.returncode == 3
    assert "receiver 10.0.0.13: pkt-gen stopped (" in said
    assert "ouch, thread 0 exited with error); look at the link of its port" in said
    assert asked.call("traffic.sh", "2").status == 0
    a_port_that_goes_down_ends_it_in_the_words_of_the_archive(bed)


def a_port_that_goes_down_ends_it_in_the_words_of_the_archive(bed: Bed) -> None:
    words = bed.inside("/sbin/ip", "netns", "exec", "receiver", str(PKT_GEN), "-N", "-f", "rx", "-i", "r0", "-w", "1")
    receiver = subprocess.Popen(words, stderr=subprocess.PIPE)
    assert receiver.stderr is not None
    said = b""
    while b"receiver_body" not in said:
        said += receiver.stderr.readline()
    bed.on("receiver", "/sbin/ip", "link", "set", "r0", "down")
    said += receiver.communicate(timeout=20)[1]
    log = read_log(io.BytesIO(said), "receiver.log")
    assert [trouble.kind for trouble in log.troubles] == [Kind.POLL, Kind.DEAD]
    assert log.finished
    assert said.decode().splitlines()[-3] == "Receiving from netmap:r0: 4 queues, 1 threads and 1 cpus."


@pytest.mark.parametrize(
    "words",
    [
        "",
        "-f rx",
        "-f ping -i lo",
        "-f rx -i nonesuch",
        "-f rx -i lo -w soon",
        "-f rx -i lo -Q",
        "-f rx -i lo more",
        "-f tx -i lo",
        SENDER.replace("00:01", "00"),
        SENDER.replace("-4", "-6"),
        SENDER.replace("1:9-", "1-"),
    ],
)
def test_words_that_pkt_gen_does_not_take_are_refused(words: str) -> None:
    done = subprocess.run([str(PKT_GEN), *words.split()], capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 1
    assert done.stderr.startswith("Usage:") or done.stderr.splitlines()[-1].endswith(("interface", "exist"))
