"""`fwdlab store`: the history that pipelines append to."""

from __future__ import annotations

import getpass
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from fwdlab.errors import MatrixError, RecordError
from fwdlab.store.access import Reader
from fwdlab.store.choose import Overview, colours_of, current_records, overview_of
from fwdlab.store.clear import removable
from fwdlab.store.copy import copied
from fwdlab.store.entry import MARKER, Kind, entry_of, kind_of
from fwdlab.store.find import found
from fwdlab.store.gather import Gathered, gathered
from fwdlab.store.listing import campaign_lines, record_lines
from fwdlab.store.model import Act, Claim, Note, StoredRecord
from fwdlab.store.options import PLACE
from fwdlab.store.place import DEADLINE_S, store_at
from fwdlab.store.read import records_of_cases
from fwdlab.store.text import claim_text, note_text
from fwdlab.store.verify import verified

_ABOUT = {
    Act.INVALIDATE: (Kind.RECORD, Kind.FLOOR, Kind.CAMPAIGN, Kind.NOTE),
    Act.ANNOTATE: (Kind.RECORD, Kind.CAMPAIGN),
}


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:
        raise MatrixError("--who: this user has no name here; say who you are") from error


_store = click.argument("store", metavar=PLACE)
_deadline = click.option(
    "--deadline", type=click.FloatRange(min=1), default=DEADLINE_S, show_default=True, help="Seconds, for a branch."
)
_hashes = click.argument("hashes", metavar="HASH...", nargs=-1, required=True)
_why = click.option("--why", required=True, help="One sentence; it stands on the pages.")
_who = click.option("--who", envvar="GITLAB_USER_LOGIN", default=_user, help="Who says so; you by default.")


@click.group("store")
def command() -> None:
    """Keep results for ever: in a folder, or in a branch that every addition appends a commit to.

    What is added is named for its contents, so adding it twice is adding it once, and writers need not wait for each
    other. A branch is one of the repository that the working directory lies in.
    """


@command.command()
@click.option("--to", required=True, metavar=PLACE, help="The store; made where it is not there yet.")
@click.argument("results", default="results")
@_deadline
def add(to: str, results: str, deadline: float) -> None:
    """Add what is below RESULTS: records with their raw output, folded profiles, campaigns, noise floors.

    RESULTS may be another store as well: all it has is added. Exit status 4 where a record was refused; the
    others are added.
    """
    target = store_at(to, deadline)
    if results.startswith("git:") or (Path(results) / MARKER).exists():
        whole = Gathered(entries=copied(store_at(results, deadline).opened()), refused=())
    else:
        whole = gathered(Path(results))
    added = target.add(whole.entries)
    click.echo(f"{target.title}: {added.new} entries added, {added.present} were there")
    _end(whole.refused)


@command.command("list")
@_store
@click.option("--campaign", metavar="NAME", help="The records of its cases, instead of all campaigns.")
@click.option("--all", "everything", is_flag=True, help="With --campaign: also records that later ones supersede.")
@_deadline
def list_(store: str, campaign: str | None, everything: bool, deadline: float) -> None:
    """Print the campaigns of a store, or the records of one, each with the hash that other commands take."""
    reader = store_at(store, deadline).opened()
    over = overview_of(reader, "", campaign or "")
    refused = list(over.refused)
    lines = campaign_lines(over) if campaign is None else _records(reader, over, campaign, everything, refused)
    click.echo("".join(f"{line}\n" for line in lines), nl=False)
    _end(refused)


def _records(reader: Reader, over: Overview, name: str, everything: bool, refused: list[str]) -> Iterator[str]:
    if not over.campaigns:
        raise MatrixError(f"--campaign: there is no campaign '{name}'; 'fwdlab store list' prints those there are")
    keys = sorted({member.key for member in over.campaigns[0].campaign.members})
    records = []
    for item in records_of_cases(reader, keys):
        records.append(item) if isinstance(item, StoredRecord) else refused.append(str(item))
    current = current_records(records)
    shown = sorted(records, key=_in_order) if everything else current
    return record_lines(shown, {item.path for item in current}, over.notes)


def _in_order(item: StoredRecord) -> tuple[tuple[str, ...], str, int, str]:
    return item.record.names, item.record.key, item.record.trial.repeat, item.record.trial.ended


@command.command()
@_store
@_deadline
def verify(store: str, deadline: float) -> None:
    """Read everything: every name, every schema, every reference. Exit status 4 where something is wrong."""
    place = store_at(store, deadline)
    whole = verified(place.opened())
    _end(whole.faults)
    click.echo(f"{place.title}: {whole.entries} entries, {whole.octets} octets, all whole")


@command.command()
@_store
@click.option("--older-than", type=click.IntRange(min=1), metavar="DAYS", help="Also what was superseded before that.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and leave it.")
@_deadline
def gc(store: str, older_than: int | None, dry_run: bool, deadline: float) -> None:
    """Remove what dead writers left and raw output that nothing refers to.

    Records go only with --older-than, and then only those that stand on no page and bear no note. A branch keeps what
    goes in its earlier commits.
    """
    now = datetime.now(UTC)
    before = _moment(now - timedelta(days=older_than)) if older_than else ""
    place = store_at(store, deadline)
    if dry_run:
        going = removable(place.opened(), before)
        click.echo("".join(f"{path}\n" for path in sorted(going)), nl=False)
        return
    removed = place.remove(lambda reader: removable(reader, before))
    click.echo(f"{place.title}: {removed} entries and {place.tidy()} temporary files removed")


@command.command()
@_store
@_hashes
@_why
@_who
@_deadline
def invalidate(store: str, hashes: tuple[str, ...], why: str, who: str, deadline: float) -> None:
    """Say of records that they are not to be believed: they stay, and pages show them as invalid, with the reason.

    An invalidated campaign or noise floor is passed over, and an earlier one stands. To take a note back, invalidate
    the note.
    """
    _say(Act.INVALIDATE, store, hashes, why, who, deadline)


@command.command()
@_store
@_hashes
@_why
@_who
@_deadline
def annotate(store: str, hashes: tuple[str, ...], why: str, who: str, deadline: float) -> None:
    """Say something of records or campaigns; it stands among the conditions on their pages."""
    _say(Act.ANNOTATE, store, hashes, why, who, deadline)


def _say(act: Act, store: str, hashes: tuple[str, ...], why: str, who: str, deadline: float) -> None:
    place = store_at(store, deadline)
    reader, when = place.opened(), _moment(datetime.now(UTC))
    paths = [found(reader, word) for word in hashes]
    for path in paths:
        if kind_of(path) not in _ABOUT[act]:
            known = " or a ".join(kind.value[:-1] for kind in _ABOUT[act])
            raise MatrixError(f"'{path}': no {kind_of(path).value[:-1]} can be {act}d; name a {known}")
    notes = [Note(path="", act=act, about=path, who=who, when=when, why=why) for path in paths]
    place.add([entry_of(Kind.NOTE, note_text(note)) for note in notes])
    click.echo("".join(f"{act}d: {path}\n" for path in paths), nl=False)


@command.command()
@_store
@click.option("--keep", is_flag=True, help="Write those that are new into the store.")
@_deadline
def colours(store: str, keep: bool, deadline: float) -> None:
    """Print the colour of every arm; with --keep they stay as they are for ever, whatever is added before them."""
    from fwdlab.render.colours import assign  # noqa: PLC0415 - statistics are slow to import

    place = store_at(store, deadline)
    reader = place.opened()
    over = overview_of(reader, "")
    known = colours_of(reader)
    found = assign([item.campaign for item in over.campaigns], known)
    new = tuple(sorted((axis, value, colour) for (axis, value), colour in found.items() if (axis, value) not in known))
    if keep and new:
        claim = Claim(path="", when=_moment(datetime.now(UTC)), colours=new)
        place.add([entry_of(Kind.COLOURS, claim_text(claim))])
    for (axis, value), colour in sorted(found.items()):
        click.echo(f"{colour}  {axis} {value}")
    _end(over.refused)


def _moment(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _end(refused: Collection[str]) -> None:
    if refused:
        raise RecordError("\n".join(refused))
