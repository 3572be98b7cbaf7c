"""What a node lacks, or the case gets wrong, is one sentence with the host and the status of whose fault it is."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.bench._bed import ADDRESSES
from tests.scripts.ssh.bed import NODES, Bed, Done
from tests.scripts.ssh.conftest import Lay

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

DUT = f"dut {ADDRESSES['dut']}"
BY_HAND = "the matrix names no 'power', so switch it off and on by hand"


def refused(bed: Bed, status: int) -> Done:
    """How a first trial ends that ends badly."""
    prepared = bed.call("prepare.sh")
    done = prepared if prepared.status else bed.call("traffic.sh", "1")
    assert done.status == status, done.said
    return done


def test_a_host_key_that_changed_is_told_and_nothing_is_run(bed: Bed) -> None:
    pins = (bed.folder / "known_hosts").read_text().splitlines()
    other = (bed.folder / "sender/host_key.pub").read_text()
    pins[NODES.index("dut")] = f"{ADDRESSES['dut']} {other}"
    (bed.folder / "known_hosts").write_text("\n".join(pins))
    done = refused(bed, 3)
    cure = "where it was set up anew, compare the key on its console and mend 'known_hosts'"
    assert done.last == f"{DUT}: another host key than the pinned one; {cure}"


def test_a_host_key_that_nobody_pinned_is_told(bed: Bed) -> None:
    (bed.folder / "known_hosts").write_text("")
    assert ": no host key of it is pinned; compare the one of ssh-keyscan with its console" in refused(bed, 3).last


def test_a_key_that_is_refused_is_told_with_its_user(bed: Bed) -> None:
    shutil.copy(bed.folder / "sender/host_key.pub", bed.folder / "dut/authorized_keys")
    cure = "add its public half to the authorized_keys there, and 'PermitRootLogin prohibit-password'"
    assert refused(bed, 3).last == f"{DUT}: key 'id' is refused for user 'root'; {cure} to its sshd_config"


def test_a_port_nobody_listens_on_is_told(bed: Bed) -> None:
    done = refused(bed.with_access(**{"dut.port": "2222"}), 3)
    assert done.last == f"{DUT}: nobody listens on port 2222; start its sshd, or mend 'port' in the matrix; {BY_HAND}"


def test_a_host_that_does_not_answer_is_told(bed: Bed) -> None:
    done = refused(bed.with_access(**{"dut.host": "10.0.0.99"}), 3)
    cure = "look at its power and at the cable of the admin network"
    assert done.last == f"dut 10.0.0.99: no answer within 10 s; {cure}; {BY_HAND}"


@pytest.mark.parametrize(("program", "package"), [("nft", "nftables"), ("ethtool", "ethtool")])
def test_a_tool_that_is_missing_is_named_with_its_package(ground: Path, lay: Lay, program: str, package: str) -> None:
    (ground / "dut/hidden").write_text(f"/usr/sbin/{program}\n")
    done = refused(lay().named("nft-stateful", "inet"), 3)
    assert done.last == f"{DUT}: '{program}' is missing; install the package '{package}' there"


def test_an_interface_that_does_not_exist_is_told_with_those_that_do(bed: Bed) -> None:
    done = refused(bed.with_settings(**{"dut.egress.interface": "d9"}), 2)
    assert done.last == f"{DUT}: there is no interface 'd9'; name one of admin, d0, d1, lo in the nodes of the matrix"


def test_another_card_than_the_one_meant_is_told(bed: Bed) -> None:
    done = refused(bed.with_settings(**{"dut.ingress.mac": "00:0d:b9:41:ca:3d"}), 3)
    assert f"{DUT}: interface 'd0' has address " in done.last
    assert done.last.endswith("the matrix says 00:0d:b9:41:ca:3d; look at what is cabled where, or mend the matrix")


@pytest.mark.parametrize(
    ("name", "rules", "words"),
    [
        (
            "nft-bad",
            "table inet filter {\n\tchain forward { tpye filter; }\n}\n",
            "other.rules:2:18-21: Error: No symbol type information",
        ),
        ("iptables-bad", "*filter\n-A FORWARD -j PASS\nCOMMIT\n", "other.rules: iptables-restore v1"),
    ],
)
def test_rules_that_the_firewall_refuses_keep_its_own_words(bed: Bed, name: str, rules: str, words: str) -> None:
    done = refused(bed.with_rules(name, rules), 2)
    assert f"{DUT}: {words}" in done.last
    assert done.last.endswith("refuses it, mend the rule file")


def test_rules_of_no_firewall_are_refused(bed: Bed) -> None:
    assert (
        "firewall 'carrier-pigeon' does not begin with a command"
        in refused(bed.with_rules("carrier-pigeon", "coo"), 2).last
    )


def test_another_revision_than_the_planned_one_is_not_measured(bed: Bed) -> None:
    done = refused(bed.with_case(revision=replace(bed.case.revision, version="6.1.0-1")), 3)
    advice = "look at what it boots from, or mend 'version' in the matrix"
    assert done.last == f"{DUT}: booted '{os.uname().release}', planned was '6.1.0-1'; {advice}"


def test_a_node_of_another_system_is_told(bed: Bed) -> None:
    done = refused(bed.with_settings(**{"dut.os": "freebsd"}), 2)
    assert done.last == f"{DUT}: runs 'linux', the matrix says 'freebsd'; mend 'os' of this node"


def test_a_setting_that_is_not_there_is_told(bed: Bed) -> None:
    done = refused(bed.with_settings(**{"tuning.sysctl.net.ipv4.fast_lane": "1"}), 2)
    assert done.last == f"{DUT}: there is no setting 'net.ipv4.fast_lane'; mend 'tunings' in the matrix"


def test_a_setting_that_does_not_take_its_value_is_told(bed: Bed) -> None:
    done = refused(bed.with_settings(**{"tuning.sysctl.net.ipv4.ip_default_ttl": "4000"}), 2)
    assert f"{DUT}: setting 'net.ipv4.ip_default_ttl' does not take '4000' (" in done.last


def test_a_generator_that_cannot_set_a_load_is_told(lay: Lay) -> None:
    done = refused(lay(generator="live-frames").with_load(1000), 2)
    assert "sender 10.0.0.11: generator 'live-frames' offers the most it can; write 'load: max'" in done.last


def test_flows_by_address_are_refused_by_a_generator_that_has_none(bed: Bed) -> None:
    done = refused(bed.with_case(traffic=replace(bed.case.traffic, sources=20)), 2)
    assert "generator 'packets' tells flows apart by their port alone" in done.last


def test_a_kernel_without_pktgen_is_told(lay: Lay) -> None:
    if Path("/proc/net/pktgen").exists():
        pytest.skip("this kernel has it")
    done = refused(lay(generator="pktgen"), 3)
    assert "sender 10.0.0.11: the kernel has no pktgen (" in done.last
    assert done.last.endswith("; install its module there, or write 'generator: packets'")


def test_a_clock_that_jumps_during_a_trial_is_told_with_its_host(bed: Bed) -> None:
    clock = bed.folder / "sender/bin/date"
    under_way = "ls /var/tmp/fwdlab-*-sender/state/sent >/dev/null 2>&1 && set -- -d '+2 hours' \"$@\""
    clock.write_text(f'#!/bin/sh\n{under_way}\nexec /bin/date "$@"\n')
    clock.chmod(0o755)
    done = refused(bed, 3)
    words = "its clock jumped by 7200 s during the trial; see that NTP keeps it, by small steps"
    assert done.last in (f"sender 10.0.0.11: {words}", f"sender 10.0.0.11: {words.replace('7200', '7199')}")
    clock.unlink()
    assert bed.call("traffic.sh", "1").status == 0


def test_a_node_without_room_is_told(bed: Bed) -> None:
    bed.by_ssh("receiver", "head -c 32m /dev/zero >/var/tmp/full || true")
    done = refused(bed, 3)
    assert "receiver 10.0.0.13: " in done.last
    assert "No space left on device" in done.said
