"""Does every exclude, include, quick round and campaign change or ask something of the cases?

Runs over documents that may have other faults: what is at fault already is left alone, so that one slip of the pen
is one fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fwdlab.matrix.build import ask_of, cell_of, selection_of
from fwdlab.matrix.campaigns import alone, members_by_arm
from fwdlab.matrix.expand import allowed
from fwdlab.matrix.fit import unfit
from fwdlab.matrix.model import Ask, Names, Selection
from fwdlab.matrix.references import declared_in
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, items, mapping
from fwdlab.matrix.words import listed, quoted


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sound:
    """Where nothing was found at fault yet."""

    trails: frozenset[Trail]

    def below(self, trail: Trail) -> bool:
        return not any(found[: len(trail)] == trail for found in self.trails)


def coverage_faults(tree: Tree, earlier: Sequence[Found]) -> list[Found]:
    """What changes or asks nothing; `earlier` are the faults that were found before."""
    axes, root = declared_in(tree).axes, mapping(tree.value)
    if axes is None:
        return []
    sound = _Sound(trails=frozenset(trail for trail, _ in earlier))
    rules = [(trail, selection_of(entry)) for trail, entry in _entries(root, "exclude", sound)]
    written = [(trail, cell_of(entry)) for trail, entry in _entries(root, "include", sound)]
    implied = unfit(root)
    exclude = [*implied, *(rule for _, rule in rules)]
    found = list(_idle_excludes(tree, axes, rules, implied))
    if sound.below(("exclude",)):
        found += _idle_includes(tree, exclude, written)
    if sound.below(("include",)):
        cells = list(allowed(axes, exclude, {cell for _, cell in written}))
        found += _idle_questions(tree, cells, sound)
    return found


def _entries(root: dict[str, Plain], section: str, sound: _Sound) -> list[tuple[Trail, Plain]]:
    entries = enumerate(items(root.get(section, [])))
    return [((section, index), entry) for index, entry in entries if sound.below((section, index))]


def _idle_excludes(
    tree: Tree, axes: Sequence[Names], rules: Sequence[tuple[Trail, Selection]], implied: Sequence[Selection]
) -> Iterator[Found]:
    """Excludes for which those before them leave nothing."""
    earlier = list(implied)
    for trail, rule in rules:
        names = [
            tuple(name for name in axis if not wanted or name in wanted)
            for axis, wanted in zip(axes, rule.wanted, strict=True)
        ]
        if next(allowed(names, earlier, ()), None) is None:
            yield trail, tree.fault(trail, "exclude matches no case: those before it leave none; remove it")
        earlier.append(rule)


def _idle_includes(tree: Tree, exclude: Sequence[Selection], written: Sequence[tuple[Trail, Names]]) -> Iterator[Found]:
    """Includes of cases that are there without them."""
    seen: set[Names] = set()
    for trail, cell in written:
        if cell in seen or not any(rule.fits(cell) for rule in exclude):
            yield trail, tree.fault(trail, "include adds no case: this one is in the matrix already; remove it")
        seen.add(cell)


def _idle_questions(tree: Tree, cells: Sequence[Names], sound: _Sound) -> Iterator[Found]:
    """The quick round and the campaigns that have nothing to measure or compare."""
    root = mapping(tree.value)
    if cells:
        yield from _idle_quick(tree, root, cells, sound)
        yield from _idle_campaigns(tree, root, cells, sound)
    elif "exclude" in root:
        yield ("exclude",), tree.fault_at_key(("exclude",), "the excludes leave no case at all; take one away")
    elif sound.below(("traffic",)):
        message = "no machine goes with any revision, firewall and traffic; add one that does"
        yield ("hardware",), tree.fault_at_key(("hardware",), message)


def _idle_quick(tree: Tree, root: dict[str, Plain], cells: Sequence[Names], sound: _Sound) -> Iterator[Found]:
    trail = ("quick", "select")
    select = mapping(root.get("quick", "")).get("select")
    if select is not None and sound.below(trail):
        rule = selection_of(select)
        if not any(rule.fits(names) for names in cells):
            yield trail, tree.fault(trail, "the quick round selects no case: all are excluded; select others")


def _idle_campaigns(tree: Tree, root: dict[str, Plain], cells: Sequence[Names], sound: _Sound) -> Iterator[Found]:
    for name, entry in mapping(root.get("campaigns", "")).items():
        trail: Trail = ("campaigns", name)
        if sound.below(trail):
            message = _campaign_fault(ask_of(name, mapping(entry), 1), cells)
            if message:
                yield trail, tree.fault_at_key(trail, f"campaign {quoted(name)} {message}")


def _campaign_fault(ask: Ask, cells: Sequence[Names]) -> str:
    """What keeps the campaign from comparing anything, or nothing."""
    by_arm = members_by_arm(ask, cells)
    if not by_arm:
        return "selects no case; widen its 'select' or take an exclude away"
    empty = [arm for arm in (ask.baseline, *ask.arms) if arm not in by_arm]
    if empty:
        return f"has no case of {ask.axis} {quoted(empty[0])}; widen its 'select' or take an exclude away"
    if len(by_arm) == 1:
        return f"has one arm only, {quoted(ask.baseline)}; select another {ask.axis} to compare it with"
    lonely = alone(ask, by_arm)
    if lonely:
        return (
            f"cannot compare {listed(lonely)} with the baseline: no cases differ in the {ask.axis} alone; select such"
        )
    return ""
