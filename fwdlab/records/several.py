"""A repeat of several trials: what was tried so far, and the record that all of it comes to.

`trial-1`, `trial-2`, ... in the folder of the repeat hold each what a repeat of one trial holds, and its case with the
load that was told to the sender. What was due at that load and did not come through is lost, whether the path dropped
it or the sender had no time to send it: sender and DUT may share a processor, and a frame that waits for the DUT is
never sent (RFC 9971 recommends that a load which falls short be counted as loss). A batch more or less is no loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fwdlab.case import Case, parse_case
from fwdlab.errors import RecordError
from fwdlab.records.facts import Facts, parse_facts
from fwdlab.records.model import GENERATED, Label, Method, Searched, TriedLoad
from fwdlab.records.raw import AGAIN, Result, parse_result
from fwdlab.records.reduce import differences, rates_of
from fwdlab.search.bounds import Tried, trials_at
from fwdlab.search.goal import CURVE, Goal, Program, Search, goal_words, parse_program
from fwdlab.search.steps import Found, found

_TRIAL = re.compile(r"trial-([1-9][0-9]{0,3})")
DURATION = "trial.duration_s"  # a line that a trial's case has beside those of the case
_LATE_BATCHES = 2  # at either end of the trial's time one may be under way
_LABELS = {Search.THROUGHPUT: Label.THROUGHPUT, Search.NDR: Label.NDR, Search.PDR: Label.PDR}
_RULES = {
    Search.THROUGHPUT: "RFC 2544, section 26.1, by a search of RFC 9971: ",
    Search.NDR: "conditional throughput of MLRsearch (RFC 9971): ",
    Search.PDR: "conditional throughput of MLRsearch (RFC 9971): ",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class OneTrial:
    """One trial of a repeat, as far as a search or a curve needs it."""

    folder: Path
    tried: Tried
    offered_pps: float
    result: Result


def program_of(case: Case) -> Program | None:
    """What a repeat of the case does; None where it is one trial."""
    load = case.traffic.load
    if load != CURVE and load not in list(Search):
        return None
    try:
        return parse_program(load, case.traffic.goal)
    except (KeyError, ValueError) as error:
        raise RecordError(
            f"{case.slug}: goal '{case.traffic.goal[:80]}' of load '{load}' is none; plan again"
        ) from error


def trials_in(folder: Path) -> tuple[OneTrial, ...]:
    """The trials in the folder of a repeat, in the order they were made."""
    found_folders = ((_TRIAL.fullmatch(path.name), path) for path in folder.iterdir() if path.is_dir())
    numbered = sorted((int(match[1]), path) for match, path in found_folders if match)
    if [number for number, _ in numbered] != list(range(1, len(numbered) + 1)):
        raise RecordError(f"{folder}: trials are missing between the others; {AGAIN}")
    return tuple(_trial(path) for _, path in numbered)


def _trial(folder: Path) -> OneTrial:
    text = _text(folder / "case")
    load = parse_case(text, str(folder / "case")).traffic.load
    result = parse_result(_text(folder / "result"), str(folder / "result"))
    offered, forwarded = rates_of(result, str(folder / "result"))
    intended = int(load) if load.isdecimal() else None
    facts = Facts(folder, {**_said(text), **dict(result.facts)})
    loss = loss_of(result, intended, int(facts.number("batch") or 1)) if intended else 0.0
    came = intended * (1 - loss) if intended else forwarded
    tried = Tried(load=intended, duration_s=facts.number(DURATION) or 0.0, forwarded_pps=came, loss=loss)
    return OneTrial(folder=folder, tried=tried, offered_pps=offered, result=result)


def _said(text: str) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("\t") for line in text.splitlines())}


def loss_of(result: Result, intended: int, batch: int) -> float:
    """The share of the frames due at the intended load that did not come through, 0..1."""
    measured = result.phase("measured")
    sent, time_s = sum(item.packets for item in measured), sum(item.duration_s for item in measured)
    counters = differences(result.counters)
    generated = counters.get(GENERATED[0], {}).get(GENERATED[1]) or sent
    received = counters.get("receiver:sink", {}).get("rx_packets", 0)
    due = intended * time_s
    waiting = max(len(measured), _LATE_BATCHES * batch)  # at the end of each slice a frame may be due
    unsent = due - sent if due - sent > waiting else 0.0
    dropped = max(0, generated - received) / max(1, generated) * sent
    return min(1.0, max(0.0, unsent + dropped) / due)


def method_of(program: Program) -> Method:
    """What the rate of such a repeat is."""
    if isinstance(program, Goal):
        label, rule = _LABELS[program.search], f"{_RULES[program.search]}{goal_words(program)}"
    elif len(program.loads) == 1:
        label, rule = Label.FR, f"forwarding rate (RFC 2285) {goal_words(program)}"
    else:
        label, rule = Label.CURVE, f"forwarding rate at the last of these loads: {goal_words(program)}"
    return Method(label=label, rule=rule, kept=None, left_out=None)


def searched_of(program: Program, trials: Sequence[OneTrial]) -> Searched:
    """Everything that was tried, and what it came to."""
    result = _found(program, trials)
    return Searched(
        goal=goal_words(program),
        lower_pps=result.bounds.lower if result else None,
        upper_pps=result.bounds.upper if result else None,
        irregular=result.irregular if result else "",
        trials=tuple(
            TriedLoad(
                intended_pps=item.tried.load,
                duration_s=item.tried.duration_s,
                offered_pps=item.offered_pps,
                forwarded_pps=item.tried.forwarded_pps,
                loss_ratio=item.tried.loss,
            )
            for item in trials
        ),
    )


def _found(program: Program, trials: Sequence[OneTrial]) -> Found | None:
    return found(program, [item.tried for item in trials]) if isinstance(program, Goal) else None


def rate_of(program: Program, trials: Sequence[OneTrial]) -> float | None:
    """The rate of the repeat: the conditional throughput of a search, what came through at the last load of a curve."""
    result = _found(program, trials)
    return result.rate if result else trials[-1].tried.forwarded_pps


def shown_trial(program: Program, trials: Sequence[OneTrial]) -> OneTrial:
    """The trial whose series and counters stand for the repeat: the last at the lower bound, else the last of all."""
    result = _found(program, trials)
    if result is None or result.bounds.lower is None:
        return trials[-1]
    last = trials_at([item.tried for item in trials], result.bounds.lower)[-1]
    return next(item for item in reversed(trials) if item.tried is last)


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
