"""A FreeBSD end of a tunnel: what it makes, that it makes it anew, and what it says where the kernel cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.freebsd.bsd import furnish
from tests.scripts.ssh.bed import SCRIPTS

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may make interfaces, in a namespace of their own")

OUTER = {"inet": ("198.18.1.1", "198.18.1.2"), "inet6": ("2001:2:0:3::1", "2001:2:0:3::2")}
SINKS = {"inet": "198.19.100.0/24", "inet6": "2001:2:0:b::/64"}
INNER = {"inet": ("198.18.2.1", "198.18.2.2"), "inet6": ("2001:2:0:4::1", "2001:2:0:4::2")}


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A node's scripts, with the tools that a FreeBSD has."""
    furnish(tmp_path)
    shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    (tmp_path / "node/state").mkdir()
    return tmp_path


def in_namespace(node: Path, script: str) -> subprocess.CompletedProcess[str]:
    """How a shell script ends that runs where a node's scripts lie, in a network of its own."""
    return subprocess.run(
        ["unshare", "--net", "--mount", "/bin/sh", "-c", f"/bin/mount -t sysfs none /sys\n{script}"],
        cwd=node / "node",
        env={**os.environ, "HOME": str(node / "dut"), "PATH": f"{node}/dut/bin:{os.environ['PATH']}:/usr/sbin:/sbin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("shell", ["dash", "bash --posix"])
@pytest.mark.parametrize("family", ["inet", "inet6"])
@pytest.mark.parametrize("kind", ["gre", "ipip", "vxlan"])
def test_an_end_has_its_addresses_and_the_way_through_it(node: Path, kind: str, family: str, shell: str) -> None:
    make = f"{shell} freebsd/tunnel.sh {kind} {family} d1 {' '.join(OUTER[family])} {SINKS[family]} 1"
    done = in_namespace(
        node, f"set -e\n{make}\n{make}\n/sbin/ip address show fwdlab0\n/sbin/ip route\n/sbin/ip -6 route\n"
    )
    assert done.returncode == 0, done.stderr
    own, other = INNER[family]
    assert own in done.stdout
    assert f"{SINKS[family]} via {other} dev fwdlab0" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("gre inet d1 198.18.1.1 2001:2:0:3::2 198.19.100.0/24 1", "SIOCSIFPHYADDR: Invalid argument"),
        ("ipip inet6 d1 198.18.1.1 198.18.1.2 198.19.100.0/24 1", "error in parsing address string"),
    ],
)
def test_what_the_kernel_refuses_is_told_with_its_words(node: Path, words: str, sentence: str) -> None:
    done = in_namespace(node, f"dash freebsd/tunnel.sh {words}")
    assert done.returncode == 3
    assert done.stderr.startswith(f"the kernel makes no tunnel of kind '{words.split(maxsplit=1)[0]}' (ifconfig: ")
    assert sentence in done.stderr
    assert done.stderr.endswith("; load its module there\n")
