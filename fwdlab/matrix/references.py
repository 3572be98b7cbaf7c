"""Is every name that is used declared, and does every firewall have the rules its name says?

Runs over documents that may have faults of shape: what is at fault already is left alone, so that one slip of the
pen is one fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fwdlab.campaign import FEWEST_REPEATS
from fwdlab.case import AXES
from fwdlab.matrix.build import cell_of
from fwdlab.matrix.fit import comes_built, names_of, unfit
from fwdlab.matrix.generated import generated_faults
from fwdlab.matrix.loads import load_faults
from fwdlab.matrix.model import NO_FIREWALL, SECTIONS, Names, Selection
from fwdlab.matrix.node_faults import node_faults
from fwdlab.matrix.settings import setting_faults
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, items, mapping, text
from fwdlab.matrix.words import advice, quoted

_MISFITS = {
    "revision": "its operating system is another, or it has no 'kernel_config' to build it by",
    "traffic": "its sender cannot be told such a load, so many addresses, a mix of sizes, or it has no state table",
    "firewall": "its operating system is another, or its kernel is the host's and takes no 'sysctl'",
}
_UNPATCHABLE = "name one under 'applies_to' that has 'source' or 'git', or is named with {patch}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """The names each section declares, by axis; an axis whose section cannot be read is not there."""

    names: dict[str, dict[str, Plain]]

    @property
    def axes(self) -> tuple[Names, ...] | None:
        """The names on each axis; None where an axis is missing."""
        return tuple(tuple(self.names[axis]) for axis in AXES) if len(self.names) == len(AXES) else None


def declared_in(tree: Tree) -> Declared:
    """What the document declares on each axis."""
    root = mapping(tree.value)
    sections = {axis: mapping(root.get(section, "")) for axis, section in SECTIONS.items()}
    return Declared(names={axis: section for axis, section in sections.items() if section})


def name_faults(tree: Tree, shape: Sequence[Found]) -> list[Found]:
    """Names that are used and not declared, and firewalls whose name and rules do not go together."""
    declared, bad = declared_in(tree), {trail for trail, _ in shape}
    found = [
        _undeclared(tree, trail, axis, name, declared.names[axis])
        for trail, axis, name in _uses(mapping(tree.value))
        if axis in declared.names and name not in declared.names[axis] and trail not in bad
    ]
    return [
        *found,
        *_rule_faults(tree, bad),
        *_patch_faults(tree, bad),
        *_baseline_faults(tree, bad),
        *_repeat_faults(tree, bad),
        *node_faults(tree, bad),
        *load_faults(tree, bad),
    ]


def _patch_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Patches that are to be tried on a kernel that comes built, and single cases of what does not fit."""
    root = mapping(tree.value)
    revisions = mapping(root.get("revisions", ""))
    built = {name for name, entry in revisions.items() if comes_built(mapping(entry))}
    for name, entry in mapping(root.get("patches", "")).items():
        named = _named(("patches", name, "applies_to"), "revision", mapping(entry).get("applies_to", []))
        for trail, _, revision in named:
            if revision in built and trail not in bad:
                yield trail, tree.fault(trail, f"revision {quoted(revision)} comes built; {_UNPATCHABLE}")
    impossible = unfit(root) if not bad else ()
    for index, entry in enumerate(items(root.get("include", []))):
        rule = next((rule for rule in impossible if rule.fits(cell_of(entry))), None)
        if rule is not None:
            at: Trail = ("include", index)
            yield at, tree.fault(at, _misfit(rule, cell_of(entry)))


def _misfit(rule: Selection, cell: Names) -> str:
    """Which two of the cell's names do not go together."""
    (one, first), (other, second) = (
        (axis, name) for axis, name, wanted in zip(AXES, cell, rule.wanted, strict=True) if wanted
    )
    if other == "patch":
        return f"patch {quoted(second)} is not for revision {quoted(first)}; {_UNPATCHABLE}"
    why = _MISFITS.get(other, "its operating system is another")
    return f"{other} {quoted(second)} is not for {one} {quoted(first)}: {why}; remove the case"


def _repeat_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Repeats by need that begin too low for a verdict, or have no room to grow."""
    for name, campaign in mapping(mapping(tree.value).get("campaigns", "")).items():
        trail: Trail = ("campaigns", name, "repeats")
        asked = mapping(mapping(campaign).get("repeats", ""))
        if not {"min", "max"} <= asked.keys() or any(place[: len(trail)] == trail for place in bad):
            continue
        least, most = int(text(asked["min"])), int(text(asked["max"]))
        if least < FEWEST_REPEATS:
            at = (*trail, "min")
            yield at, tree.fault(at, f"min {least} gives no verdict to decide by; write {FEWEST_REPEATS} or more")
        if most <= least:
            at = (*trail, "max")
            yield at, tree.fault(at, f"max {most} adds no round to min {least}; raise it, or write 'repeats: {least}'")


def _undeclared(tree: Tree, trail: Trail, axis: str, name: str, known: dict[str, Plain]) -> Found:
    message = f"{axis} {quoted(name)} is not declared under '{SECTIONS[axis]}'; {advice(name, known)}"
    return trail, tree.fault(trail, message)


def _uses(root: dict[str, Plain]) -> Iterator[tuple[Trail, str, str]]:
    """Every use of a declared name: where, on which axis, which name."""
    for section in ("exclude", "include"):
        for index, entry in enumerate(items(root.get(section, []))):
            yield from _selected((section, index), entry)
    for name, patch in mapping(root.get("patches", "")).items():
        yield from _named(("patches", name, "applies_to"), "revision", mapping(patch).get("applies_to", []))
    yield from _selected(("quick", "select"), mapping(root.get("quick", "")).get("select", ""))
    for name, campaign in mapping(root.get("campaigns", "")).items():
        trail, entry = ("campaigns", name), mapping(campaign)
        yield from _selected((*trail, "select"), entry.get("select", ""))
        axis = text(entry.get("compare", ""))
        for key in ("baseline", "arms"):
            if key in entry:
                yield from _named((*trail, key), axis, entry[key])


def _selected(trail: Trail, value: Plain) -> Iterator[tuple[Trail, str, str]]:
    entry = mapping(value)
    for axis in AXES:
        if axis in entry:
            yield from _named((*trail, axis), axis, entry[axis])


def _named(trail: Trail, axis: str, value: Plain) -> Iterator[tuple[Trail, str, str]]:
    if isinstance(value, str):
        yield trail, axis, value
    for index, name in enumerate(items(value)):
        if isinstance(name, str):
            yield (*trail, index), axis, name


def _rule_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    for name, value in mapping(mapping(tree.value).get("firewalls", "")).items():
        trail, entry = ("firewalls", name), mapping(value)
        if trail in bad or any(key[:2] == trail for key in bad):
            continue
        yield from generated_faults(tree, name)
        if name == NO_FIREWALL and "rules" in entry:
            message = f"firewall '{NO_FIREWALL}' has rules; it stands for none, so give the rule set another name"
            yield (*trail, "rules"), tree.fault_at_key((*trail, "rules"), message)
        if name != NO_FIREWALL and not entry.keys() & {"rules", "generate", "sysctl"}:
            message = f"firewall {quoted(name)} has no 'rules'; name a rule file, only '{NO_FIREWALL}' goes without"
            yield trail, tree.fault_at_key(trail, message)
    yield from setting_faults(tree, bad)


def _baseline_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    for name, campaign in mapping(mapping(tree.value).get("campaigns", "")).items():
        entry = mapping(campaign)
        baseline, arms = text(entry.get("baseline", "")), names_of(entry.get("arms", []))
        trail = ("campaigns", name, "baseline")
        known = trail in tree.places and not any(key[:2] == trail[:2] for key in bad)
        if known and arms and baseline not in arms:
            yield (
                trail,
                tree.fault(trail, f"baseline {quoted(baseline)} is not among the arms; {advice(baseline, arms)}"),
            )
