"""`fwdlab schema`: the JSON Schemas of what fwdlab reads and writes."""

from __future__ import annotations

from importlib import resources

import click

_PUBLISHED = {  # package and file
    "matrix": ("fwdlab.matrix", "schema.json"),
    "record": ("fwdlab.records", "schema.json"),
    "verdicts": ("fwdlab.render", "verdicts.schema.json"),
}


@click.command()
@click.argument("name", type=click.Choice(sorted(_PUBLISHED)))
def command(name: str) -> None:
    """Print the JSON Schema of a matrix file, of a record or of verdicts, for editors and readers."""
    package, file = _PUBLISHED[name]
    click.echo((resources.files(package) / file).read_text(encoding="utf-8"), nl=False)
