"""What is wrong with the kernel settings that go with a firewall: where they would stay, where nothing sets them."""

from __future__ import annotations

from collections.abc import Iterator

from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, mapping, text
from fwdlab.matrix.words import quoted


def setting_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Kernel settings that one firewall has and another has not, and those that no machine is for."""
    if any(place[:1] == ("firewalls",) for place in bad):
        return
    root = mapping(tree.value)
    firewalls = {name: mapping(entry) for name, entry in mapping(root.get("firewalls", "")).items()}
    machines = mapping(root.get("hardware", ""))
    labs = {name: text(mapping(machine).get("lab", "")) for name, machine in machines.items()}
    if labs and set(labs.values()) == {"netns"}:
        yield from _unset(tree, firewalls, next(iter(labs)))
    elif set(labs.values()) != {"qemu"}:  # a guest boots anew for every case
        yield from _staying(tree, firewalls)


def _unset(tree: Tree, firewalls: dict[str, dict[str, Plain]], machine: str) -> Iterator[Found]:
    for name in (name for name, entry in firewalls.items() if "sysctl" in entry):
        at: Trail = ("firewalls", name, "sysctl")
        message = f"lab 'netns' of {quoted(machine)} sets no 'sysctl': its kernel is the host's own"
        yield at, tree.fault_at_key(at, f"{message}; remove it, or use lab 'qemu' or 'ssh'")


def _staying(tree: Tree, firewalls: dict[str, dict[str, Plain]]) -> Iterator[Found]:
    """What an earlier case set would stay."""
    settings = {name: mapping(entry.get("sysctl", "")) for name, entry in firewalls.items()}
    for key in dict.fromkeys(key for said in settings.values() for key in said):
        setting = next(name for name, said in settings.items() if key in said)
        for name in (name for name, said in settings.items() if key not in said):
            message = f"firewall {quoted(name)} does not say {quoted(key)}, which {quoted(setting)} sets"
            trail: Trail = ("firewalls", name)
            yield trail, tree.fault_at_key(trail, f"{message}; say it in each, or the last case's would stay")
