"""`fwdlab aa`: the noise floor of a machine, from the same case as both arms."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from fwdlab.analyse.floor import NoiseFloor, arms_of, floor_of, floors_text
from fwdlab.analyse.samples import sample_of
from fwdlab.cli.run import EXIT_INTERRUPTED, command_line, figure
from fwdlab.cli.site import floors_of
from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.matrix.expand import only
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.plan import Plan, make_plan
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.model import Record
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.run.carry import exit_code
from fwdlab.run.lock import locked
from fwdlab.run.scripts import Bench
from fwdlab.run.session import carry_plan


@click.command()
@click.argument("hardware")
@matrix_options
@click.option("--only", "pattern", metavar="CASE", help="Only the cases whose name fits.")
@click.option("--repeats", type=click.IntRange(min=3), default=5, show_default=True, help="Boots of each arm.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), help="Boots of the virtual lab side by side.")
def command(  # noqa: PLR0913 - one argument an option
    *,
    hardware: str,
    matrix: Path,
    quick: bool,  # noqa: ARG001 - one case a firewall is quick already
    runner_scripts: Path,
    pattern: str | None,
    repeats: int,
    results: Path,
    jobs: int | None,
) -> None:
    """Measure one case for each firewall of HARDWARE as both arms of a comparison and store what differs by chance.

    Comparisons on that machine then believe no sample that is quieter, and the pages say where the floor came from.
    A second call measures afresh only what is missing.
    """
    declared = load_matrix(matrix)
    cases = [case for case in resolved_cases(declared, runner_scripts) if case.hardware.name == hardware]
    if not cases:
        known = ", ".join(sorted(machine.name for machine in declared.machines))
        raise MatrixError(f"{matrix}: hardware '{hardware}' has no case; it has {known}")
    chosen = only(cases, pattern) if pattern else list({case.firewall.name: case for case in reversed(cases)}.values())
    folder = results / "aa"
    plan = make_plan(declared, chosen, history_of(folder, chosen))
    plan = replace(plan, planned=tuple(replace(item, repeats=2 * repeats, profiled=True) for item in plan.planned))
    with locked(folder):
        bench = Bench(scripts=runner_scripts, workspace=declared.folder, results=folder)
        try:
            failures = carry_plan(plan, bench, jobs, lambda event: figure(event, folder))
        except KeyboardInterrupt:
            click.echo("stopped; what is measured is kept, and the same command goes on from there", err=True)
            sys.exit(EXIT_INTERRUPTED)
        floor = _floor(plan, folder, hardware, repeats)
        _store(floor, results / "floors.json")
    for failure in failures:
        click.echo(failure.message, err=True)
    click.echo(f"{floor.source}: noise floor {floor.deviation * 100:.4f} %")
    sys.exit(exit_code(failures))


def _floor(plan: Plan, folder: Path, hardware: str, repeats: int) -> NoiseFloor:
    folders = Folders(results=folder)
    case_folders = [item.case.folder for item in plan.planned if (folders.runs / item.case.folder).is_dir()]
    for refused in make_records(folders, case_folders, command_line()):
        click.echo(refused, err=True)
    by_key: dict[str, list[Record]] = {}
    for record in load_records(folders, case_folders).records:
        by_key.setdefault(record.key, []).append(record)
    if not by_key:
        raise RecordError(f"{folder}: holds no record of {hardware}; see what was said above")
    samples = [sample_of(records) for records in by_key.values()]
    for sample in samples:
        a, b = arms_of(sample)
        if a.values and b.values:
            delta = (sum(b.values) / len(b.values)) / (sum(a.values) / len(a.values)) - 1
            click.echo(
                f"{'/'.join(sample.names)}: B against A {delta * 100:+.4f} %, n {len(a.values)}, {len(b.values)}"
            )
    return NoiseFloor(
        hardware=hardware,
        deviation=floor_of(samples),
        pairs=len(samples),
        repeats=repeats,
        measured=max(record.trial.ended[:10] for records in by_key.values() for record in records),
    )


def _store(floor: NoiseFloor, path: Path) -> None:
    write_whole(path, floors_text({**floors_of(path.parent), floor.hardware: floor}.values()))
