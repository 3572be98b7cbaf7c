"""A laboratory of real nodes on one machine: a network namespace each, with an sshd; this process holds them all.

Needs root, and the packages of `setup/test.packages`. What it is made of is `runner-scripts/bed`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import LabError

_ROOT = Path(__file__).parents[2]
_BED = _ROOT / "runner-scripts/bed/bed.sh"
_PROGRAMS = {"reboot": "reboot.sh", "pkt-gen": "pkt_gen.py"}  # that a node has beside those of this host
AHEAD = ("chrt", "-f", "1")
ADDRESSES = {
    "sender": "10.0.0.11",
    "dut": "10.0.0.12",
    "receiver": "10.0.0.13",
    "attacker": "10.0.0.14",
    "reference": "10.0.0.15",
}
ROLES = {
    "two-nodes": ("sender", "dut", "receiver"),
    "three-nodes": ("sender", "dut", "receiver"),
    "two-senders": ("sender", "attacker", "dut", "receiver"),
    "tunnel": ("sender", "dut", "reference", "receiver"),
}
_PORTS = {
    "sender": "egress: {interface: s0}",
    "attacker": "egress: {interface: a0}",
    "dut": "ingress: {interface: d0}, egress: {interface: d1}",
    "reference": "ingress: {interface: e0}, egress: {interface: e1}",
    "receiver": "ingress: {interface: r0}",
}
_MATRIX = """\
repeats: 3
seed: 1
hardware:
  bed:
    lab: ssh
    title: Linux in network namespaces
    topology: {topology}{tunnel}
    line_rate: 10Gbps
    nic: veth
    generator: {generator}
    reboot: never
    tunings: {{ethtool: ["-K gro on"], sysctl: {{net.ipv4.conf.all.send_redirects: 0}}}}
    ssh: {{identity: id, known_hosts: known_hosts}}
    trial: {trial}
    nodes:
{nodes}
revisions:
  running: {{title: What runs, os: linux, running: kernel, version: {release}}}
firewalls:
  forwarding: {{}}
  nft-stateful: {{rules: stateful.nft}}
  iptables-stateless: {{rules: stateless.iptables}}
patches:
  none: {{}}
traffic:
  inet: {{family: inet, frame_size: 64, flows: 200, load: max{attack}}}
  inet6: {{family: inet6, frame_size: 66, flows: 200, load: max{attack}}}
"""
_IPTABLES = "*filter\n:FORWARD DROP [0:0]\n-A FORWARD -p udp --dport 9 -j ACCEPT\nCOMMIT\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Plot:
    """What a laboratory is to be."""

    topology: str = "three-nodes"
    generator: str = "packets"
    trial: str = "{warmup: 100ms, samples: 4, length: 150ms}"
    ahead: bool = False  # its nodes' processes come before all ordinary work of this host (SCHED_FIFO)


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """A laboratory that is there."""

    folder: Path  # keys, matrix and rule files; the working directory on the controller
    init: int  # the process whose namespaces it is

    def inside(self, *words: str) -> list[str]:
        """The command that runs these words on the controller."""
        enter = ["nsenter", f"--target={self.init}", "--mount", "--net", "--pid", "--"]
        return [*enter, "/bin/sh", "-c", 'cd "$0" && exec "$@"', str(self.folder), *words]


def prepare_ground(folder: Path) -> None:
    """A key for the controller, a host key for each node with its pin, and what a node's folder must hold."""
    _make_key(folder / "id")
    pins = []
    for node, address in ADDRESSES.items():
        (folder / node / "bin").mkdir(parents=True)
        for name, file in _PROGRAMS.items():
            (folder / node / "bin" / name).symlink_to(_BED.with_name(file))
        (folder / node / "boot_s").write_text("1")
        (folder / node / "hidden").touch()
        (folder / node / "shell").write_text(os.path.realpath("/bin/sh"))
        _make_key(folder / node / "host_key")
        shutil.copy(folder / "id.pub", folder / node / "authorized_keys")
        pins.append(f"{address} {(folder / node / 'host_key.pub').read_text()}")
    (folder / "known_hosts").write_text("".join(pins))


def _make_key(path: Path) -> None:
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(words, stdin=subprocess.DEVNULL, check=True)


def write_matrix(folder: Path, plot: Plot) -> None:
    """The matrix of a laboratory, and the rules it names."""
    (folder / "matrix.yaml").write_text(_matrix_text(plot))
    shutil.copy(_ROOT / "runner-scripts/firewalls/nft-stateful.nft", folder / "stateful.nft")
    (folder / "stateless.iptables").write_text(_IPTABLES)


@contextmanager
def laboratory(folder: Path, plot: Plot, environment: Mapping[str, str]) -> Iterator[Site]:
    """A laboratory on prepared ground, with a matrix; it ends with the caller, however that comes."""
    write_matrix(folder, plot)
    isolated = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    process = subprocess.Popen(
        [
            "setpriv",
            "--pdeathsig",
            "KILL",
            *(AHEAD if plot.ahead else ()),
            *isolated,
            str(_BED),
            str(folder),
            plot.topology,
        ],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise LabError(f"{_BED}: the laboratory did not come up; run it by hand as root")
        yield Site(folder=folder, init=_child_of(process.pid))
    finally:
        process.kill()
        process.communicate()


def _child_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def _matrix_text(plot: Plot) -> str:
    lines = []
    for role in ROLES[plot.topology]:
        of_sender = (plot.topology, role) == ("two-nodes", "receiver")
        host = "" if of_sender else f"host: {ADDRESSES[role]}, os: linux, "
        lines.append(f"      {role}: {{{host}{_PORTS[role]}}}")
    return _MATRIX.format(
        topology=plot.topology,
        tunnel="\n    tunnel: vxlan" if plot.topology == "tunnel" else "",
        attack=", attack: 20000" if plot.topology == "two-senders" else "",
        generator=plot.generator,
        trial=plot.trial,
        nodes="\n".join(lines),
        release=os.uname().release,
    )
