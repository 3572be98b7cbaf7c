"""The trials of a repeat of several: what each says of the DUT, and which one is made next.

`trial-1`, `trial-2`, ... in the folder of the repeat hold each what a repeat of one trial holds, and its case with the
load that was told to the sender. A trial that says nothing about the DUT decides nothing: the next step follows from
the others, so it is made again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fwdlab.case import Lab, parse_case
from fwdlab.errors import RecordError
from fwdlab.records.connections import MEASURE, test_of, tried_of
from fwdlab.records.facts import Facts, parse_facts
from fwdlab.records.logs import faults_of_logs
from fwdlab.records.loss import loss_of
from fwdlab.records.model import ElementaryTest
from fwdlab.records.raw import AGAIN, Result, parse_result
from fwdlab.records.reduce import differences, rates_of
from fwdlab.records.sound import reasons_of
from fwdlab.search.bounds import Tried
from fwdlab.search.connections import Measure
from fwdlab.search.goal import Program
from fwdlab.search.steps import Step, next_step

_TRIAL = re.compile(r"trial-([1-9][0-9]{0,3})")
DURATION = "trial.duration_s"  # a line that a trial's case has beside those of the case
_PATIENCE = 3  # trials in a row that say nothing about the DUT, and no more are made
_LEAST_LOAD = 0.99  # of the intended one, from a sender with a processor of its own


@dataclass(frozen=True, kw_only=True, slots=True)
class OneTrial:
    """One trial of a repeat, as far as a search or a curve needs it."""

    folder: Path
    tried: Tried
    offered_pps: float
    fault: str  # why it says nothing about the DUT; empty where it is sound
    result: Result
    test: ElementaryTest | None = None  # of a state table


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


def intended_of(item: OneTrial) -> float | None:
    """What the sender was asked for; None: as much as it can."""
    return item.test.intended_pps if item.test else item.tried.load


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
