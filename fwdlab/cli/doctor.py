"""`fwdlab doctor`: what of a machine is well, what is not, and what to look at."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import click

from fwdlab.case import Case, Revision, case_text
from fwdlab.errors import LabError, MatrixError
from fwdlab.files import write_whole
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import NO_FIREWALL, Machine, Matrix
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.words import advice, quoted


@click.command()
@click.argument("machine")
@matrix_options
def command(*, machine: str, matrix: Path, quick: bool, runner_scripts: Path) -> None:  # noqa: ARG001
    """Examine MACHINE of the matrix, a line a check. One with a fault is quarantined until it is examined without.

    Exit status 3 where there are faults. Jobs leave a machine in quarantine alone.
    """
    declared = load_matrix(matrix)
    case = case_of(declared, machine_of(declared, machine))
    firewalls = sorted({item.name for item in declared.firewalls} - {NO_FIREWALL})
    with tempfile.TemporaryDirectory(prefix="fwdlab-doctor-") as name:
        case_file = Path(name) / "case"
        write_whole(case_file, case_text(case))
        script = (runner_scripts / "examine.sh").resolve()
        try:
            done = subprocess.run([str(script), str(case_file), *firewalls], cwd=declared.folder, check=False)
        except OSError as error:
            raise LabError(f"{script}: cannot be run ({error.strerror}); mend the checkout") from error
    sys.exit(done.returncode)


def machine_of(matrix: Matrix, name: str) -> Machine:
    """The hardware entry of that name; MatrixError where there is none."""
    known = {machine.name: machine for machine in matrix.machines}
    if name not in known:
        raise MatrixError(f"{matrix.origin}: hardware {quoted(name)} is not declared; {advice(name, known)}")
    return known[name]


def case_of(matrix: Matrix, machine: Machine) -> Case:
    """A case by which the machine is examined: nothing of it is measured, so nothing of it is resolved."""
    source = matrix.sources[0]
    plain = [item for item in matrix.firewalls if item.name == NO_FIREWALL]
    return Case(
        hardware=machine.hardware,
        revision=Revision(
            name=source.name,
            kind=source.kind,
            package=source.package_for(machine.arch),
            version=source.version,
            sha256="",
        ),
        firewall=(plain or matrix.firewalls)[0],
        patch=matrix.patches[0],
        traffic=matrix.traffic[0],
        runner_sha256="",
    )
