"""Real machines: who sends, forwards and receives, how each is reached, and what is set on the DUT."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fwdlab.case import Family

Pairs = tuple[tuple[str, str], ...]


class Topology(StrEnum):
    """How many hosts stand around the DUT, and what they do."""

    TWO_NODES = "two-nodes"  # sender and receiver are ports of one host
    THREE_NODES = "three-nodes"
    TWO_SENDERS = "two-senders"  # legitimate traffic, and an attack from a host of its own
    TUNNEL = "tunnel"  # a reference endpoint between DUT and receiver takes the DUT's tunnel apart


class Role(StrEnum):
    """What a node does; each is a key under 'nodes'."""

    SENDER = "sender"
    DUT = "dut"
    RECEIVER = "receiver"
    ATTACKER = "attacker"
    REFERENCE = "reference"


class Os(StrEnum):
    """Operating system of a node or of a revision."""

    LINUX = "linux"
    FREEBSD = "freebsd"


class Generator(StrEnum):
    """How a lab of real nodes makes its load."""

    PKT_GEN = "pkt-gen"  # netmap's
    PKTGEN = "pktgen"  # the Linux kernel's
    LIVE_FRAMES = "live-frames"  # this project's: an XDP program's frames
    PACKETS = "packets"  # this project's: a packet socket
    TREX = "trex"  # Cisco's, stateless
    IPERF3 = "iperf3"

    @property
    def systems(self) -> tuple[Os, ...]:
        """Where it runs."""
        return tuple(Os) if self is Generator.PKT_GEN else (Os.LINUX,)

    @property
    def topologies(self) -> tuple[Topology, ...]:
        """Where it can tell what it counts: an attack from the load, its own port from another host's."""
        match self:
            case Generator.PACKETS | Generator.PKTGEN:
                return tuple(Topology)
            case Generator.IPERF3:
                return (Topology.THREE_NODES, Topology.TUNNEL)
        return (Topology.TWO_NODES, Topology.THREE_NODES, Topology.TUNNEL)


class Reboot(StrEnum):
    """How often the DUT starts anew."""

    NEVER = "never"
    CASE = "case"  # where another case was measured last
    REPEAT = "repeat"


class Firewall(StrEnum):
    """A firewall by its command; a name in the matrix begins with one."""

    NFT = "nft"
    IPTABLES = "iptables"
    IPFW = "ipfw"
    PF = "pf"
    IPF = "ipf"

    @property
    def systems(self) -> tuple[Os, ...]:
        """Where it runs."""
        return (Os.LINUX,) if self in (Firewall.NFT, Firewall.IPTABLES) else (Os.FREEBSD,)


ROLES = {  # of a topology, in the order a frame passes them
    Topology.TWO_NODES: (Role.SENDER, Role.DUT, Role.RECEIVER),
    Topology.THREE_NODES: (Role.SENDER, Role.DUT, Role.RECEIVER),
    Topology.TWO_SENDERS: (Role.SENDER, Role.ATTACKER, Role.DUT, Role.RECEIVER),
    Topology.TUNNEL: (Role.SENDER, Role.DUT, Role.REFERENCE, Role.RECEIVER),
}
PORTS = {  # of a role: what of it stands in the path
    Role.SENDER: ("egress",),
    Role.ATTACKER: ("egress",),
    Role.DUT: ("ingress", "egress"),
    Role.REFERENCE: ("ingress", "egress"),
    Role.RECEIVER: ("ingress",),
}

# Where nothing else is written: networks of RFC 2544 (C.2.2) and RFC 5180 (section 8), as in the other labs.
_ADDRESSES = {
    (Role.SENDER, "egress"): ("198.18.0.2/24", "2001:2:0:1::2/64"),
    (Role.ATTACKER, "egress"): ("198.18.0.3/24", "2001:2:0:1::3/64"),
    (Role.DUT, "ingress"): ("198.18.0.1/24", "2001:2:0:1::1/64"),
    (Role.DUT, "egress"): ("198.19.0.1/24", "2001:2:0:2::1/64"),
    (Role.RECEIVER, "ingress"): ("198.19.0.2/24", "2001:2:0:2::2/64"),
}
_TUNNEL_ADDRESSES = {
    (Role.DUT, "egress"): ("198.18.1.1/24", "2001:2:0:3::1/64"),
    (Role.REFERENCE, "ingress"): ("198.18.1.2/24", "2001:2:0:3::2/64"),
    (Role.REFERENCE, "egress"): ("198.19.0.1/24", "2001:2:0:2::1/64"),
}


def usual_address(topology: Topology, role: Role, port: str, family: Family) -> str:
    """The address with its length that a port has where the matrix names none."""
    addresses = {**_ADDRESSES, **_TUNNEL_ADDRESSES} if topology is Topology.TUNNEL else _ADDRESSES
    return addresses[role, port][0 if family is Family.INET else 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Port:
    """An interface in the path."""

    interface: str
    mac: str  # as it must be; empty where the node is believed
    inet: str  # address with its length
    inet6: str

    @property
    def settings(self) -> Pairs:
        """What cases carry of it."""
        mac = (("mac", self.mac),) if self.mac else ()
        return (("interface", self.interface), *mac, ("inet", self.inet), ("inet6", self.inet6))


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A host of the lab in one of its roles."""

    role: Role
    os: Os
    ports: tuple[tuple[str, Port], ...]  # by what they are in the path: ingress, egress
    host: str  # name or address on the admin network
    ssh_port: int
    user: str

    @property
    def settings(self) -> Pairs:
        """What its cases carry of it."""
        ports = ((f"{name}.{key}", value) for name, port in self.ports for key, value in port.settings)
        return tuple((f"{self.role}.{key}", value) for key, value in (("os", str(self.os)), *ports))

    @property
    def access(self) -> Pairs:
        """How it is reached."""
        reached = (("host", self.host), ("port", str(self.ssh_port)), ("user", self.user))
        return tuple((f"{self.role}.{key}", value) for key, value in reached)


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialTime:
    """How long a trial lasts on the wall's clock, in milliseconds."""

    warmup: int  # before the first sample, not analysed
    samples: int
    length: int  # of each sample

    @property
    def settings(self) -> Pairs:
        """What cases carry of it."""
        return (
            ("trial.warmup_ms", str(self.warmup)),
            ("trial.samples", str(self.samples)),
            ("trial.slice_ms", str(self.length)),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Real:
    """A DUT among real machines."""

    topology: Topology
    tunnel: str  # how DUT and reference endpoint wrap the load; empty in other topologies
    line_rate_bps: int
    nic: str
    cpu: str  # as the vendor calls it; a profiler chooses its event by it
    generator: Generator
    trex: str  # its folder on the ends' hosts; empty for other generators
    reboot: Reboot
    kernel: Pairs  # what kernels are built for; empty where none is
    tunings: Pairs  # of the DUT, by what sets them: ("sysctl net.inet.ip.redirect", "0")
    trial: TrialTime
    nodes: tuple[Node, ...]
    identity: str  # file of the private key
    known_hosts: str  # file of the pinned host keys
    power: Pairs  # empty: nobody can
    console: str  # the command's words; empty: none is kept

    @property
    def dut(self) -> Node:
        """The node under test."""
        return next(node for node in self.nodes if node.role is Role.DUT)

    @property
    def settings(self) -> Pairs:
        """What its cases carry of it."""
        return (
            ("topology", str(self.topology)),
            *((("tunnel", self.tunnel),) if self.tunnel else ()),
            ("line_rate_bps", str(self.line_rate_bps)),
            ("nic", self.nic),
            ("cpu", self.cpu),
            ("generator", str(self.generator)),
            ("reboot", str(self.reboot)),
            *self.kernel,
            *((f"tuning.{name}", value) for name, value in self.tunings),
            *self.trial.settings,
            *(pair for node in self.nodes for pair in node.settings),
        )

    @property
    def access(self) -> Pairs:
        """How its nodes are reached; no result depends on it."""
        return tuple(self._access())

    def _access(self) -> Iterator[tuple[str, str]]:
        yield from (("identity", self.identity), ("known_hosts", self.known_hosts))
        yield from (pair for node in self.nodes for pair in node.access)
        if self.trex:
            yield "trex", self.trex
        yield from ((f"power.{key}", value) for key, value in self.power)
        if self.console:
            yield "console", self.console
