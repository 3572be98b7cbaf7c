"""`fwdlab fold`: profilers' texts as folded stacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from fwdlab.errors import MatrixError, RecordError
from fwdlab.profiles.folded import Profile, counted
from fwdlab.profiles.formats import FORMATS, fold
from fwdlab.profiles.idle import idle_reason

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=_FILE)
@click.option("--format", "name", type=click.Choice(sorted(FORMATS)), help="What wrote FILE; recognised if not said.")
@click.option("--event", help="Fold the samples of this event; of the one FILE names first if not said.")
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), help="For several FILEs.")
def command(files: tuple[Path, ...], name: str | None, event: str | None, folder: Path | None) -> None:
    """Fold the stacks of FILE (`-` is standard input): one line a stack, root first, then its weight.

    Reads the output of `perf script`, the call graphs of `pmcstat -G`, the stacks of DTrace and text that is folded
    already. What was left out is said on standard error. With --output each FILE becomes FILE.folded in that folder.
    """
    _check(files, folder)
    refused = []
    for file in files:
        try:
            _fold(file, name, event, folder)
        except RecordError as error:
            refused.append(str(error))
    if refused:
        raise RecordError("\n".join(refused))


def _check(files: Sequence[Path], folder: Path | None) -> None:
    if folder is None and len(files) > 1:
        raise MatrixError(f"--output: {len(files)} files need a folder for their folded stacks; name one")
    name, times = Counter(file.name for file in files).most_common(1)[0]
    if times > 1:
        raise MatrixError(f"--output: {times} files are called '{name}'; give each a folder of its own")


def _fold(file: Path, name: str | None, event: str | None, folder: Path | None) -> None:
    with click.open_file(str(file), encoding="utf-8", errors="replace") as stream:
        profile = fold(stream.read(), str(file), name, event)
    if folder is None:
        click.echo(profile.text, nl=False)
    else:
        from fwdlab.files import write_whole  # noqa: PLC0415 - takes as long to import as a call graph to fold

        place = folder / f"{file.name}.folded"
        write_whole(place, profile.text)
        click.echo(f"{place}: {_summary(profile)}")
    for caveat in profile.caveats:
        click.echo(f"{file}: {caveat}", err=True)
    if reason := idle_reason(profile):
        click.echo(f"{file}: {reason}", err=True)


def _summary(profile: Profile) -> str:
    """Such as `270 stacks, 18296 samples of cycles, 0.1 % idle`."""
    event = f" of {profile.event}" if profile.event else ""
    stacks, samples = counted(len(profile.stacks), "stack"), counted(profile.samples, "sample")
    return f"{stacks}, {samples}{event}, {100 * profile.idle_share:.1f} % idle"
