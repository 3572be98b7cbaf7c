"""From the checked entry of a real machine to a Real."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fwdlab import units
from fwdlab.case import Family
from fwdlab.matrix.nodes import (
    PORTS,
    ROLES,
    Generator,
    Node,
    Os,
    Pairs,
    Port,
    Real,
    Reboot,
    Role,
    Topology,
    TrialTime,
    usual_address,
)
from fwdlab.matrix.tree import Plain, items, mapping, text

Fields = Mapping[str, Plain]

_SSH_PORT = "22"
_USER = "root"
_TREX = "/opt/trex"


def real_of(entry: Fields, config_sha256: str) -> Real:
    """The machine of an entry without faults; the hash is of its kernels' configuration, where it has one."""
    ssh = mapping(entry["ssh"])
    return Real(
        topology=Topology(text(entry["topology"])),
        tunnel=text(entry.get("tunnel", "")),
        line_rate_bps=round(units.bits_per_second(text(entry["line_rate"]))),
        nic=_joined(entry, "nic"),
        cpu=_joined(entry, "cpu"),
        generator=Generator(text(entry["generator"])),
        trex=text(entry.get("trex", _TREX)) if text(entry["generator"]) == Generator.TREX else "",
        reboot=Reboot(text(entry.get("reboot", Reboot.CASE.value))),
        kernel=tuple(_kernel(entry, config_sha256)),
        tunings=tuple(_tunings(mapping(entry.get("tunings", "")))),
        trial=trial_time_of(mapping(entry["trial"])),
        nodes=tuple(_nodes(entry)),
        identity=text(ssh["identity"]),
        known_hosts=text(ssh["known_hosts"]),
        power=_power(mapping(entry.get("power", ""))),
        console=_words(mapping(entry.get("console", "")).get("command", [])),
    )


def trial_time_of(entry: Fields) -> TrialTime:
    """How long a trial lasts."""
    return TrialTime(
        warmup=_milliseconds(entry["warmup"]),
        samples=int(text(entry["samples"])),
        length=_milliseconds(entry["length"]),
    )


def dut_os_of(entry: Fields) -> str:
    """The operating system of the machine under test, of an entry that may have faults."""
    if text(entry.get("lab", "")) != "ssh":
        return Os.LINUX
    return text(mapping(mapping(entry.get("nodes", "")).get(Role.DUT, "")).get("os", ""))


def _nodes(entry: Fields) -> Iterator[Node]:
    """The nodes of the topology; a receiver that names no host is a port of the sender's."""
    topology, nodes = Topology(text(entry["topology"])), mapping(entry["nodes"])
    sender = mapping(nodes[Role.SENDER])
    for role in ROLES[topology]:
        said = mapping(nodes[role])
        reached = said if "host" in said else sender
        yield Node(
            role=role,
            os=Os(text(reached["os"])),
            ports=tuple((name, _port(mapping(said[name]), topology, role, name)) for name in PORTS[role]),
            host=text(reached["host"]),
            ssh_port=int(text(reached.get("port", _SSH_PORT))),
            user=text(reached.get("user", _USER)),
        )


def _port(entry: Fields, topology: Topology, role: Role, name: str) -> Port:
    inet, inet6 = (
        text(entry.get(family.value, usual_address(topology, role, name, family)))
        for family in (Family.INET, Family.INET6)
    )
    return Port(interface=text(entry["interface"]), mac=text(entry.get("mac", "")), inet=inet, inet6=inet6)


def _kernel(entry: Fields, config_sha256: str) -> Iterator[tuple[str, str]]:
    if "kernel_config" in entry:
        yield from ((key, text(entry[key])) for key in ("arch", "kernel_config"))
        yield "kernel_config_sha256", config_sha256


def _tunings(entry: Fields) -> Iterator[tuple[str, str]]:
    for kind in ("sysctl", "loader"):
        yield from ((f"{kind}.{name}", text(value)) for name, value in mapping(entry.get(kind, "")).items())
    for number, option in enumerate(items(entry.get("ethtool", [])), 1):
        yield f"ethtool.{number}", text(option)


def _power(entry: Fields) -> Pairs:
    if "command" in entry:
        return (("command", _words(entry["command"])),)
    return tuple((key, text(entry[key])) for key in ("ipmi", "user", "password_file", "cipher_suite") if key in entry)


def _words(value: Plain) -> str:
    """The words of a command, none of which has a blank, on one line."""
    return " ".join(text(word) for word in items(value))


def _joined(entry: Fields, key: str) -> str:
    return " ".join(text(entry.get(key, "")).split())


def _milliseconds(value: Plain) -> int:
    return round(units.seconds(text(value)) * 1000)
