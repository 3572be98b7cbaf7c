"""Trials of FreeBSD's shape over real ssh: the scripts are real, as are the frames; the tools are stand-ins."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.profiles.pmc_graph import fold
from tests.scripts.freebsd.bsd import freebsd
from tests.scripts.ssh.bed import Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

DUT = "dut 10.0.0.12"


@pytest.mark.parametrize("family", ["udp4", "udp6"])
def test_a_trial_of_pkt_gen_is_counted_by_its_reports(bsd: Bed, family: str) -> None:
    asked = bsd.named("forwarding", family)
    record = asked.measure()
    assert faults_of(record) == ()
    assert len(record.series) == 3
    assert record.trial.frame_size == {"udp4": 64, "udp6": 82}[family]
    assert record.trial.offered_pps == pytest.approx({"udp4": 1000, "udp6": 1500}[family], rel=0.05)
    assert record.counted("receiver:sink", "rx_packets") == pytest.approx(record.sent, abs=1)  # one was under way
    assert {name for hop, _ in record.counters for name in [hop]} >= {"dut:d0", "dut:d1", "dut:cpu", "dut:ip"}
    settings = dict(record.conditions.sysctls)
    assert settings["kern.random.sys.harvest.mask"] == "351"
    assert settings["loader:hw.igb.rxd"] == "2048"
    assert dict(record.conditions.facts)["kernel_revision"] == "n268154"
    first, *_ = (asked.run / "repeat-1/sender.log").read_text().splitlines()
    assert first.startswith("CMD: pkt-gen -N -f tx -i s0")


@pytest.mark.parametrize(
    ("shell", "firewall"),
    [("/usr/bin/dash", "ipfw-stateful"), ("/usr/bin/dash", "pf-stateful"), ("/bin/bash", "ipf-stateful")],
)
def test_rules_are_loaded_and_read_back_and_a_profile_is_taken(
    node_folders: Path, cache: Path, shell: str, firewall: str
) -> None:
    for node in ("sender", "dut"):
        (node_folders / node / "shell").write_text(shell)
    with freebsd(node_folders, cache) as bed:
        asked = bed.named(firewall, "udp4")
        record = asked.measure()
        assert faults_of(record) == ()
        counters = dict(dict(record.counters)["dut:firewall"])
        assert "states" in counters
        assert "rule_1_packets" in counters
        done = asked.call("collect.sh")
        assert done.status == 0, done.said
        graph = (asked.run / "profile/pmcstat.graph").read_text()
        assert fold(graph, "pmcstat.graph").samples == 100


def test_an_upgrade_image_is_streamed_booted_and_proven(bsd: Bed) -> None:
    upgraded = next(case for case in bsd.cases if case.patch.name == "D1")
    done = replace(bsd, case=upgraded).call("prepare.sh")
    assert done.status == 2
    assert done.last.endswith("an image has its own loader settings; put 'loader' of 'tunings' into it")
    settings = tuple(pair for pair in upgraded.hardware.settings if not pair[0].startswith("tuning.loader."))
    asked = replace(bsd, case=replace(upgraded, hardware=replace(upgraded.hardware, settings=settings)))
    record = asked.measure()
    assert faults_of(record) == ()
    facts = dict(record.conditions.facts)
    assert facts["kernel_revision"] == "r317849"
    assert facts["image_sha256"] == sha256(b"an image\n").hexdigest()


def test_a_boot_environment_that_is_not_there_is_told_with_those_that_are(bsd: Bed) -> None:
    done = bsd.with_case(revision=replace(bsd.case.revision, package="stable-16")).call("prepare.sh")
    assert done.status == 2
    assert f"{DUT}: there is no boot environment 'stable-16'; name one of default, main-n268154" in done.last


@pytest.mark.parametrize(
    ("name", "rules", "words"),
    [
        (
            "ipfw-bad",
            "add 100 allow ip from any to any\nadd 200 alow ip from any to any\n",
            "other.rules:2: invalid action",
        ),
        ("pf-bad", "pass all\nblokc all\n", "other.rules:2: syntax error"),
        ("ipf-bad", "pass in all\npass sideways all\n", "other.rules:2: syntax error error at"),
    ],
)
def test_rules_that_a_firewall_refuses_keep_its_own_words(bsd: Bed, name: str, rules: str, words: str) -> None:
    asked = bsd.with_rules(name, rules)
    assert asked.call("prepare.sh").status == 0
    done = asked.call("traffic.sh", "1")
    assert done.status == 2
    assert f"{DUT}: {words}" in done.last


def test_a_cable_that_is_out_after_netmap_opened_the_port_is_told(node_folders: Path, cache: Path) -> None:
    (node_folders / "sender/cable-is-out").touch()
    with freebsd(node_folders, cache) as bed:
        assert bed.call("prepare.sh").status == 0
        done = bed.call("traffic.sh", "1")
        assert done.status == 3
        assert "sender 10.0.0.11: " in done.last or "receiver 10.0.0.11: " in done.last
        assert "after netmap opened it (look at its cable and the other end) did not come within 14 s" in done.last
