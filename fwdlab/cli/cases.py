"""`fwdlab cases`: the cases of a matrix, one line each, as JSON or as case files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path

import click

from fwdlab.case import AXES, Case, Firewall, Hardware, Patch, Revision, Traffic, case_text
from fwdlab.files import write_whole
from fwdlab.matrix.expand import as_written, expand, only, quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.resolve import resolved_cases

_Part = Hardware | Revision | Firewall | Patch | Traffic


@click.command()
@matrix_options
@click.option(
    "--only", "pattern", metavar="PATTERN", help="Only cases whose name fits, such as '*/nft-*/none/udp4-64'."
)
@click.option("--resolved", is_flag=True, help="Name exact packages and the keys of results; may need the network.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array, one case a line.")
@click.option("--write", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write case files there.")
def command(  # noqa: PLR0913 - one argument an option
    *,
    matrix: Path,
    quick: bool,
    runner_scripts: Path,
    pattern: str | None,
    resolved: bool,
    as_json: bool,
    folder: Path | None,
) -> None:
    """Print the cases of the matrix, in the order a lab would reboot in: one line each, its name first.

    Needs no network: a revision that moves stands there as it was written, unless --resolved or --write is given.
    """
    declared = quick_of(load_matrix(matrix)) if quick else load_matrix(matrix)
    exact = resolved or folder is not None
    cases = resolved_cases(declared, runner_scripts) if exact else _unresolved(declared)
    if pattern is not None:
        cases = only(cases, pattern)
    if folder is not None:
        _write(cases, folder)
    click.echo(_json(cases, exact) if as_json else _lines(cases, exact), nl=False)


def _unresolved(matrix: Matrix) -> tuple[Case, ...]:
    runners = {machine.lab: "" for machine in matrix.machines}
    return tuple(expand(matrix, as_written(matrix), runners))


def _write(cases: Sequence[Case], folder: Path) -> None:
    for case in cases:
        write_whole(folder / f"{case.slug}.case", case_text(case))


def _lines(cases: Sequence[Case], exact: bool) -> str:
    """Name, package and version, tab-separated; the key after them where it is known."""
    lines = (f"{case.slug}\t{case.revision.package}\t{case.revision.version}" for case in cases)
    if exact:
        return "".join(f"{line}\t{case.key}\n" for line, case in zip(lines, cases, strict=True))
    return "".join(f"{line}\n" for line in lines)


def _json(cases: Sequence[Case], exact: bool) -> str:
    part = cache(_part)  # ten thousand cases share few parts
    lines = []
    for case in cases:
        parts = ", ".join(f'"{axis}": {part(getattr(case, axis))}' for axis in AXES)
        key = f', "key": "{case.key}"' if exact else ""
        lines.append(f'  {{"case": {json.dumps(case.slug)}, {parts}{key}}}')
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _part(part: _Part) -> str:
    """A part of a case as JSON; a machine's settings become keys beside its name, what is as usual is left out."""
    usual = {field.name: field.default for field in fields(part)}
    values = {name: value for name, value in asdict(part).items() if value != usual[name] and name != "access"}
    settings = dict(values.pop("settings", ()))
    return json.dumps({**values, **settings})
