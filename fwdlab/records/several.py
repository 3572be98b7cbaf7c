"""A repeat of several trials: what was tried so far, and the record that all of it comes to.

`trial-1`, `trial-2`, ... in the folder of the repeat hold each what a repeat of one trial holds, and its case with the
load that was told to the sender. Where sender and DUT share a processor, what was due at that load and did not come
through is lost, whether the path dropped it or the sender had no time to send it: a frame that waits for the DUT is
never sent (RFC 9971 recommends that a load which falls short be counted as loss). A batch more or less is no loss.
Where they are machines of their own, loss is what the sender sent and the receiver did not see.

A trial that says nothing about the DUT decides nothing: the next step follows from the others, so it is made again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.case import Case, Lab, parse_case
from fwdlab.errors import RecordError
from fwdlab.records.connections import MEASURE, test_of, tried_of
from fwdlab.records.facts import Facts, parse_facts
from fwdlab.records.logs import faults_of_logs
from fwdlab.records.model import GENERATED, ElementaryTest, Label, Method, Searched, StateTable, TriedLoad
from fwdlab.records.raw import AGAIN, Result, parse_result
from fwdlab.records.reduce import differences, rates_of
from fwdlab.records.sound import reasons_of
from fwdlab.search.bounds import Tried, trials_at
from fwdlab.search.connections import Connections, Measure
from fwdlab.search.goal import CURVE, Curve, Goal, Program, Search, goal_words, parse_program
from fwdlab.search.steps import Found, Step, found, next_step
from fwdlab.units import line_rate_pps

_TRIAL = re.compile(r"trial-([1-9][0-9]{0,3})")
DURATION = "trial.duration_s"  # a line that a trial's case has beside those of the case
_PATIENCE = 3  # trials in a row that say nothing about the DUT, and no more are made
_LEAST_LOAD = 0.99  # of the intended one, from a sender with a processor of its own
_LATE_BATCHES = 2  # at either end of the trial's time one may be under way
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


@dataclass(frozen=True, kw_only=True, slots=True)
class OneTrial:
    """One trial of a repeat, as far as a search or a curve needs it."""

    folder: Path
    tried: Tried
    offered_pps: float
    fault: str  # why it says nothing about the DUT; empty where it is sound
    result: Result
    test: ElementaryTest | None = None  # of a state table


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


def trials_in(folder: Path) -> tuple[OneTrial, ...]:
    """The trials in the folder of a repeat, in the order they were made."""
    found_folders = ((_TRIAL.fullmatch(path.name), path) for path in folder.iterdir() if path.is_dir())
    numbered = sorted((int(match[1]), path) for match, path in found_folders if match)
    if [number for number, _ in numbered] != list(range(1, len(numbered) + 1)):
        raise RecordError(f"{folder}: trials are missing between the others; {AGAIN}")
    return tuple(_trial(path) for _, path in numbered)


def sound_trials(trials: Sequence[OneTrial]) -> list[OneTrial]:
    """The trials that say something about the DUT, in the order they were made."""
    return [item for item in trials if not item.fault]


def next_trial(program: Program, trials: Sequence[OneTrial]) -> Step | None:
    """The trial to make after these: the same one again after one that does not count."""
    return None if given_up(trials) else next_step(program, [item.tried for item in sound_trials(trials)])


def given_up(trials: Sequence[OneTrial]) -> str:
    """Why no more trials are made before the program is done; empty where they are."""
    last = trials[-_PATIENCE:]
    if len(last) < _PATIENCE or not all(item.fault for item in last):
        return ""
    return f"trial {len(trials)}, the last of {_PATIENCE} in a row that do not count: {last[-1].fault}"


def _trial(folder: Path) -> OneTrial:
    text, origin = _text(folder / "case"), str(folder / "result")
    case = parse_case(text, str(folder / "case"))
    result = parse_result(_text(folder / "result"), origin)
    alone = case.hardware.lab is Lab.SSH
    if measure := _said(text).get(MEASURE):
        return _elementary(folder, result, measure, test_of(_said(text), result, origin), alone=alone)
    offered, forwarded = rates_of(result, origin)
    intended = int(case.traffic.load) if case.traffic.load.isdecimal() else None
    facts = Facts(folder, {**_said(text), **dict(result.facts)})
    loss = loss_of(result, intended, int(facts.number("batch") or 1), alone=alone) if intended else 0.0
    came = intended * (1 - loss) if intended else forwarded
    return OneTrial(
        folder=folder,
        tried=Tried(load=intended, duration_s=facts.number(DURATION) or 0.0, forwarded_pps=came, loss=loss),
        offered_pps=offered,
        fault="; ".join(_faults(folder, result, intended if alone else None, offered)),
        result=result,
    )


def _elementary(folder: Path, result: Result, measure: str, test: ElementaryTest, *, alone: bool) -> OneTrial:
    """A test of a state table; the sender has to keep its rate where that is what is looked for, and it can alone."""
    intended = test.intended_pps if alone and measure == Measure.RATE else None
    batch = int(Facts(folder, dict(result.facts)).number("batch") or 1)
    return OneTrial(
        folder=folder,
        tried=tried_of(measure, test, alone=alone, batch=batch),
        offered_pps=test.offered_pps,
        fault="; ".join(_faults(folder, result, intended, test.offered_pps)),
        result=result,
        test=test,
    )


def _faults(folder: Path, result: Result, intended: float | None, offered: float) -> Iterator[str]:
    """Why a trial says nothing about the DUT; `intended` where the sender has to keep it."""
    if intended is not None and offered < _LEAST_LOAD * intended:
        yield f"sender offered {offered:.0f} of {intended:.0f} pps; look at its processor and link"
    yield from reasons_of(result.phase("measured"), differences(result.counters))
    yield from faults_of_logs(folder) or ()


def _said(text: str) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("\t") for line in text.splitlines())}


def loss_of(result: Result, intended: int, batch: int, *, alone: bool) -> float:
    """The share of the frames due at the intended load that did not come through, 0..1; if alone, of those sent.

    A sender is alone that shares no processor with the DUT.
    """
    measured = result.phase("measured")
    sent, time_s = sum(item.packets for item in measured), sum(item.duration_s for item in measured)
    counters = differences(result.counters)
    generated = counters.get(GENERATED[0], {}).get(GENERATED[1]) or sent
    received = counters.get("receiver:sink", {}).get("rx_packets", 0)
    lost = max(0, generated - received) / max(1, generated)
    if alone:
        return lost
    due = intended * time_s
    waiting = max(len(measured), _LATE_BATCHES * batch)  # at the end of each slice a frame may be due
    unsent = due - sent if due - sent > waiting else 0.0
    return min(1.0, max(0.0, unsent + lost * sent) / due)


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


def searched_of(program: Program, trials: Sequence[OneTrial]) -> Searched:
    """Everything that was tried, and what it came to."""
    result = _found(program, trials)
    in_pps = result if not _is_capacity(program) else None
    return Searched(
        goal=goal_words(program),
        lower_pps=in_pps.bounds.lower if in_pps else None,
        upper_pps=in_pps.bounds.upper if in_pps else None,
        irregular=given_up(trials) or (result.irregular if result else ""),
        trials=tuple(
            TriedLoad(
                intended_pps=intended_of(item),
                duration_s=item.tried.duration_s,
                offered_pps=item.offered_pps,
                forwarded_pps=item.tried.forwarded_pps,
                loss_ratio=item.tried.loss,
                fault=item.fault,
            )
            for item in trials
        ),
    )


def table_of(program: Program, trials: Sequence[OneTrial]) -> StateTable | None:
    """Every elementary test, and the numbers of connections around a capacity; None where there is no such test."""
    if not isinstance(program, Connections):
        return None
    result = _found(program, trials) if _is_capacity(program) else None
    return StateTable(
        lower_states=result.bounds.lower if result else None,
        upper_states=result.bounds.upper if result else None,
        tests=tuple(item.test for item in trials if item.test),
    )


def intended_of(item: OneTrial) -> float | None:
    """What the sender was asked for; None: as much as it can."""
    return item.test.intended_pps if item.test else item.tried.load


def _is_capacity(program: Program) -> bool:
    return isinstance(program, Connections) and program.measure is Measure.CAPACITY


def _found(program: Program, trials: Sequence[OneTrial]) -> Found | None:
    return None if isinstance(program, Curve) else found(program, [item.tried for item in sound_trials(trials)])


def rate_of(program: Program, trials: Sequence[OneTrial]) -> float | None:
    """The rate of the repeat: the conditional throughput of a search, what came through at the last load of a curve."""
    if _is_capacity(program):
        return shown_trial(program, trials).tried.forwarded_pps
    result, counting = _found(program, trials), sound_trials(trials)
    if result:
        return result.rate
    return counting[-1].tried.forwarded_pps if counting else None


def shown_trial(program: Program, trials: Sequence[OneTrial]) -> OneTrial:
    """The trial whose series and counters stand for the repeat: the last at the lower bound, else the last of all."""
    result, counting = _found(program, trials), sound_trials(trials) or trials
    if result is None or result.bounds.lower is None:
        return counting[-1]
    last = trials_at([item.tried for item in counting], result.bounds.lower)[-1]
    return next(item for item in counting if item.tried is last)


def faults_of_search(searched: Searched) -> tuple[str, ...] | None:
    """Why the result of a search is not to be quoted."""
    return (f"irregular result: {searched.irregular}",) if searched.irregular else None


def seconds_of(trials: Sequence[OneTrial], fact: str) -> float | None:
    """What a fact of the trials sums up to, such as their boots; None where none tells it."""
    told = list(_seconds(trials, fact))
    return sum(told) if told else None


def _seconds(trials: Sequence[OneTrial], fact: str) -> Iterator[float]:
    for item in trials:
        facts = item.folder / "facts"
        said = Facts(item.folder, parse_facts(_text(facts), str(facts))).number(fact) if facts.is_file() else None
        if said is not None:
            yield said


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); {AGAIN}") from error
