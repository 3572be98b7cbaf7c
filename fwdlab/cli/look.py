"""`fwdlab look`: after a round, which cases are unproven and get further ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import click

from fwdlab.campaign import Campaign, parse_campaigns
from fwdlab.cli.site import floors_of
from fwdlab.errors import RecordError
from fwdlab.files import write_whole
from fwdlab.records.store import Folders, load_records, make_records


@click.command()
@click.option("--after", type=click.IntRange(min=1), required=True, help="The round that was the last.")
@click.option("--campaigns", type=click.Path(path_type=Path), required=True, help="The campaigns of the plan.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Write there, for the rounds to come.")
def command(after: int, campaigns: Path, results: Path, out: Path) -> None:
    """Judge the campaigns with repeats by need, and write how many repeats their cases are to have.

    One line a case: its folder below RESULTS/runs, a tab, the number. The rounds of a pipeline read it. Looks before
    this one lie beside OUT, by their rounds; what they said of other campaigns' cases still holds.
    """
    by_need = [item for item in _campaigns(campaigns) if item.adaptive is not None and after in item.looks]
    members = {member.key: Path(*member.names, member.key) for item in by_need for member in item.members}
    runs = Folders(results=results).runs
    settled = {key for key, folder in members.items() if not (runs / folder / f"repeat-{after}").is_dir()}
    given = dict.fromkeys(members, after)
    wanted = {**given, **wanted_repeats(by_need, members.values(), results, given, settled)}
    said = _said_before(out, after)
    for key, folder in members.items():
        before = said.get(folder.as_posix(), 0)
        said[folder.as_posix()] = before or after - 1 if key in settled else max(wanted[key], before)
    write_whole(out, "".join(f"{folder}\t{repeats}\n" for folder, repeats in said.items()))
    further = sum(repeats > after for repeats in wanted.values())
    click.echo(f"{further} of {len(wanted)} cases are unproven after {after} rounds, and are measured further")


def _said_before(out: Path, after: int) -> dict[str, int]:
    """The repeats of each case by the last look before this one; none where it is the first."""
    rounds = [int(path.name) for path in out.parent.glob("[0-9]*") if path.name.isdecimal() and path.is_file()]
    if not (earlier := [number for number in rounds if number < after]):
        return {}
    path = out.with_name(str(max(earlier)))
    try:
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        return {folder: int(repeats) for folder, repeats in rows}
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read ({error}); run the job again that was to look") from error


def _campaigns(path: Path) -> Sequence[Campaign]:
    try:
        return parse_campaigns(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read ({error}); write it with 'fwdlab pipeline'") from error


def wanted_repeats(
    by_need: Iterable[Campaign],
    case_folders: Iterable[Path],
    results: Path,
    given: Mapping[str, int],
    settled: Collection[str],
) -> dict[str, int]:
    """The repeats that unproven cases need for their campaigns' next look, by key.

    `given` is what they were given; what an earlier look has `settled` needs none.
    """
    from fwdlab.analyse.adaptive import next_repeats  # noqa: PLC0415 - statistics are slow to import
    from fwdlab.analyse.campaign import judged  # noqa: PLC0415

    folders = Folders(results=results)
    measured = [folder for folder in case_folders if (folders.runs / folder).is_dir()]
    make_records(folders, measured)
    records = load_records(folders, measured).records
    wanted: dict[str, int] = {}
    for campaign in by_need:
        for key, repeats in next_repeats(judged(campaign, records, floors_of(results), {}), given, settled).items():
            wanted[key] = max(repeats, wanted.get(key, 0))
    return wanted
