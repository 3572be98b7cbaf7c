"""`fwdlab run`: measure what a matrix asks for, judge it and build the site."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from fwdlab import units
from fwdlab.campaign import campaigns_text
from fwdlab.case import Case, parse_case
from fwdlab.cli.look import wanted_repeats
from fwdlab.cli.site import publish
from fwdlab.errors import FwdlabError, MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.matrix.expand import only, quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.options import matrix_options, seconds_of
from fwdlab.matrix.plan import History, Plan, Planned, make_plan, refuse_above
from fwdlab.matrix.resolve import resolved_cases, runner_sha256
from fwdlab.matrix.words import quoted
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.run.carry import Event, Failure, exit_code
from fwdlab.run.lock import locked
from fwdlab.run.scripts import Bench
from fwdlab.run.session import carry_plan
from fwdlab.run.tasks import Step

EXIT_INTERRUPTED = 130  # what a shell gives for Ctrl-C
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")  # of an entry of the matrix, as its schema has it


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
    asked = Question(matrix, quick, runner_scripts, pattern, case_file, repeats, cap)
    try:
        _refuse_mixed(asked)
        plan, workspace = _plan_of_file(asked, case_file, results) if case_file else _plan_of_matrix(asked, results)
        with locked(results):
            bench = Bench(scripts=runner_scripts, workspace=workspace, results=results)
            sys.exit(measure(plan, bench, jobs, None if asked.part else public, begin))
    except KeyboardInterrupt:
        click.echo("stopped; what is measured is kept, and the same command goes on from there", err=True)
        sys.exit(EXIT_INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked for on the command line, as far as the plan goes."""

    matrix: Path
    quick: bool
    runner_scripts: Path
    pattern: str | None
    case_file: Path | None
    repeats: int | None
    cap: str | None

    @property
    def part(self) -> bool:
        """Whether only some cases are wanted, which makes no campaign."""
        return self.pattern is not None or self.case_file is not None


def _refuse_mixed(asked: Question) -> None:
    """Options that would change nothing where they stand."""
    if asked.pattern is not None and asked.case_file is not None:
        raise MatrixError("--only: a case file holds one case; leave --only or --case-file away")
    if asked.repeats is not None and not asked.part:
        raise MatrixError(
            "--repeats: campaigns ask for their own; mend 'repeats' in the matrix, or name cases by --only"
        )


def _plan_of_matrix(asked: Question, results: Path) -> tuple[Plan, Path]:
    declared = quick_of(load_matrix(asked.matrix)) if asked.quick else load_matrix(asked.matrix)
    cases: Sequence[Case] = resolved_cases(declared, asked.runner_scripts)
    if asked.pattern is not None:
        cases = only(cases, asked.pattern)
    if asked.repeats is not None:
        asks = tuple(replace(ask, repeats=asked.repeats) for ask in declared.asks)
        declared = replace(declared, repeats=asked.repeats, asks=asks)
    plan = make_plan(declared, cases, history_of(results, cases))
    refuse_above(plan, declared.cap_s if asked.cap is None else seconds_of("--cap", asked.cap))
    return plan, declared.folder


def _plan_of_file(asked: Question, case_file: Path, results: Path) -> tuple[Plan, Path]:
    """A plan of one case; rule files are found from the working directory."""
    case = _case_of(case_file, asked.runner_scripts)
    history: History = history_of(results, [case])
    planned = Planned(
        case=case,
        key=case.key,
        repeats=asked.repeats or 1,
        done=history.done.get(case.key, frozenset()),
        profiled=case.key in history.profiled,
    )
    return Plan(origin=str(case_file), seed=0, planned=(planned,), machines=(), campaigns=(), notes=()), Path.cwd()


def _case_of(case_file: Path, runner_scripts: Path) -> Case:
    """The case a file describes, if its names are safe as folders and these scripts are the ones it names."""
    try:
        case = parse_case(case_file.read_text(encoding="utf-8"), str(case_file))
    except (OSError, UnicodeDecodeError) as error:
        raise MatrixError(f"{case_file}: cannot be read ({error}); write it with 'fwdlab cases --write'") from error
    except RecordError as error:
        raise MatrixError(str(error)) from error
    for name in case.names:
        if not _NAME.fullmatch(name):
            raise MatrixError(f"{case_file}: name {quoted(name)} is none a matrix could give; write the file again")
    if case.runner_sha256 != runner_sha256(case.hardware.lab, runner_scripts):
        raise MatrixError(
            f"{case_file}: was written for other scripts than {runner_scripts}; write it with 'fwdlab cases --write'"
        )
    return case


def measure(plan: Plan, bench: Bench, jobs: int | None, public: Path | None, begin: float) -> int:
    """Carry the plan out, then records, verdicts and site; the exit status, sentences on standard error."""
    results = bench.results
    if public is not None:
        _refuse_foreign(public, results)
        write_whole(results / "campaigns.json", campaigns_text(plan.campaigns))
        write_whole(results / "command", f"{command_line()}\n")
    places, measured = jobs or os.cpu_count() or 1, set[tuple[str, int]]()
    failures = _carry(plan, bench, places, measured)
    try:
        refused = _conclude(plan, results, public)
        _spent(plan, results, measured, time.monotonic() - begin, places)
    finally:
        for failure in failures:
            click.echo(failure.message, err=True)
    for sentence in refused:
        click.echo(sentence, err=True)
    return exit_code(failures) or (RecordError.exit_code if refused else 0)


def _refuse_foreign(public: Path, results: Path) -> None:
    """Before hours of lab time, not after them: the site may take these places."""
    from fwdlab.render.site import refuse_foreign  # noqa: PLC0415

    for folder in (public, results / "site"):
        refuse_foreign(folder)


def _carry(plan: Plan, bench: Bench, jobs: int, measured: set[tuple[str, int]]) -> tuple[Failure, ...]:
    """The rounds of the plan, and those that campaigns with repeats by need add after each look.

    Adds key and number of every repeat that was measured to `measured`.
    """

    def told(event: Event) -> str:
        if said := figure(event, bench.results):
            measured.add((event.task.key, event.task.repeat))
        return said

    failures = carry_plan(plan, bench, jobs, told)
    settled: set[str] = set()
    while wider := _widened(plan, bench.results, {failure.task.key for failure in failures}, settled):
        given = {item.key: item.repeats for item in plan.planned}
        settled |= given.keys() - {item.key for item in wider.planned if item.repeats > given[item.key]}
        plan = wider
        failures += carry_plan(plan, bench, jobs, told)
    return failures


def _widened(plan: Plan, results: Path, given_up: set[str], settled: set[str]) -> Plan | None:
    """The plan with the repeats its campaigns still need; None where they need none. What is settled stays so."""
    by_need = [campaign for campaign in plan.campaigns if campaign.adaptive is not None]
    if not by_need:
        return None
    case_folders = [item.case.folder for item in plan.planned]
    asked = wanted_repeats(by_need, case_folders, results, {item.key: item.repeats for item in plan.planned}, settled)
    wanted = {key: repeats for key, repeats in asked.items() if key not in given_up}
    if not wanted:
        return None
    click.echo(f"{len(wanted)} cases are unproven; measuring them further", err=True)
    history = history_of(results, [item.case for item in plan.planned])
    planned = tuple(
        replace(
            item,
            repeats=wanted.get(item.key, item.repeats),
            done=history.done.get(item.key, frozenset()),
            profiled=item.key in history.profiled or item.key in given_up,
        )
        for item in plan.planned
        if item.key not in given_up
    )
    return replace(plan, planned=planned)


def figure(event: Event, results: Path) -> str:
    """What a repeat that is there came to, in words."""
    if event.task.step is not Step.TRAFFIC or event.outcome.status:
        return ""
    from fwdlab.records.make import value_of  # noqa: PLC0415

    try:
        value, unit = value_of(event.task.case, results / "runs" / event.task.case.folder / event.task.folder)
    except FwdlabError:
        value, unit = None, ""
    if value is None:
        return "no figure; 'fwdlab record' says why"
    return units.common_scale([value]).text(value, unit)


def _conclude(plan: Plan, results: Path, public: Path | None) -> tuple[str, ...]:
    """Records, then the verdicts and the site, or a line for each case where only some were asked for.

    Returns a sentence for each repeat and each record that cannot be trusted.
    """
    folders = Folders(results=results)
    case_folders = [item.case.folder for item in plan.planned if (folders.runs / item.case.folder).is_dir()]
    unmade = make_records(folders, case_folders, command_line())
    if public is not None:
        return unmade + publish(results, public)
    from fwdlab.analyse.samples import sample_of  # noqa: PLC0415
    from fwdlab.render.table import sample_line  # noqa: PLC0415

    loaded = load_records(folders, case_folders)
    for item in plan.planned:
        if ours := [record for record in loaded.records if record.key == item.key]:
            click.echo(sample_line(sample_of(ours)))
    return unmade + loaded.refused


def _spent(plan: Plan, results: Path, measured: set[tuple[str, int]], elapsed_s: float, places: int) -> None:
    """Where the seconds of this run went: boots and traffic side by side count by their share of the places."""
    folders = Folders(results=results)
    records = load_records(folders, [item.case.folder for item in plan.planned]).records
    trials = [record.trial for record in records if (record.key, record.trial.repeat) in measured]
    booted = [trial for trial in trials if trial.boot_s is not None]
    side_by_side = max(1, min(places, len(booted)))
    boots = sum(trial.boot_s or 0.0 for trial in booted) / side_by_side
    traffic = sum((trial.traffic_s or 0.0) / (1 if trial.boot_s is None else side_by_side) for trial in trials)
    parts = [f"{boots:.0f} s in {len(booted)} boots"] if booted or not trials else []
    parts += [
        f"{traffic:.0f} s in their traffic ({side_by_side} side by side)" if parts else f"{traffic:.0f} s in traffic"
    ]
    rest = max(0.0, elapsed_s - boots - traffic)
    click.echo(f"spent: {elapsed_s:.0f} s: {', '.join(parts)}, {rest:.0f} s in profiles and everything else")


def command_line() -> str:
    """This run as a reader would type it."""
    return shlex.join(["./lab", *sys.argv[1:]])
