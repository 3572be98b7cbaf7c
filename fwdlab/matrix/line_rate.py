"""Loads as shares of the line rate: packets a second once it is known which machine's link carries which frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fwdlab import units
from fwdlab.case import Hardware, Traffic
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, items, mapping, text
from fwdlab.matrix.words import quoted
from fwdlab.search.goal import CURVE, Curve, program_text

OF_LINE_RATE = " of line rate"
_BETWEEN = ", "


def is_of_line_rate(entry: Mapping[str, Plain]) -> bool:
    """Whether the load of this traffic is said in shares of the line rate."""
    return any(text(point).endswith(OF_LINE_RATE) for point in points_of(entry))


def points_of(entry: Mapping[str, Plain]) -> Sequence[Plain]:
    """The load of this traffic, or each of its loads."""
    said = entry.get("load", "")
    return items(said) if isinstance(said, list) else [said]


def unresolved(points: Sequence[Plain], final_s: float) -> tuple[str, str]:
    """Load and goal of a traffic that is not yet any machine's."""
    return _BETWEEN.join(map(text, points)), f"{final_s:g}" if len(points) > 1 else ""


def at_line_rate(traffic: Traffic, hardware: Hardware) -> Traffic:
    """The traffic in packets a second of this machine's link, where its load is said in shares of it."""
    if not traffic.load.endswith(OF_LINE_RATE):
        return traffic
    most = units.line_rate_pps(float(dict(hardware.settings)["line_rate_bps"]), traffic.frame_size)
    loads = [max(1, int(share_of(point) * most)) for point in traffic.load.split(_BETWEEN)]
    if len(loads) == 1:
        return replace(traffic, load=str(loads[0]))
    curve = Curve(loads=tuple(map(float, loads)), shares=False, final_s=float(traffic.goal))
    return replace(traffic, load=CURVE, goal=program_text(curve))


def share_of(point: str) -> float:
    """The fraction that `50% of line rate` says."""
    return units.fraction(point.removesuffix(OF_LINE_RATE))


def line_rate_faults(tree: Tree, trail: Trail, entry: Mapping[str, Plain]) -> Iterator[Found]:
    """Shares of a line rate that no link carries, or that no machine has."""
    if not is_of_line_rate(entry):
        return
    for place, point in enumerate(points_of(entry)):
        if share_of(text(point)) > 1:
            at = (*trail, "load", place) if isinstance(entry["load"], list) else (*trail, "load")
            yield at, tree.fault(at, f"{quoted(text(point))} is more than a link carries; intend 100% or less")
    machines = mapping(mapping(tree.value).get("hardware", ""))
    if machines and not any("line_rate" in mapping(machine) for machine in machines.values()):
        message = "no machine has a 'line_rate' to take a share of; write a rate such as '100kpps', or '50%' of maximum"
        yield (*trail, "load"), tree.fault((*trail, "load"), message)
