"""`fwdlab fold`: a profiler's text as folded stacks."""

from __future__ import annotations

from pathlib import Path

import click

from fwdlab.profiles.formats import FORMATS, fold


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--format", "name", type=click.Choice(sorted(FORMATS)), help="What wrote FILE; recognised if not said.")
def command(file: Path, name: str | None) -> None:
    """Fold the stacks of FILE (`-` is standard input): one line a stack, root first, then its weight.

    Reads the output of `perf script` and text that is folded already. What was left out is said on standard error.
    """
    with click.open_file(str(file), encoding="utf-8", errors="replace") as stream:
        profile = fold(stream.read(), str(file), name)
    click.echo(profile.text, nl=False)
    for caveat in profile.caveats:
        click.echo(f"{file}: {caveat}", err=True)
