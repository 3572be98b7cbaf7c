"""Do the nodes of a lab of real machines make the path that its topology says?

Runs over documents that may have faults of shape: an entry that has one is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_interface, ip_network
from itertools import pairwise

from fwdlab.case import Family
from fwdlab.matrix.by_seconds import trial_faults
from fwdlab.matrix.fit import firewall_of
from fwdlab.matrix.model import NO_FIREWALL
from fwdlab.matrix.nodes import PORTS, ROLES, Firewall, Generator, Role, Topology, usual_address
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, mapping, text
from fwdlab.matrix.words import listed, near, quoted

_TREX_PORT = re.compile("port(0|[1-9][0-9]?)")
_REACHED = ("host", "port", "user", "os")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Lab:
    """One entry of lab 'ssh' whose shape is sound."""

    tree: Tree
    trail: Trail
    entry: Mapping[str, Plain]

    @property
    def topology(self) -> Topology:
        return Topology(text(self.entry["topology"]))

    @property
    def nodes(self) -> dict[str, dict[str, Plain]]:
        return {role: mapping(node) for role, node in mapping(self.entry["nodes"]).items()}

    def fault(self, message: str, *steps: str) -> Found:
        """A fault at the key these steps lead to."""
        trail = (*self.trail, *steps)
        return trail, self.tree.fault_at_key(trail, message)

    def value_fault(self, message: str, *steps: str) -> Found:
        """A fault at the value these steps lead to."""
        trail = (*self.trail, *steps)
        return trail, self.tree.fault(trail, message)


def node_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """What is wrong with machines of lab 'ssh', and with firewalls that none of them could load."""
    root = mapping(tree.value)
    labs = list(_labs(tree, mapping(root.get("hardware", "")), bad))
    for lab in labs:
        found = [*_role_faults(lab), *_receiver_faults(lab)]
        yield from found or [*_port_faults(lab), *_address_faults(lab), *_generator_faults(lab)]
    if labs:
        yield from _firewall_faults(tree, bad)
    yield from _flow_faults(tree, bad)


def _labs(tree: Tree, machines: Mapping[str, Plain], bad: set[Trail]) -> Iterator[_Lab]:
    for name, entry in machines.items():
        trail: Trail = ("hardware", name)
        if text(mapping(entry).get("lab", "")) == "ssh" and not any(place[:2] == trail for place in bad):
            yield _Lab(tree=tree, trail=trail, entry=mapping(entry))


def _role_faults(lab: _Lab) -> Iterator[Found]:
    """Roles that the topology lacks or has no place for."""
    wanted = ROLES[lab.topology]
    for role in wanted:
        if role not in lab.nodes:
            yield lab.fault(f"topology '{lab.topology}' has no {quoted(role)} under 'nodes'; add it", "nodes")
    if (lab.topology is Topology.TUNNEL) is not ("tunnel" in lab.entry):
        advice = "say what the load is put into" if lab.topology is Topology.TUNNEL else "remove 'tunnel'"
        yield lab.fault(f"topology '{lab.topology}' and 'tunnel' go together; {advice}", "topology")
    for extra in (Role(name) for name in lab.nodes if name not in wanted):
        other = next(topology for topology, roles in ROLES.items() if extra in roles)
        advice = f"remove it, or write 'topology: {other}'"
        yield lab.fault(f"'{extra}' has no place in topology '{lab.topology}'; {advice}", "nodes", extra)


def _receiver_faults(lab: _Lab) -> Iterator[Found]:
    """A receiver that is a host of its own where it should be none, or none where it should be one."""
    receiver = lab.nodes.get(Role.RECEIVER, {})
    if lab.topology is not Topology.TWO_NODES:
        for key in ("host", "os"):
            if key not in receiver:
                advice = "add it, or write 'topology: two-nodes' where it is a port of the sender's host"
                yield lab.fault(f"'receiver' has no '{key}'; {advice}", "nodes", Role.RECEIVER)
        return
    for key in _REACHED:
        if key in receiver:
            where = "in topology 'two-nodes' the receiver is a port of the sender's host"
            yield lab.fault(f"{where}; remove '{key}', or write 'topology: three-nodes'", "nodes", Role.RECEIVER, key)
    egress, ingress = (
        text(mapping(port)["interface"]) for port in (lab.nodes["sender"]["egress"], receiver["ingress"])
    )
    if egress == ingress:
        message = f"interface {quoted(ingress)} is the sender's; name the port of that host where the load comes back"
        yield lab.value_fault(message, "nodes", Role.RECEIVER, "ingress", "interface")


def _port_faults(lab: _Lab) -> Iterator[Found]:
    """A node between two others that has one port twice."""
    for role in (Role.DUT, Role.REFERENCE):
        ports = [
            text(mapping(port)["interface"]) for name, port in lab.nodes.get(role, {}).items() if name in PORTS[role]
        ]
        if len(ports) > len(set(ports)):
            message = f"interface {quoted(ports[0])} is both ports of the {role}; name the one where the load goes out"
            yield lab.value_fault(message, "nodes", role, "egress", "interface")


def _address_faults(lab: _Lab) -> Iterator[Found]:
    """Addresses that are none, and ends of a cable in different networks."""
    for family in Family:
        networks: dict[tuple[str, str], str] = {}
        for role in ROLES[lab.topology]:
            for port in PORTS[role]:
                said = text(mapping(lab.nodes[role][port]).get(family, ""))
                address = said or usual_address(lab.topology, role, port, family)
                if not _is_address(address, family):
                    message = f"{quoted(address)} is no address of family '{family}' with its length; write one"
                    yield lab.value_fault(message, "nodes", role, port, family)
                else:
                    networks[role, port] = str(ip_interface(address).network)
        for one, other in _cables(lab.topology):
            if one in networks and other in networks and networks[one] != networks[other]:
                ends = f"{one[0]} {one[1]} is in {networks[one]}, {other[0]} {other[1]} in {networks[other]}"
                yield lab.fault(f"{ends}; give both ends of a cable addresses of one network", "nodes", other[0])


def _cables(topology: Topology) -> tuple[tuple[tuple[str, str], tuple[str, str]], ...]:
    """The two ends of each cable."""
    path = ROLES[topology]
    senders = [role for role in path if role in (Role.SENDER, Role.ATTACKER)]
    rest = [role for role in path if role not in senders]
    return (
        *(((sender, "egress"), (Role.DUT, "ingress")) for sender in senders),
        *(((one, "egress"), (other, "ingress")) for one, other in pairwise(rest)),
    )


def _is_address(value: str, family: Family) -> bool:
    try:
        version = ip_network(value, strict=False).version
    except ValueError:
        return False
    return (version == 4) is (family is Family.INET)


def _generator_faults(lab: _Lab) -> Iterator[Found]:
    """Ends on which the generator does not run, and a topology in which it could not tell what it counts."""
    generator = Generator(text(lab.entry["generator"]))
    for role in (Role.SENDER, Role.ATTACKER, Role.RECEIVER):
        system = text(lab.nodes.get(role, {}).get("os", ""))
        if system and system not in generator.systems:
            others = [item for item in Generator if system in item.systems]
            where = f"generator '{generator}' does not run on {system}, the {role}'s 'os'"
            yield lab.value_fault(f"{where}; known there are {listed(others)}", "generator")
    if lab.topology not in generator.topologies:
        others = [item for item in Generator if lab.topology in item.topologies]
        message = f"generator '{generator}' has no place in topology '{lab.topology}'; known there are {listed(others)}"
        yield lab.value_fault(message, "generator")
    yield from _trex_faults(lab, trex=generator is Generator.TREX)
    yield from trial_faults(lab.tree, lab.trail, lab.entry)


def _trex_faults(lab: _Lab, *, trex: bool) -> Iterator[Found]:
    """A folder of TRex that nobody uses, and ends that are none of its ports."""
    if "trex" in lab.entry and not trex:
        yield lab.fault("'trex' is for generator 'trex'; remove it", "trex")
    for role, port in ((Role.SENDER, "egress"), (Role.RECEIVER, "ingress")) if trex else ():
        interface = text(mapping(lab.nodes[role][port])["interface"])
        if not _TREX_PORT.fullmatch(interface):
            message = (
                f"interface {quoted(interface)} is no port of TRex; write 'port0', or the number that it has there"
            )
            yield lab.value_fault(message, "nodes", role, port, "interface")


def _firewall_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Names by which a real machine would not know the firewall."""
    for name, entry in mapping(mapping(tree.value).get("firewalls", "")).items():
        trail: Trail = ("firewalls", name)
        known = name == NO_FIREWALL or firewall_of(name) or "rules" not in mapping(entry)
        if known or any(place[:2] == trail for place in bad):
            continue
        first, dash, rest = name.partition("-")
        meant = near(first, list(Firewall))
        guess = (
            f"did you mean {quoted(f'{meant}{dash}{rest}')}?" if meant else f"begin it with one of {listed(Firewall)}"
        )
        message = f"firewall {quoted(name)} does not begin with the command that loads it on real machines; {guess}"
        yield trail, tree.fault_at_key(trail, message)


def _flow_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Flows that their addresses do not share evenly."""
    for name, entry in mapping(mapping(tree.value).get("traffic", "")).items():
        trail: Trail = ("traffic", name)
        if any(place[:2] == trail for place in bad):
            continue
        said = mapping(entry)
        flows, sources, sinks = (int(text(said.get(key, "1"))) for key in ("flows", "sources", "sinks"))
        if flows % (sources * sinks):
            at = (*trail, "flows")
            message = (
                f"{flows} flows are no multiple of {sources} x {sinks} addresses; write {sources * sinks} or more of it"
            )
            yield at, tree.fault(at, message)
