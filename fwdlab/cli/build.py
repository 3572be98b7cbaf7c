"""`fwdlab build`: the kernels of a matrix, built without measuring anything."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from fwdlab.case import Case
from fwdlab.cli.run import EXIT_INTERRUPTED
from fwdlab.errors import FwdlabError, LabError, MatrixError
from fwdlab.matrix.expand import only, quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.run.scripts import Bench


@click.command()
@click.argument("pattern", metavar="CASE", default="*")
@matrix_options
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
def command(pattern: str, matrix: Path, quick: bool, runner_scripts: Path, results: Path) -> None:
    """Build the kernels of the cases whose name fits CASE (all of them by default), where they are not built yet.

    Prints a line for each kernel: machine, revision and patch, then the folder that holds image, vmlinux, config and
    build.log. A kernel that does not build is told, and the others go on.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    declared = quick_of(load_matrix(matrix)) if quick else load_matrix(matrix)
    bench = Bench(scripts=runner_scripts, workspace=declared.folder, results=results)
    try:
        cases = _kernels(only(resolved_cases(declared, runner_scripts), pattern, "CASE"))
        if not cases:
            raise MatrixError(f"{matrix}: the kernels of these cases come built; give a revision 'source' or 'git'")
        failures = _build(cases, bench)
    except KeyboardInterrupt:
        bench.stop()
        click.echo("stopped; what is compiled is kept, and the same command goes on from there", err=True)
        sys.exit(EXIT_INTERRUPTED)
    if failures:
        family = MatrixError if any(isinstance(failure, MatrixError) for failure in failures) else LabError
        raise family("\n".join(map(str, failures)))


def _kernels(cases: Iterable[Case]) -> list[Case]:
    """One case for each kernel that is built, in the order of the cases."""
    built = [case for case in cases if case.revision.kind.built]
    return list({(case.hardware.settings, case.revision, case.patch): case for case in reversed(built)}.values())[::-1]


def _build(cases: Sequence[Case], bench: Bench) -> list[FwdlabError]:
    """One kernel after the other, since each build takes every processor; what went wrong."""
    failures: list[FwdlabError] = []
    for case in cases:
        try:
            folder, said = bench.kernel_of(case)
        except FwdlabError as error:
            failures.append(error)
        else:
            if said:
                click.echo(said, err=True)
            click.echo(f"{case.hardware.name}/{case.revision.name}/{case.patch.name}\t{folder}")
    return failures
