"""`fwdlab next-load`: what a repeat of several trials offers next; the runner scripts ask before each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from fwdlab.case import Case, Lab, parse_case
from fwdlab.errors import MatrixError
from fwdlab.records.several import DURATION, next_trial, program_of, trials_in
from fwdlab.search.steps import Step

_FEWEST_PACKETS = 100  # in a sample, so that its ends do not count


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
    for key, value in _lines(case, step) if step else ():
        click.echo(f"{key}\t{value}")


def _lines(case: Case, step: Step) -> Iterator[tuple[str, str]]:
    settings = dict(case.hardware.settings)
    samples = int(settings["trial.samples"])
    if case.hardware.lab is not Lab.QEMU:
        yield "hardware.trial.slice_ms", str(max(1, round(step.duration_s * 1000 / samples)))
    elif step.load is not None:
        yield "hardware.trial.packets", str(max(_FEWEST_PACKETS, round(step.load * step.duration_s / samples)))
    yield "traffic.load", "max" if step.load is None else str(step.load)
    yield DURATION, f"{step.duration_s:g}"
