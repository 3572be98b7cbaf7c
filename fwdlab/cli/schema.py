"""`fwdlab schema`: the JSON Schemas of what fwdlab reads and writes."""

from __future__ import annotations

from importlib import resources

import click

_PUBLISHED = {  # package and file
    "matrix": ("fwdlab.matrix", "schema.json"),
    "record": ("fwdlab.records", "schema.json"),
    "store": ("fwdlab.store", "schema.json"),
    "verdicts": ("fwdlab.render", "verdicts.schema.json"),
}


@click.command()
@click.argument("name", type=click.Choice(sorted(_PUBLISHED)))
def command(name: str) -> None:
    """Print the JSON Schema of a matrix file, a record, verdicts or a store's entries, for editors and readers."""
    package, file = _PUBLISHED[name]
    click.echo((resources.files(package) / file).read_text(encoding="utf-8"), nl=False)
