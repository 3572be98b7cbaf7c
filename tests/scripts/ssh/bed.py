"""A laboratory of network namespaces: a controller, its nodes with a real sshd each, and the scripts called there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fwdlab.case import Case, case_text
from fwdlab.files import write_whole
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.make import records_of
from fwdlab.records.model import Record
from tests.unit.run.processes import MARK

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "runner-scripts"
NODES = ("sender", "dut", "receiver", "attacker", "reference")
ADDRESSES = {node: f"10.0.0.{number}" for number, node in enumerate(("sender", "dut", "receiver", *NODES[3:]), 11)}
PATIENCE_S = 120
MATRIX = """\
repeats: 3
seed: 1
hardware:
  bed:
    lab: ssh
    title: Linux in network namespaces
    topology: {topology}
    line_rate: 10Gbps
    nic: veth
    generator: {generator}
    reboot: never
    tunings: {{ethtool: ["-K gro on"], sysctl: {{net.ipv4.conf.all.send_redirects: 0}}}}
    ssh: {{identity: id, known_hosts: known_hosts}}
    trial: {{warmup: 100ms, samples: 5, length: 40ms}}
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
  inet: {{family: inet, frame_size: 64, flows: 200, load: max}}
  inet6: {{family: inet6, frame_size: 66, flows: 200, load: max}}
"""
PORTS = {
    "sender": "egress: {interface: s0}",
    "attacker": "egress: {interface: a0}",
    "dut": "ingress: {interface: d0}, egress: {interface: d1}",
    "reference": "ingress: {interface: e0}, egress: {interface: e1}",
    "receiver": "ingress: {interface: r0}",
}
ROLES = {
    "two-nodes": ("sender", "dut", "receiver"),
    "three-nodes": ("sender", "dut", "receiver"),
    "two-senders": ("sender", "attacker", "dut", "receiver"),
    "tunnel": ("sender", "dut", "reference", "receiver"),
}


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a call ended."""

    status: int
    said: str

    @property
    def last(self) -> str:
        """The sentence a person reads."""
        return self.said.splitlines()[-1] if self.said else ""


@dataclass(frozen=True, kw_only=True)
class Bed:
    """A laboratory that is there, and a case to measure in it."""

    folder: Path  # the keys, the matrix and the rule files
    init: int  # the process that holds the namespaces
    cache: Path
    case: Case

    @property
    def run(self) -> Path:
        return self.folder / "runs" / self.case.folder

    def inside(self, *words: str) -> list[str]:
        """The command that runs these words on the controller."""
        enter = ["nsenter", f"--target={self.init}", "--mount", "--net", "--pid", "--"]
        return [*enter, "/bin/sh", "-c", 'cd "$0" && exec "$@"', str(self.folder), *words]

    def on(self, node: str, *words: str) -> str:
        """What a command says that is run on a node, past ssh."""
        named = self.inside("/sbin/ip", "netns", "exec", node, *words)
        return subprocess.run(named, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout

    def by_ssh(self, node: str, command: str) -> str:
        """What a shell command says that is run on a node by ssh, with the disk that the node has."""
        options = ["-i", "id", "-o", "UserKnownHostsFile=known_hosts", "-o", "BatchMode=yes"]
        words = self.inside("ssh", "-F", "/dev/null", *options, f"root@{ADDRESSES[node]}", command)
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout

    def running(self, program: str) -> list[str]:
        """The command lines of a program, wherever in the laboratory it runs."""
        words = self.inside("ps", "-e", "-o", "args=")
        said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout
        return [line for line in said.splitlines() if line.split(" ")[0].rpartition("/")[2] == program]

    def environment(self, **settings: str) -> dict[str, str]:
        return {**os.environ, "FWDLAB_CACHE": str(self.cache), MARK: str(self.folder), **settings}

    def start(self, script: str, *words: str) -> subprocess.Popen[str]:
        """Call a runner script for the case, to be watched."""
        case_file = self.folder / "a.case"
        write_whole(case_file, case_text(self.case))
        return subprocess.Popen(
            self.inside(str(SCRIPTS / script), str(case_file), str(self.run), *words),
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )

    def call(self, script: str, *words: str) -> Done:
        """Call a runner script for the case, and wait for it."""
        child = self.start(script, *words)
        _, said = child.communicate(timeout=PATIENCE_S)
        return Done(status=child.returncode, said=said)

    def fwdlab(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Call fwdlab on the controller."""
        command = self.inside("python3", "-P", "-m", "fwdlab", *words, "--runner-scripts", str(SCRIPTS))
        return subprocess.run(
            command,
            env=self.environment(PYTHONPATH=str(ROOT)),
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )

    def measure(self, repeat: str = "1") -> Record:
        """The record of one repeat, prepared where it is not yet."""
        for script, words in (("prepare.sh", ()), ("traffic.sh", (repeat,))):
            done = self.call(script, *words)
            assert done.status == 0, done.said
        made = {record.trial.repeat: record for record in records_of(self.run) if isinstance(record, Record)}
        return made[int(repeat)]

    def with_case(self, **parts: object) -> Bed:
        """The same laboratory, asked for a case with other parts."""
        return replace(self, case=replace(self.case, **parts))  # type: ignore[arg-type]

    def with_access(self, **access: str) -> Bed:
        """The same laboratory, reached otherwise."""
        now = {**dict(self.case.hardware.access), **access}
        return self.with_case(hardware=replace(self.case.hardware, access=tuple(now.items())))

    def with_load(self, load: int) -> Bed:
        """The same laboratory, asked for so many packets a second."""
        return self.with_case(traffic=replace(self.case.traffic, load=str(load)))

    def with_settings(self, **settings: str) -> Bed:
        """The same laboratory, its machine described otherwise."""
        now = {**dict(self.case.hardware.settings), **settings}
        return self.with_case(hardware=replace(self.case.hardware, settings=tuple(now.items())))

    def with_rules(self, name: str, text: str) -> Bed:
        """The same laboratory, with a firewall of these rules."""
        (self.folder / "other.rules").write_text(text)
        firewall = replace(self.case.firewall, name=name, rules="other.rules", sha256=sha256(text.encode()).hexdigest())
        return self.with_case(firewall=firewall)

    def named(self, firewall: str, traffic: str) -> Bed:
        """The same laboratory, asked for the case of its matrix with these."""
        cases = resolved_cases(load_matrix(self.folder / "matrix.yaml"), SCRIPTS)
        return replace(self, case=next(c for c in cases if (c.firewall.name, c.traffic.name) == (firewall, traffic)))


def matrix_text(topology: str, generator: str) -> str:
    """The matrix of the laboratory."""
    lines = []
    for role in ROLES[topology]:
        host = f"host: {ADDRESSES[role]}, os: linux, "
        lines.append(f"      {role}: {{{'' if (topology, role) == ('two-nodes', 'receiver') else host}{PORTS[role]}}}")
    return MATRIX.format(topology=topology, generator=generator, nodes="\n".join(lines), release=os.uname().release)


def write_keys(folder: Path) -> None:
    """A key for the controller, a host key for each node, and the pins of them."""
    make_key(folder / "id")
    pins = []
    for node in NODES:
        (folder / node / "bin").mkdir(parents=True)
        (folder / node / "hidden").touch()
        (folder / node / "shell").write_text(os.path.realpath("/bin/sh"))
        make_key(folder / node / "host_key")
        shutil.copy(folder / "id.pub", folder / node / "authorized_keys")
        pins.append(f"{ADDRESSES[node]} {(folder / node / 'host_key.pub').read_text()}")
    (folder / "known_hosts").write_text("".join(pins))


def make_key(path: Path) -> None:
    """A key pair without a passphrase."""
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(words, stdin=subprocess.DEVNULL, check=True)


@contextmanager
def laboratory(folder: Path, cache: Path, topology: str = "three-nodes", generator: str = "packets") -> Iterator[Bed]:
    """A laboratory in namespaces that end with it, and with us, however that comes."""
    (folder / "matrix.yaml").write_text(matrix_text(topology, generator))
    shutil.copy(SCRIPTS / "firewalls/nft-stateful.nft", folder / "stateful.nft")
    rules = "*filter\n:FORWARD DROP [0:0]\n-A FORWARD -p udp --dport 9 -j ACCEPT\nCOMMIT\n"
    (folder / "stateless.iptables").write_text(rules)
    isolated = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *isolated, str(Path(__file__).with_name("bed.sh")), str(folder), topology],
        env={**os.environ, MARK: str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        init = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        cases = resolved_cases(load_matrix(folder / "matrix.yaml"), SCRIPTS)
        yield Bed(folder=folder, init=init, cache=cache, case=cases[0])
    finally:
        process.kill()
        process.communicate()
