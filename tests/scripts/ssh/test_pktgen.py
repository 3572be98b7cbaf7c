"""What pktgen.sh writes below /proc/net/pktgen, by the kernel's own list of commands; no kernel here has them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.ssh.bed import SCRIPTS

SHELLS = (("dash",), ("busybox", "sh"), ("bash", "--posix"))
MAC, FOUR, SIX = "([0-9a-f]{2}:){5}[0-9a-f]{2}", r"(\d{1,3}\.){3}\d{1,3}", "[0-9a-f:]+"
THREAD = (r"rem_device_all", r"add_device [\w.@-]+")  # Documentation/networking/pktgen.rst: thread commands
DEVICE = (
    *(rf"{name} \d+" for name in ("clone_skb", "delay", "count", "pkt_size", "ratep")),
    *(rf"udp_{end}_{edge} \d+" for end in ("src", "dst") for edge in ("min", "max")),
    *(rf"{end}_mac {MAC}" for end in ("src", "dst")),
    *(rf"{end}_{edge} {FOUR}" for end in ("src", "dst") for edge in ("min", "max")),
    *(rf"{end}6 {SIX}" for end in ("src", "dst")),
)
CONTROL = ("start", "stop", "reset")
MACS = ("02:00:00:00:00:0a", "02:00:00:00:00:0b")
COUNTED = "Params: count 0  min_pkt_size: 60\nCurrent:\n     pkts-sofar: 12345  errors: 2\nResult: OK: 1(c1+d0) usec\n"


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request: pytest.FixtureRequest) -> tuple[str, ...]:
    words: tuple[str, ...] = request.param
    return words


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A node's scripts, which find pktgen's folder below the test's."""
    shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    (tmp_path / "pktgen").mkdir()
    for name in ("pktgen.sh", "pktgen-load"):
        path = tmp_path / "node/generators" / name
        path.write_text(path.read_text().replace("/proc/net/pktgen", str(tmp_path / "pktgen")))
    return tmp_path


def written(node: Path, shell: tuple[str, ...], *words: str) -> dict[str, list[str]]:
    """The commands that a start of the sender writes, by file; each comes alone, as the kernel wants it."""
    pipes = {}
    for name in ("kpktgend_0", "s0", "pgctrl"):
        os.mkfifo(node / "pktgen" / name)
        pipes[name] = os.open(node / "pktgen" / name, os.O_RDWR | os.O_NONBLOCK)
    command = [*shell, "generators/pktgen.sh", "start", "send", "s0", *words]
    done = subprocess.run(command, cwd=node / "node", capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 0, done.stderr
    subprocess.run(["kill", "-KILL", (node / "node/state/send.pid").read_text().strip()], check=True)
    return {name: os.read(pipe, 65536).decode().splitlines() for name, pipe in pipes.items() if name != "pgctrl"}


@pytest.mark.parametrize("load", ["0", "20000"])
@pytest.mark.parametrize(
    ("ends", "lines"),
    [
        (("198.18.100.1", "198.19.100.1"), ["src_min 198.18.100.1", "dst_max 198.19.100.1"]),
        (("2001:2:0:a::1", "2001:2:0:b::1"), ["src6 2001:2:0:a::1", "dst6 2001:2:0:b::1"]),
    ],
)
def test_every_command_is_one_of_the_kernels(
    node: Path, shell: tuple[str, ...], load: str, ends: tuple[str, str], lines: list[str]
) -> None:
    said = written(node, shell, *MACS, *ends, "64", "200", load, "60000", "1", "1")
    assert said["kpktgend_0"] == ["rem_device_all", "add_device s0"]
    for name, grammar in (("kpktgend_0", THREAD), ("s0", DEVICE)):
        assert [line for line in said[name] if not any(re.fullmatch(one, line) for one in grammar)] == []
    assert {"pkt_size 60", "src_mac 02:00:00:00:00:0a", "dst_mac 02:00:00:00:00:0b", *lines} <= set(said["s0"])
    assert {"udp_src_min 10000", "udp_src_max 10200"} <= set(said["s0"])  # the kernel leaves the last one out
    assert ("ratep 20000" in said["s0"]) is (load != "0")


def test_a_blast_ends_by_itself_and_says_what_was_sent(node: Path, shell: tuple[str, ...]) -> None:
    (node / "pktgen/s0").write_text(COUNTED)
    words = [*shell, "generators/pktgen-load", "s0", "100"]
    done = subprocess.run(words, cwd=node / "node", capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stdout) == (0, "12345\n")
    assert (node / "pktgen/pgctrl").read_text().strip() in CONTROL


def test_what_pktgen_cannot_send_or_does_not_take_is_told(node: Path, shell: tuple[str, ...]) -> None:
    def said(*words: str) -> tuple[int, str]:
        command = [*shell, "generators/pktgen.sh", "start", "send", "s0", *MACS, "198.18.100.1", "198.19.100.1", *words]
        done = subprocess.run(command, cwd=node / "node", capture_output=True, text=True, check=False, timeout=20)
        return done.returncode, done.stderr.splitlines()[-1]

    status, refused = said("64", "200", "0", "1000", "20", "10")
    assert status == 92
    assert refused.startswith("generator 'pktgen' tells flows apart by their port alone")
    (node / "pktgen/kpktgend_0").mkdir()  # takes nothing
    status, refused = said("64", "200", "0", "1000", "1", "1")
    assert status == 3
    assert refused.startswith("pktgen does not take 'rem_device_all' for kpktgend_0; look at its messages in dmesg")
