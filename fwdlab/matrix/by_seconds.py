"""Generators that report once a second: trials of whole seconds, and what asks them for others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fwdlab import units
from fwdlab.matrix.nodes import Generator
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, mapping, text
from fwdlab.matrix.words import quoted

Fields = Mapping[str, Plain]

_GENERATORS = (Generator.PKT_GEN, Generator.TREX)


def counts_seconds(machine: Fields) -> bool:
    """Whether the machine's generator reports once a second; the machine may have faults."""
    return text(machine.get("generator", "")) in _GENERATORS


def parted_time(traffic: Fields) -> str:
    """The key of its `search` that asks for trials of no whole seconds; empty where none does."""
    asked = mapping(traffic.get("search", ""))
    return next((key for key in ("initial", "final") if key in asked and not _is_whole(asked[key])), "")


def trial_faults(tree: Tree, trail: Trail, machine: Fields) -> Iterator[Found]:
    """Times of the machine's trials that its generator has no reports of."""
    times = mapping(machine["trial"])
    for key in ("warmup", "length") if counts_seconds(machine) else ():
        if not _is_whole(times[key]):
            at = (*trail, "trial", key)
            yield at, tree.fault(at, f"{_reports(machine)}; write whole seconds, not {quoted(text(times[key]))}")


def search_faults(tree: Tree, trail: Trail, traffic: Fields) -> Iterator[Found]:
    """Trials of a search or curve that no machine of the matrix could count."""
    key = parted_time(traffic)
    machines = [mapping(machine) for machine in mapping(mapping(tree.value).get("hardware", "")).values()]
    if key and machines and all(map(counts_seconds, machines)):
        at = (*trail, "search", key)
        said = quoted(text(mapping(traffic["search"])[key]))
        yield at, tree.fault(at, f"{_reports(machines[0])}; write whole seconds, not {said}")


def _reports(machine: Fields) -> str:
    return f"generator {quoted(text(machine['generator']))} reports once a second"


def _is_whole(time: Plain) -> bool:
    """Whether a time is of whole seconds; what is none is told where times are read."""
    try:
        return round(units.seconds(text(time)) * 1000) % 1000 == 0
    except ValueError:
        return True
