"""`fwdlab schema`: the JSON Schemas of what fwdlab reads and writes."""

from __future__ import annotations

from importlib import resources

import click

_PUBLISHED = {"matrix": "fwdlab.matrix", "record": "fwdlab.records"}  # each holds a schema.json


@click.command()
@click.argument("name", type=click.Choice(sorted(_PUBLISHED)))
def command(name: str) -> None:
    """Print the JSON Schema of a matrix file or of a record, for editors and readers."""
    text = (resources.files(_PUBLISHED[name]) / "schema.json").read_text(encoding="utf-8")
    click.echo(text, nl=False)
