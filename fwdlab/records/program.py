"""What a repeat of several trials does, a search, a curve or a test of a state table, and what its rate is then."""

from __future__ import annotations

from dataclasses import replace

from fwdlab.case import Case
from fwdlab.errors import RecordError
from fwdlab.records.model import Label, Method
from fwdlab.search.connections import Connections, Measure
from fwdlab.search.goal import CURVE, Curve, Goal, Program, Search, goal_words, parse_program
from fwdlab.units import line_rate_pps

_LABELS: dict[str, Label] = {
    Search.THROUGHPUT: Label.THROUGHPUT,
    Search.NDR: Label.NDR,
    Search.PDR: Label.PDR,
    Measure.RATE: Label.ESTABLISHMENT,
    Measure.CAPACITY: Label.CAPACITY,
}
_RULES: dict[str, str] = {
    Search.THROUGHPUT: "RFC 2544, section 26.1, by a search of RFC 9971: ",
    Search.NDR: "conditional throughput of MLRsearch (RFC 9971): ",
    Search.PDR: "conditional throughput of MLRsearch (RFC 9971): ",
    Measure.RATE: "maximum connection establishment rate (RFC 9693, section 4.5), validated (section 4.6): ",
    Measure.CAPACITY: "connection tracking table capacity (RFC 9693, section 4.9), validated (section 4.6): ",
}


def program_of(case: Case) -> Program | None:
    """What a repeat of the case does; None where it is one trial."""
    load = case.traffic.load
    if load != CURVE and load not in _LABELS:
        return None
    try:
        program = parse_program(load, case.traffic.goal)
    except (KeyError, ValueError) as error:
        raise RecordError(
            f"{case.slug}: goal '{case.traffic.goal[:80]}' of load '{load}' is none; plan again"
        ) from error
    return replace(program, most=_line_rate(case)) if isinstance(program, Goal) else program


def _line_rate(case: Case) -> int | None:
    """What the machine's link carries, packets a second; None where it has none."""
    bits = dict(case.hardware.settings).get("line_rate_bps")
    return int(line_rate_pps(float(bits), case.traffic.frame_size)) if bits else None


def method_of(program: Program) -> Method:
    """What the rate of such a repeat is."""
    if not isinstance(program, Curve):
        name = program.measure if isinstance(program, Connections) else program.search
        label, rule = _LABELS[name], f"{_RULES[name]}{goal_words(program)}"
    elif len(program.loads) == 1:
        label, rule = Label.FR, f"forwarding rate (RFC 2285) {goal_words(program)}"
    else:
        label, rule = Label.CURVE, f"forwarding rate at the last of these loads: {goal_words(program)}"
    return Method(label=label, rule=rule, kept=None, left_out=None)
