"""`fwdlab import`: measurements that others took, as records."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from fwdlab.archive.cells import USUAL_TEMPLATE, Found, alone, by_matrix, naming_of
from fwdlab.archive.folder import read_archive
from fwdlab.archive.layout import lay_out
from fwdlab.archive.model import Series
from fwdlab.archive.tables import disagreements
from fwdlab.campaign import Campaign, campaigns_text, parse_campaigns
from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.matrix.load import load_matrix
from fwdlab.records.model import Record
from fwdlab.records.remarks import FILE, remarks_of, remarks_text
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.run.lock import locked


@click.group("import")
def command() -> None:
    """Take measurements that others took among the results."""


@command.command("bench-lab")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--matrix", "-m", type=click.Path(path_type=Path), help="What was measured; else as DIR's .info say.")
@click.option("--series", metavar="TEMPLATE", help="How a case's series is named. [default: {revision}.{firewall}]")
@click.option("--call", "calls", metavar="AXIS:NAME=TEXT", multiple=True, help="What the archive calls a name.")
@click.option("--hardware", metavar="NAME", help="The machine under test; without a matrix.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
def bench_lab(
    *,
    folder: Path,
    matrix: Path | None,
    series: str | None,
    calls: tuple[str, ...],
    hardware: str | None,
    results: Path,
) -> None:
    """Make records of DIR, a folder of bench-lab's logs: .info, .sender, .receiver, .pps, .data and .pmc.graph.

    Each series becomes a case, each pair of logs a repeat of it; the files are kept byte for byte. What DIR does not
    say stays unknown. A trial whose logs tell of an error is invalid, with the reason. With a matrix the pages are
    those of its campaigns; TEMPLATE makes the names of series of its names, and TEXT is what DIR has for one of them.
    """
    if matrix is None and (series is not None or calls):
        raise MatrixError("--series: names are made of a matrix's; name one with --matrix, or leave it away")
    archive = read_archive(folder)
    if matrix is None:
        found = alone(archive, hardware)
    else:
        declared = load_matrix(matrix)
        found = by_matrix(archive, declared, naming_of(series or USUAL_TEMPLATE, calls, declared))
    for doubt in (*archive.doubts, *found.doubts):
        click.echo(doubt, err=True)
    with locked(results):
        _import(found, Folders(results=results))


def _import(found: Found, folders: Folders) -> None:
    """Run folders, records and campaigns; every doubt on standard error."""
    places = {case.key: lay_out(folders.runs, series, case) for series, case in found.cases}
    refused = make_records(folders, places.values())
    _add_campaigns(folders.results, found.campaigns)
    loaded = load_records(folders, places.values())
    by_key: dict[str, list[Record]] = {}
    for record in loaded.records:
        by_key.setdefault(record.key, []).append(record)
    for series, case in found.cases:
        _tell(series, by_key.get(case.key, []))
    click.echo(f"{len(loaded.records)} records of {len(places)} cases in {folders.records}")
    if unmade := (*refused, *loaded.refused):
        raise RecordError("\n".join(unmade))


def _tell(series: Series, records: Sequence[Record]) -> None:
    for record in records:
        for fault in record.faults or ():
            click.echo(f"{'/'.join(record.names)} repeat-{record.trial.repeat}: invalid: {fault}", err=True)
    rates = [record.trial.forwarded_pps for record in records if record.trial.forwarded_pps is not None]
    for doubt in disagreements(series, rates):
        click.echo(doubt, err=True)


def _add_campaigns(results: Path, campaigns: Sequence[Campaign]) -> None:
    """These campaigns among those that are there, in the place of one of the same name, each with its command."""
    path = results / "campaigns.json"
    known: Mapping[str, Campaign] = {
        item.name: item
        for item in (parse_campaigns(path.read_text(encoding="utf-8"), str(path)) if path.exists() else ())
    }
    ours = {item.name: item for item in campaigns}
    write_whole(path, campaigns_text({**known, **ours}.values()))
    remarks = remarks_of(results)
    line = shlex.join(["./lab", *sys.argv[1:]])
    commands = {**remarks.commands, **dict.fromkeys(ours, line)}
    write_whole(results / FILE, remarks_text(replace(remarks, commands=commands)))
