"""`fwdlab flame`: a profiler's text as a flame graph in one file, or two as their difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.profiles.diff import SHARES, Costs, Unit, difference, mismatch
from fwdlab.profiles.folded import Profile, counted
from fwdlab.profiles.formats import FORMATS, fold
from fwdlab.profiles.idle import idle_reason

_CONFIDENCE = 0.95
_STATIC = Path(__file__).parents[2] / "site" / "static"


class _Options(TypedDict):
    diff: bool
    cost_base: float | None
    cost_new: float | None
    output: Path | None
    title: str | None
    name: str | None
    event: str | None


@click.command()
@click.argument(
    "files",
    metavar="FILE [NEW]",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    nargs=-1,
    required=True,
)
@click.option("--diff", is_flag=True, help="Draw what became of FILE in NEW: red costs more, blue less.")
@click.option("--cost-base", type=float, metavar="NS", help="With --diff: what a packet costs in FILE; ...")
@click.option("--cost-new", type=float, metavar="NS", help="... and in NEW. Without them shares are compared.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Default: beside the last file.")
@click.option("--title", help="Default: the names of the files.")
@click.option("--format", "name", type=click.Choice(sorted(FORMATS)), help="What wrote them; recognised if not said.")
@click.option("--event", help="Draw the samples of this event; of the one FILE names first if not said.")
def command(files: tuple[Path, ...], **options: Unpack[_Options]) -> None:
    """Draw the stacks of FILE as a flame graph that zooms and searches in any browser; prints where it is."""
    if len(files) != (2 if options["diff"] else 1):
        raise MatrixError(f"flame: {counted(len(files), 'file')} named; write 'flame FILE' or 'flame --diff FILE NEW'")
    costs = _costs(options)
    profiles = [_profile(file, options["name"], options["event"]) for file in files]
    place = options["output"] or files[-1].with_name(f"{files[-1].name}{'.diff' if options['diff'] else ''}.html")
    title = options["title"] or " against ".join(file.name for file in reversed(files))
    write_whole(place, _difference(files, profiles, costs, title) if options["diff"] else _flame(profiles[0], title))
    click.echo(place)


def _profile(file: Path, name: str | None, event: str | None) -> Profile:
    return fold(file.read_text(encoding="utf-8", errors="replace"), str(file), name, event)


def _costs(options: _Options) -> Costs:
    base, new = options["cost_base"], options["cost_new"]
    if base is None and new is None:
        return SHARES
    if base is None or new is None or not options["diff"]:
        raise MatrixError("--cost-base, --cost-new: say what a packet costs in two profiles; give both, with --diff")
    for option, cost in (("--cost-base", base), ("--cost-new", new)):
        if not 0 < cost < math.inf:
            raise MatrixError(f"{option}: '{cost:g}' ns is no cost of a packet; give a number above 0")
    return Costs(base=base, new=new, unit=Unit.NANOSECONDS)


def _flame(profile: Profile, title: str) -> str:
    from fwdlab.render.flame_file import flame_file  # noqa: PLC0415 - other commands need no templates

    return flame_file(profile, title, _parts())


def _difference(files: Sequence[Path], profiles: Sequence[Profile], costs: Costs, title: str) -> str:
    from fwdlab.render.flame_file import difference_file  # noqa: PLC0415 - other commands need no templates

    for file, profile in zip(files, profiles, strict=True):
        if reason := idle_reason(profile):
            raise RecordError(f"{file}: {reason}")
    base, new = profiles
    if reason := mismatch(base, new):
        raise RecordError(f"{files[0]} and {files[1]}: {reason}")
    names = (files[0].name, files[1].name) if files[0].name != files[1].name else ("base", "new")
    return difference_file(difference(base, new, costs), names, _CONFIDENCE, title, _parts())


def _parts() -> dict[str, str]:
    from fwdlab.render.flame_file import PARTS  # noqa: PLC0415 - other commands need no templates

    return {part: (_STATIC / part).read_text(encoding="utf-8") for part in PARTS}
