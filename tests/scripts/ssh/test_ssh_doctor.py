"""A machine is examined: a line a check, a fault says what to look at, and keeps jobs away until it is mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripts.ssh.bed import Bed, Done
from tests.scripts.ssh.conftest import Lay

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]


def doctor(bed: Bed) -> Done:
    """How an examination ends, with its lines."""
    done = bed.fwdlab("doctor", "bed", "-m", "matrix.yaml")
    return Done(status=done.returncode, said=done.stdout + done.stderr)


def faults(bed: Bed) -> list[str]:
    """What an examination finds at fault."""
    done = doctor(bed)
    assert done.status == 3, done.said
    return [line.removeprefix("fault  ") for line in done.said.splitlines() if line.startswith("fault")]


def rewrite(bed: Bed, old: str, new: str) -> None:
    """Change the matrix."""
    matrix = bed.folder / "matrix.yaml"
    text = matrix.read_text()
    assert old in text
    matrix.write_text(text.replace(old, new))


def test_a_sound_machine_has_a_line_for_every_check(bed: Bed) -> None:
    done = doctor(bed)
    assert done.status == 0, done.said
    lines = done.said.splitlines()
    assert all(line.startswith("ok     ") for line in lines)
    for words in (
        "dut 10.0.0.12: answers; its key is the pinned one, ours is accepted",
        "dut 10.0.0.12: runs linux, and we may change it",
        "dut 10.0.0.12: has nft (nftables v",
        "dut 10.0.0.12: has iptables-restore (",
        "receiver 10.0.0.13: its clock is this host's, within ",
        "dut 10.0.0.12: egress 'd1' has a link, of 10000 Mb/s",
        "dut 10.0.0.12: no 'power' is in the matrix: somebody has to come when it hangs",
    ):
        assert [line for line in lines if words in line], words
    assert " pps that nobody takes, of 14880952 at line rate" in lines[-1]
    assert [bed.by_ssh(node, "ls /var/tmp") for node in ("sender", "receiver")] == ["", ""]
    assert list((bed.cache / "machines").glob("*.lease")) == []


def test_a_fault_quarantines_the_machine_until_it_is_mended(bed: Bed) -> None:
    rewrite(bed, "line_rate: 10Gbps", "line_rate: 100Gbps")
    found = faults(bed)
    advice = "look at its cable, the switch port and what the other end offers"
    assert found[0] == f"sender 10.0.0.11: interface 's0' runs at 10000 Mb/s, the matrix says 100000; {advice}"
    assert len(found) == 4
    refused = bed.call("prepare.sh")
    assert refused.status == 3
    assert refused.last.startswith("bed: quarantined since 20")
    assert refused.last.endswith(f" because {found[0]}; './lab doctor bed' lifts it when all is well")
    assert f"note: {refused.last}" in bed.fwdlab("plan", "-m", "matrix.yaml").stdout
    rewrite(bed, "line_rate: 100Gbps", "line_rate: 10Gbps")
    mended = doctor(bed)
    assert mended.status == 0
    assert mended.last.endswith("; lifted")
    assert bed.call("prepare.sh").status == 0
    assert "quarantined" not in bed.fwdlab("plan", "-m", "matrix.yaml").stdout


def test_every_fault_is_found_in_one_go(bed: Bed) -> None:
    pins = (bed.folder / "known_hosts").read_text().splitlines(keepends=True)
    (bed.folder / "known_hosts").write_text("".join(pins[1:]))
    clock = bed.folder / "receiver/bin/date"
    clock.write_text("#!/bin/sh\necho 1000\n")
    clock.chmod(0o755)
    rewrite(bed, "egress: {interface: d1}", "egress: {interface: d9}")
    rewrite(
        bed,
        "    nodes:\n",
        "    power: {command: [/no/pdu, '{action}']}\n    console: {command: [/no/shown]}\n    nodes:\n",
    )
    found = "\n".join(faults(bed))
    assert "sender 10.0.0.11: no host key of it is pinned; compare the one of ssh-keyscan with its console" in found
    assert (
        "dut 10.0.0.12: there is no interface 'd9'; name one of admin, d0, d1, lo in the nodes of the matrix" in found
    )
    assert "receiver 10.0.0.13: its clock is -" in found
    assert "dut 10.0.0.12: command '/no/pdu' did not do it (" in found
    assert "dut 10.0.0.12: the console command ended (" in found


def test_a_tool_that_is_missing_on_a_node_is_named(lay: Lay, ground: Path) -> None:
    (ground / "receiver/hidden").write_text("/usr/sbin/nft\n")
    assert faults(lay()) == ["receiver 10.0.0.13: 'nft' is missing; install the package 'nftables' there"]


def test_a_machine_that_the_matrix_has_not_is_refused(bed: Bed) -> None:
    done = bed.fwdlab("doctor", "bad", "-m", "matrix.yaml")
    assert done.returncode == 2
    assert done.stderr == "matrix.yaml: hardware 'bad' is not declared; did you mean 'bed'?\n"
