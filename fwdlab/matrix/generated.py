"""Firewalls whose rules are generated: do name and numbers go together?"""

from __future__ import annotations

from collections.abc import Iterator

from fwdlab.matrix.fit import firewall_of
from fwdlab.matrix.nodes import Firewall
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Trail, Tree, mapping
from fwdlab.matrix.words import listed, quoted

_WITHOUT_TABLES = (Firewall.IPTABLES, Firewall.IPF)  # theirs come by a command of its own: ipset, ippool


def generated_faults(tree: Tree, name: str) -> Iterator[Found]:
    """Rules that are generated and named as well, and those that nobody knows how to write."""
    at: Trail = ("firewalls", name, "generate")
    entry = mapping(mapping(mapping(tree.value)["firewalls"])[name])
    tool = firewall_of(name)
    if "generate" not in entry:
        return
    if "rules" in entry:
        message = f"firewall {quoted(name)} has a rule file of its own; take 'generate' or 'rules' away"
        yield at, tree.fault_at_key(at, message)
    if not tool:
        message = f"firewall {quoted(name)} does not begin with the command that its rules are for"
        yield at, tree.fault_at_key(at, f"{message}; begin it with one of {listed(Firewall)}")
    if tool in _WITHOUT_TABLES and "table" in mapping(entry["generate"]):
        table = (*at, "table")
        yield table, tree.fault_at_key(table, f"a rule file of '{tool}' has no table; take 'table' away")
