"""Loads: what a traffic's `load` and `search` come to, which machines can be told one, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from fwdlab import units
from fwdlab.matrix.by_seconds import search_faults
from fwdlab.matrix.connections import connection_faults, connections_of, measures_table
from fwdlab.matrix.line_rate import OF_LINE_RATE, is_of_line_rate, line_rate_faults, points_of, unresolved
from fwdlab.matrix.shape import Found
from fwdlab.matrix.tree import Plain, Trail, Tree, items, mapping, text
from fwdlab.matrix.words import quoted
from fwdlab.search.goal import CURVE, USUAL, Curve, Goal, Search, program_text, usual_goal

Fields = Mapping[str, Plain]

MAXIMUM = "max"
_UNPACED = {"netns": ("bpf", "trafgen"), "ssh": ("live-frames",)}  # senders that offer the most they can, by their lab
_MIXING = ("", "auto", "packet", "packets")  # senders that offer a mix; '' is the virtual lab's


def load_of(entry: Fields) -> tuple[str, str]:
    """Load and goal of a case under this traffic, as its case file has them; shares of a line rate as written."""
    said, asked = entry.get("load", ""), mapping(entry.get("search", ""))
    if is_of_line_rate(entry):
        return unresolved(points_of(entry), _seconds(asked, "final", USUAL.final_s))
    if isinstance(said, list) or text(said).endswith("%"):
        loads = tuple(map(_point, items(said) or [said]))
        final_s = _seconds(asked, "final", USUAL.final_s)
        return CURVE, program_text(Curve(loads=loads, shares=_is_share(items(said) or [said]), final_s=final_s))
    if measures_table(entry):
        return text(said), program_text(connections_of(entry))
    if text(said) in list(Search):
        return text(said), program_text(goal_of(Search(text(said)), asked))
    return (text(said), "") if text(said) in ("", MAXIMUM) else (str(round(_point(said))), "")


def frame_size_of(entry: Fields) -> int:
    """Octets of a frame with FCS; of a mix their mean, rounded."""
    if "imix" not in entry:
        return int(text(entry["frame_size"]))
    sizes = [tuple(map(int, text(size).split("x"))) for size in items(entry["imix"])]
    return round(sum(weight * octets for weight, octets in sizes) / sum(weight for weight, _ in sizes))


def goal_of(search: Search, asked: Fields) -> Goal:
    """The goal of a search with what `search` says of it; trials are all of one length where only one is given."""
    usual = usual_goal(search)
    final_s = _seconds(asked, "final", usual.final_s)
    return replace(
        usual,
        loss=_fraction(asked, "loss", usual.loss),
        width=_fraction(asked, "width", usual.width),
        exceed=_fraction(asked, "exceed", usual.exceed),
        final_s=final_s,
        initial_s=_seconds(asked, "initial", final_s),
        sum_s=_seconds(asked, "sum", final_s),
        trials=int(text(asked.get("trials", str(usual.trials)))),
    )


def is_paced(entry: Fields) -> bool:
    """Whether a sender must be told how much to offer."""
    return entry.get("load", MAXIMUM) != MAXIMUM


def sender_of(machine: Fields) -> str:
    """The sender of a machine that offers the most it can, and nothing else; empty where it can be told a load."""
    sender = text(machine.get("sender", machine.get("generator", "")))
    return sender if sender in _UNPACED.get(text(machine.get("lab", "")), ()) else ""


def offers_mix(machine: Fields) -> bool:
    """Whether the machine has a sender of frames of several sizes."""
    senders = {"qemu": "", "netns": text(machine.get("sender", "auto")), "ssh": text(machine.get("generator", ""))}
    return senders.get(text(machine.get("lab", "")), "") in _MIXING


def load_faults(tree: Tree, bad: set[Trail]) -> Iterator[Found]:
    """Loads that no machine could be asked for, and searches that look for nothing."""
    root = mapping(tree.value)
    for name, value in mapping(root.get("traffic", "")).items():
        trail, entry = ("traffic", name), mapping(value)
        if not any(place[:2] == trail for place in bad) and "load" in entry:
            yield from _point_faults(tree, trail, entry)
            if not measures_table(entry):
                yield from _search_faults(tree, trail, entry)
            yield from _line_rate_faults(tree, trail, entry)
            yield from line_rate_faults(tree, trail, entry)
            yield from _sender_faults(tree, trail, entry)
            yield from search_faults(tree, trail, entry)
    yield from connection_faults(tree, bad)


def _point_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    points = items(entry["load"])
    for place, (one, other) in enumerate(pairwise(points), 1):
        at = (*trail, "load", place)
        if _unit(one) != _unit(other):
            yield (
                at,
                tree.fault(at, f"{quoted(text(other))} stands beside {quoted(text(one))}; write all loads in one unit"),
            )
        elif _point(other) <= _point(one):
            yield at, tree.fault(at, f"{quoted(text(other))} is not above {quoted(text(one))}; write the loads rising")


def _search_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    load, asked = load_of(entry)[0], mapping(entry.get("search", ""))
    at = (*trail, "search")
    if load not in list(Search):
        for key in asked:
            if key != "final" or not (load == CURVE or isinstance(entry["load"], list)):
                yield (
                    (*at, key),
                    tree.fault_at_key((*at, key), f"{_shown(entry)} is offered and not searched for; remove '{key}'"),
                )
        return
    goal = goal_of(Search(load), asked)
    if "loss" in asked and (goal.loss > 0) is not (load == Search.PDR):
        cure = "write 'load: pdr'" if goal.loss else "write 'load: ndr'"
        message = f"a loss goal of {quoted(text(asked['loss']))} makes no {quoted(load)}; {cure}, or leave 'loss' away"
        yield (*at, "loss"), tree.fault((*at, "loss"), message)
    if load == Search.THROUGHPUT and goal.exceed:
        message = (
            "a trial that loses a frame is above the throughput (RFC 2544); write 'load: ndr', or leave 'exceed' away"
        )
        yield (*at, "exceed"), tree.fault((*at, "exceed"), message)
    for key, wrong in (("initial", goal.initial_s > goal.final_s), ("sum", goal.sum_s < goal.final_s)):
        if wrong:
            side = "longer" if key == "initial" else "less"
            message = f"{quoted(text(asked[key]))} is {side} than 'final', {goal.final_s:g} s; mend one of the two"
            yield (*at, key), tree.fault((*at, key), message)


def _line_rate_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    """Loads in packets a second that a machine's link does not carry."""
    size = frame_size_of(entry)
    for name, machine in mapping(mapping(tree.value).get("hardware", "")).items():
        said = text(mapping(machine).get("line_rate", ""))
        most = units.line_rate_pps(_bits(said), size) if _bits(said) else 0.0
        for at, point in _points(trail, entry):
            if most and not _unit(point) and _point(point) > most:
                rate = units.common_scale([most]).text(most, "pps")
                carried = f"the line rate of hardware {quoted(name)}, {rate} of {size} octets"
                message = f"{quoted(text(point))} is above {carried}; intend less"
                yield at, tree.fault(at, message)


def _points(trail: Trail, entry: Fields) -> Iterator[tuple[Trail, Plain]]:
    said = entry["load"]
    if isinstance(said, list):
        yield from (((*trail, "load", place), point) for place, point in enumerate(said))
    elif load_of(entry)[0].isdecimal():
        yield (*trail, "load"), said


def _sender_faults(tree: Tree, trail: Trail, entry: Fields) -> Iterator[Found]:
    """A load that can be told to no sender of the matrix."""
    machines = mapping(mapping(tree.value).get("hardware", ""))
    senders = {name: sender_of(mapping(machine)) for name, machine in machines.items()}
    if is_paced(entry) and senders and all(senders.values()):
        name, sender = next(iter(senders.items()))
        message = (
            f"{_shown(entry)} cannot be told to any machine: sender {quoted(sender)} of {quoted(name)} offers the most "
            "it can; write 'load: max', or name another sender"
        )
        yield (*trail, "load"), tree.fault((*trail, "load"), message)
    if "imix" in entry and machines and not any(offers_mix(mapping(machine)) for machine in machines.values()):
        name, machine = next(iter(machines.items()))
        sender = text(mapping(machine).get("sender", mapping(machine).get("generator", "")))
        message = (
            f"frames of several sizes cannot be offered by any machine: sender {quoted(sender)} of {quoted(name)} "
            "makes one size; write 'frame_size', or name 'packets' (lab ssh) or 'packet' (lab netns)"
        )
        yield (*trail, "imix"), tree.fault_at_key((*trail, "imix"), message)


def _shown(entry: Fields) -> str:
    said = entry["load"]
    return "a list of loads" if isinstance(said, list) else f"load {quoted(text(said))}"


def _point(value: Plain) -> float:
    """Packets a second, or a share of what comes through at maximum load, or of the line rate."""
    said = text(value)
    if said.endswith(("%", OF_LINE_RATE)):
        return units.fraction(said.removesuffix(OF_LINE_RATE))
    return float(said) if said.isdecimal() else units.pps(said)


def _is_share(points: Sequence[Plain]) -> bool:
    return text(points[0]).endswith("%")


def _unit(point: Plain) -> str:
    """What a load is a share of, by its last words; empty where it is packets a second."""
    return next((end for end in (OF_LINE_RATE, "%") if text(point).endswith(end)), "")


def _seconds(asked: Fields, key: str, usual: float) -> float:
    return units.seconds(text(asked[key])) if key in asked else usual


def _fraction(asked: Fields, key: str, usual: float) -> float:
    return units.fraction(text(asked[key])) if key in asked else usual


def _bits(said: str) -> float:
    try:
        return units.bits_per_second(said)
    except ValueError:
        return 0.0
