"""`fwdlab flame`: a profiler's text as a flame graph in one file."""

from __future__ import annotations

from pathlib import Path

import click

from fwdlab.files import write_whole
from fwdlab.profiles.formats import FORMATS, fold

_STATIC = Path(__file__).parents[2] / "site" / "static"


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Default: FILE with '.html'.")
@click.option("--title", help="Default: the name of FILE.")
@click.option("--format", "name", type=click.Choice(sorted(FORMATS)), help="What wrote FILE; recognised if not said.")
def command(file: Path, output: Path | None, title: str | None, name: str | None) -> None:
    """Draw the stacks of FILE as a flame graph that zooms and searches in any browser; prints where it is."""
    from fwdlab.render.flame_file import PARTS, flame_file  # noqa: PLC0415 - other commands need no templates

    profile = fold(file.read_text(encoding="utf-8", errors="replace"), str(file), name)
    parts = {part: (_STATIC / part).read_text(encoding="utf-8") for part in PARTS}
    place = output or file.with_name(f"{file.name}.html")
    write_whole(place, flame_file(profile, title or file.name, parts))
    click.echo(place)
