"""Measurements of a state table (RFC 9693): what a traffic says of them, who can make them, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fwdlab import units
from fwdlab.matrix.build_nodes import dut_os_of
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, mapping, text
from fwdlab.matrix.words import quoted
from fwdlab.search.connections import MOST_STATES_OF_PORTS, Connections, Measure, usual_connections
from fwdlab.search.goal import Search

Fields = Mapping[str, Plain]

_KEYS = ("width", "answers", "trials")  # of `search`; a capacity has 'rate' as well
_MOST_FLOWS = 50_000  # that senders of other loads tell apart by their port
_SENDERS = {  # that make a connection a frame, by their lab
    "netns": ("", "auto", "packet"),
    "qemu": ("",),
    "ssh": ("packets",),
}


def connections_of(entry: Fields) -> Connections:
    """The measurement that a traffic asks for; N is its number of flows."""
    asked = mapping(entry.get("search", ""))
    usual = usual_connections(Measure(text(entry["load"])), int(text(entry["flows"])))
    return replace(
        usual,
        width=_share(asked, "width", usual.width),
        answers=_share(asked, "answers", usual.answers),
        rate=_share(asked, "rate", usual.rate),
        trials=int(text(asked.get("trials", str(usual.trials)))),
    )


def measures_table(entry: Fields) -> bool:
    """Whether a traffic measures the state table and no forwarding."""
    return text(entry.get("load", "")) in list(Measure)


def has_no_table_sender(machine: Fields) -> bool:
    """Whether the machine has no sender that makes a connection a frame, or no state table that is read here."""
    sender = text(machine.get("sender", machine.get("generator", "")))
    lab, topology = text(machine.get("lab", "")), text(machine.get("topology", ""))
    if lab == "ssh" and (topology == "tunnel" or dut_os_of(machine) != "linux"):
        return True
    return bool(lab) and sender not in _SENDERS.get(lab, ())


def makes_too_few(machine: Fields, traffic: Fields) -> bool:
    """Whether the machine's sender tells fewer connections apart than the traffic begins with: pktgen over IPv6.

    Both may have faults.
    """
    flows = text(traffic.get("flows", ""))
    many = flows.isdecimal() and int(flows) > MOST_STATES_OF_PORTS
    return many and text(traffic.get("family", "")) == "inet6" and text(machine.get("lab", "")) == "qemu"


def has_no_rules(firewall: Fields) -> bool:
    """Whether a firewall is plain forwarding, which keeps no state."""
    return firewall.keys().isdisjoint({"rules", "generate"})


def connection_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Measurements of a state table that say too much, or that no machine and no firewall of the matrix is for."""
    for name, value in mapping(mapping(tree.value).get("traffic", "")).items():
        trail, entry = ("traffic", name), mapping(value)
        if any(place[:2] == trail for place in bad):
            continue
        if measures_table(entry):
            yield from _key_faults(tree, trail, entry)
            yield from _machine_faults(tree, trail, entry)
            yield from _firewall_faults(tree, trail, entry)
        else:
            yield from _other_faults(tree, trail, entry)


def _key_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    wanted = (*_KEYS, "rate") if entry["load"] == Measure.CAPACITY else _KEYS
    for key in mapping(entry.get("search", "")):
        if key not in wanted:
            at = (*trail, "search", key)
            message = f"load {quoted(text(entry['load']))} has no {quoted(key)}; it has {', '.join(wanted)}"
            yield at, tree.fault_at_key(at, message)
    for key in ("attack", "imix", "sources", "sinks"):
        if key in entry:
            at = (*trail, key)
            message = f"load {quoted(text(entry['load']))} has a connection a frame, and no {quoted(key)}; remove it"
            yield at, tree.fault_at_key(at, message)


def _other_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    """What only a measurement of a state table may say."""
    if int(text(entry["flows"])) > _MOST_FLOWS:
        at = (*trail, "flows")
        message = f"{text(entry['flows'])} flows are more than the {_MOST_FLOWS} ports of this load; write fewer"
        yield at, tree.fault(at, message)
    for key in ("answers", "rate"):
        if text(entry.get("load", "")) in list(Search) and key in mapping(entry.get("search", "")):
            at = (*trail, "search", key)
            yield at, tree.fault_at_key(at, f"load {quoted(text(entry['load']))} has no {quoted(key)}; remove it")


def _machine_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    machines = mapping(mapping(tree.value).get("hardware", ""))
    if machines and all(has_no_table_sender(mapping(machine)) for machine in machines.values()):
        name, machine = next((name, mapping(machine)) for name, machine in machines.items())
        message = (
            f"load {quoted(text(entry['load']))} can be measured on no machine, lab {quoted(text(machine['lab']))} of "
            f"{quoted(name)} has no sender for it; use lab 'qemu', lab 'netns' with 'sender: packet', or lab "
            "'ssh' with 'generator: packets'"
        )
        yield (*trail, "load"), tree.fault((*trail, "load"), message)
    elif machines and all(makes_too_few(mapping(machine), entry) for machine in machines.values()):
        at = (*trail, "flows")
        message = (
            f"{text(entry['flows'])} connections over IPv6 are more than the {MOST_STATES_OF_PORTS} that lab 'qemu' "
            "tells apart; write fewer"
        )
        yield at, tree.fault(at, message)


def _firewall_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    firewalls = mapping(mapping(tree.value).get("firewalls", ""))
    if firewalls and all(has_no_rules(mapping(firewall)) for firewall in firewalls.values()):
        message = (
            f"load {quoted(text(entry['load']))} needs a firewall that keeps states, and none has 'rules'; add one"
        )
        yield (*trail, "load"), tree.fault((*trail, "load"), message)


def _share(asked: Fields, key: str, usual: float) -> float:
    return units.fraction(text(asked[key])) if key in asked else usual
