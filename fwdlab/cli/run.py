"""`fwdlab run`: measure what a matrix asks for, judge it and build the site."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from fwdlab import units
from fwdlab.campaign import campaigns_text
from fwdlab.case import Case, parse_case
from fwdlab.cli.site import publish
from fwdlab.errors import FwdlabError, MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.matrix.expand import only, quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.plan import History, Plan, Planned, make_plan, refuse_above
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.run.carry import Event, Failure, carry_out, exit_code
from fwdlab.run.lock import locked
from fwdlab.run.scripts import Bench
from fwdlab.run.show import shown
from fwdlab.run.tasks import Step, phases

_INTERRUPTED = 130  # what a shell gives for Ctrl-C


@click.command()
@matrix_options
@click.option("--only", "pattern", metavar="CASE", help="Measure only the cases whose name fits; builds no site.")
@click.option("--case-file", type=click.Path(path_type=Path), help="Measure the case of this file; builds no site.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--public", type=click.Path(path_type=Path), default=Path("public"), show_default=True)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Boots of the virtual lab side by side; a core each by default."
)
@click.option("--repeats", type=click.IntRange(min=1), help="Boots of each case, with --only or --case-file.")
@click.option("--cap", metavar="TIME", help="Most lab time of one machine, such as 4h; instead of the matrix's 'cap'.")
def command(  # noqa: PLR0913 - one argument an option
    *,
    matrix: Path,
    quick: bool,
    runner_scripts: Path,
    pattern: str | None,
    case_file: Path | None,
    results: Path,
    public: Path,
    jobs: int | None,
    repeats: int | None,
    cap: str | None,
) -> None:
    """Measure every case that is not measured yet, in interleaved rounds; then judge, and build the site.

    Killed or stopped, it goes on where it was when it is called again. Boots of the virtual lab run side by side:
    guest time counts instructions, so their number changes no result.
    """
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan, workspace = (
        _plan_of_file(case_file, results, repeats or 1)
        if case_file
        else _plan_of_matrix(Question(matrix, quick, runner_scripts, pattern, cap, repeats), results)
    )
    whole = pattern is None and case_file is None
    with locked(results):
        if whole:
            write_whole(results / "campaigns.json", campaigns_text(plan.campaigns))
            write_whole(results / "command", f"{_command_line()}\n")
        bench = Bench(scripts=runner_scripts, workspace=workspace, results=results)
        failures = _carry(plan, bench, jobs or os.cpu_count() or 1)
        _conclude(plan, results, public if whole else None)
        _spent(plan, results, time.monotonic() - begin)
    for failure in failures:
        click.echo(failure.message, err=True)
    sys.exit(exit_code(failures))


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked for on the command line, as far as the matrix goes."""

    matrix: Path
    quick: bool
    runner_scripts: Path
    pattern: str | None
    cap: str | None
    repeats: int | None


def _plan_of_matrix(asked: Question, results: Path) -> tuple[Plan, Path]:
    declared = quick_of(load_matrix(asked.matrix)) if asked.quick else load_matrix(asked.matrix)
    cases: Sequence[Case] = resolved_cases(declared, asked.runner_scripts)
    if asked.pattern is not None:
        cases = only(cases, asked.pattern)
    plan = make_plan(declared, cases, history_of(results, cases))
    refuse_above(plan, declared.cap_s if asked.cap is None else _seconds(asked.cap))
    return plan, declared.folder


def _seconds(cap: str) -> float:
    try:
        return units.seconds(cap)
    except ValueError as error:
        raise MatrixError(f"--cap: {error}") from error


def _plan_of_file(case_file: Path, results: Path, repeats: int) -> tuple[Plan, Path]:
    """A plan of one case; rule files are found from the working directory."""
    try:
        case = parse_case(case_file.read_text(encoding="utf-8"), str(case_file))
    except (OSError, UnicodeDecodeError) as error:
        raise MatrixError(f"{case_file}: cannot be read ({error}); write it with 'fwdlab cases --write'") from error
    except RecordError as error:
        raise MatrixError(str(error)) from error
    history: History = history_of(results, [case])
    planned = Planned(
        case=case,
        key=case.key,
        repeats=repeats,
        done=history.done.get(case.key, frozenset()),
        profiled=case.key in history.profiled,
    )
    return Plan(origin=str(case_file), seed=0, planned=(planned,), machines=(), campaigns=(), notes=()), Path.cwd()


def _carry(plan: Plan, bench: Bench, jobs: int) -> tuple[Failure, ...]:
    todo = phases(plan)
    boots = len(todo[1])
    with shown(tasks=sum(map(len, todo)), boots=boots) as show:
        try:
            return carry_out(todo, bench.do, jobs, lambda event: show.tell(event, _figure(event, bench.results)))
        except KeyboardInterrupt:
            bench.stop()
            click.echo("stopped; what is measured is kept, and the same command goes on from there", err=True)
            sys.exit(_INTERRUPTED)


def _figure(event: Event, results: Path) -> str:
    """The forwarding rate of a repeat that is there, in words."""
    if event.task.step is not Step.TRAFFIC or event.outcome.status:
        return ""
    from fwdlab.records.raw import parse_result  # noqa: PLC0415

    path = results / "runs" / event.task.case.folder / f"repeat-{event.task.repeat}" / "result"
    try:
        slices = parse_result(path.read_text(encoding="utf-8", errors="replace"), str(path)).phase("measured")
        rate = sum(item.packets for item in slices) / sum(item.duration_s for item in slices)
    except (FwdlabError, OSError, ZeroDivisionError):
        return "no figure; 'fwdlab record' says why"
    return units.common_scale([rate]).text(rate, "pps")


def _conclude(plan: Plan, results: Path, public: Path | None) -> None:
    """Records, then the verdicts and the site, or a line for each case where only some were asked for."""
    folders = Folders(results=results)
    case_folders = [item.case.folder for item in plan.planned if (folders.runs / item.case.folder).is_dir()]
    for refused in make_records(folders, case_folders):
        click.echo(refused, err=True)
    if public is not None:
        publish(results, public)
        return
    from fwdlab.analyse.samples import sample_of  # noqa: PLC0415
    from fwdlab.render.table import sample_line  # noqa: PLC0415

    records = load_records(folders, case_folders).records
    for item in plan.planned:
        if ours := [record for record in records if record.key == item.key]:
            click.echo(sample_line(sample_of(ours)))


def _spent(plan: Plan, results: Path, elapsed_s: float) -> None:
    """Where the time of the trials went, and of this run as a whole."""
    folders = Folders(results=results)
    records = load_records(folders, [item.case.folder for item in plan.planned]).records
    boots = sum(record.trial.boot_s or 0.0 for record in records)
    traffic = sum(record.trial.traffic_s or 0.0 for record in records)
    click.echo(
        f"spent: this run {elapsed_s:.0f} s; its {len(records)} trials {boots:.0f} s until their first packet "
        f"and {traffic:.0f} s in traffic, side by side"
    )


def _command_line() -> str:
    """This run as a reader would type it."""
    return shlex.join(["./lab", *sys.argv[1:]])
