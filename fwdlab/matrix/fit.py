"""What on two axes does not go together by itself, so that no case is made of it and nobody need exclude it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fwdlab.case import AXES
from fwdlab.matrix.build_nodes import dut_os_of
from fwdlab.matrix.by_seconds import counts_seconds, parted_time
from fwdlab.matrix.connections import has_no_rules, has_no_table_sender, makes_too_few, measures_table
from fwdlab.matrix.line_rate import is_of_line_rate
from fwdlab.matrix.loads import is_paced, offers_mix, sender_of
from fwdlab.matrix.model import SECTIONS, Selection
from fwdlab.matrix.nodes import Firewall
from fwdlab.matrix.tree import Plain, items, mapping, text

Fields = Mapping[str, Plain]

_COME_BUILT = ("package", "running", "boot_environment", "upgrade")  # unless they are named with {patch}
_BUILT = ("source", "git")
_LEAST = {("sources", "1"), ("sinks", "1")}
_OWN_SENDERS = ("qemu", "netns")  # labs whose senders tell flows apart by port alone


def unfit(root: Fields) -> tuple[Selection, ...]:
    """Every pair that does not fit: patches, operating systems, kernels to build, firewalls and loads."""
    return (
        *unpatchable(root),
        *_of_other_systems(root),
        *_unbuilt(root),
        *_of_other_firewalls(root),
        *_of_other_loads(root),
    )


def unpatchable(root: Fields) -> tuple[Selection, ...]:
    """Each patch on the revisions it is not for: those it does not name, and kernels that come built without it."""
    revisions = _section(root, "revision")
    found = []
    for name, entry in _section(root, "patch").items():
        wanted = names_of(entry.get("applies_to", [])) or list(revisions)
        others = [revision for revision in revisions if revision not in wanted or comes_built(revisions[revision])]
        if others and not entry.keys().isdisjoint({"file", "options", "phabricator"}):
            found.append(_pair(revision=others, patch=[name]))
    return tuple(found)


def comes_built(revision: Fields) -> bool:
    """Whether the revision is a kernel that no patch is applied to, and none comes with."""
    return any(key in revision and "{patch}" not in text(revision[key]) for key in _COME_BUILT)


def firewall_of(name: str) -> str:
    """The command a firewall is loaded by, as its name begins; empty where it begins with none."""
    first = name.partition("-")[0]
    return first if first in list(Firewall) else ""


def names_of(value: Plain) -> list[str]:
    """The names of a name or a list of names."""
    return [value] if isinstance(value, str) else [text(name) for name in items(value)]


def _of_other_systems(root: Fields) -> Iterator[Selection]:
    """Each revision on the machines of another operating system."""
    for machine, entry in _section(root, "hardware").items():
        system = dut_os_of(entry)
        others = [name for name, revision in _section(root, "revision").items() if revision.get("os") != system]
        if system and others:
            yield _pair(hardware=[machine], revision=others)


def _unbuilt(root: Fields) -> Iterator[Selection]:
    """Each revision that the lab builds on the real machines that say no configuration to build by."""
    built = [name for name, revision in _section(root, "revision").items() if not revision.keys().isdisjoint(_BUILT)]
    for machine, entry in _section(root, "hardware").items():
        if built and text(entry.get("lab", "")) == "ssh" and "kernel_config" not in entry:
            yield _pair(hardware=[machine], revision=built)


def _of_other_firewalls(root: Fields) -> Iterator[Selection]:
    """Each firewall on the machines whose operating system has another, or whose kernel is this host's."""
    for machine, entry in _section(root, "hardware").items():
        system, firewalls = dut_os_of(entry), _section(root, "firewall")
        tools = {name: firewall_of(name) for name in firewalls}
        others = [name for name, tool in tools.items() if tool and system not in Firewall(tool).systems]
        if text(entry.get("lab", "")) == "netns":
            others += [name for name, firewall in firewalls.items() if "sysctl" in firewall]
        if system and others:
            yield _pair(hardware=[machine], firewall=others)


def _of_other_loads(root: Fields) -> Iterator[Selection]:
    """Each traffic on the machines whose sender cannot offer it; a state table's where there is none."""
    for machine, entry in _section(root, "hardware").items():
        own = text(entry.get("lab", "")) in _OWN_SENDERS
        others = [
            name
            for name, traffic in _section(root, "traffic").items()
            if (own and _asks_more(traffic))
            or (sender_of(entry) and is_paced(traffic))
            or (counts_seconds(entry) and parted_time(traffic))
            or (is_of_line_rate(traffic) and "line_rate" not in entry)
            or (measures_table(traffic) and (has_no_table_sender(entry) or makes_too_few(entry, traffic)))
            or ("imix" in traffic and not offers_mix(entry))
            or ("attack" in traffic) is not (text(entry.get("topology", "")) == "two-senders")
        ]
        if others:
            yield _pair(hardware=[machine], traffic=others)
    tables = [name for name, traffic in _section(root, "traffic").items() if measures_table(traffic)]
    stateless = [name for name, firewall in _section(root, "firewall").items() if has_no_rules(firewall)]
    if tables and stateless:
        yield _pair(firewall=stateless, traffic=tables)


def _asks_more(traffic: Fields) -> bool:
    numbers = {key: text(traffic.get(key, "")) for key in ("sources", "sinks")}
    return any(number.isdecimal() and (key, number) not in _LEAST for key, number in numbers.items())


def _section(root: Fields, axis: str) -> dict[str, Fields]:
    return {name: mapping(entry) for name, entry in mapping(root.get(SECTIONS[axis], "")).items()}


def _pair(**wanted: list[str]) -> Selection:
    return Selection(wanted=tuple(frozenset(wanted.get(axis, [])) for axis in AXES))
