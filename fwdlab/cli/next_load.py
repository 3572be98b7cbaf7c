"""`fwdlab next-load`: what a repeat of several trials offers next; the runner scripts ask before each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from fwdlab.case import Case, Lab, parse_case
from fwdlab.errors import MatrixError
from fwdlab.matrix.by_seconds import counts_seconds
from fwdlab.records.connections import ANSWERS, MEASURE
from fwdlab.records.program import program_of
from fwdlab.records.trials import DURATION, next_trial, trials_in
from fwdlab.search.connections import Connections
from fwdlab.search.steps import Step

_FEWEST_PACKETS = 100  # in a sample, so that its ends do not count
_SLOWEST_PPS = 10_000  # of a sender that makes connections as fast as it can
_PATIENCE_S, _PATIENCE = 10, 4  # for connections to be made: so long, and so many times as long as they should take


@click.command()
@click.argument("case_file", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
def command(case_file: Path, folder: Path) -> None:
    """Print the lines of CASE_FILE that the next trial changes, after the trials in FOLDER; nothing where it is done.

    The load that the sender is told, and how long the trial is in the units of its lab. It follows from the trials
    alone: the same ones give the same answer.
    """
    try:
        case = parse_case(case_file.read_text(encoding="utf-8"), str(case_file))
    except (OSError, UnicodeDecodeError) as error:
        raise MatrixError(f"{case_file}: cannot be read ({error}); write it with 'fwdlab cases --write'") from error
    program = program_of(case)
    if program is None:
        raise MatrixError(f"{case_file}: load '{case.traffic.load}' takes one trial; there is no next one to ask for")
    step = next_trial(program, trials_in(folder))
    if step:
        lines = _test_lines(case, step, program) if isinstance(program, Connections) else _lines(case, step)
        for key, value in lines:
            click.echo(f"{key}\t{value}")


def _test_lines(case: Case, step: Step, program: Connections) -> Iterator[tuple[str, str]]:
    """An elementary test of a state table: how many connections at which rate, and how fast they are answered."""
    states = step.states or program.states
    making_s = states / (step.load or _SLOWEST_PPS)
    patience_ms = round(1000 * (_PATIENCE_S + _PATIENCE * making_s / program.answers))
    if case.hardware.lab is not Lab.QEMU:
        samples = int(dict(case.hardware.settings)["trial.samples"])
        yield "hardware.trial.slice_ms", str(patience_ms // samples)
    yield "traffic.flows", str(states)
    yield "traffic.load", "max" if step.load is None else str(step.load)
    yield DURATION, f"{making_s:.6f}"
    yield MEASURE, program.measure
    yield ANSWERS, f"{program.answers:g}"
    yield "trial.patience_ms", str(patience_ms)


def _lines(case: Case, step: Step) -> Iterator[tuple[str, str]]:
    settings = dict(case.hardware.settings)
    samples = int(settings["trial.samples"])
    if counts_seconds(settings):
        yield "hardware.trial.samples", f"{step.duration_s:.0f}"
        yield "hardware.trial.slice_ms", "1000"
    elif case.hardware.lab is not Lab.QEMU:
        yield "hardware.trial.slice_ms", str(max(1, round(step.duration_s * 1000 / samples)))
    elif step.load is not None:
        yield "hardware.trial.packets", str(max(_FEWEST_PACKETS, round(step.load * step.duration_s / samples)))
    yield "traffic.load", "max" if step.load is None else str(step.load)
    yield DURATION, f"{step.duration_s:g}"
