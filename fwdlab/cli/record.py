"""`fwdlab record`: run folders into records."""

from __future__ import annotations

from pathlib import Path

import click

from fwdlab.errors import RecordError
from fwdlab.records.store import Folders, load_records, make_records, run_folders


@click.command()
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
def command(results: Path) -> None:
    """Read every run folder below RESULTS/runs into records, one a trial, and check them.

    A record that does not fit the schema, or whose raw output is not what it was read from, is set aside in
    RESULTS/refused with the reason; the exit status is then 4.
    """
    folders = Folders(results=results)
    runs = run_folders(folders.runs)
    if not runs:
        raise RecordError(f"{folders.runs}: holds no run; measure first with './lab run'")
    unmade = make_records(folders, runs)
    loaded = load_records(folders, runs)
    click.echo(f"{len(loaded.records)} records of {len(runs)} cases in {folders.records}")
    if refused := [*unmade, *loaded.refused]:
        raise RecordError("\n".join(refused))
