"""`fwdlab site`: records into the site."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from fwdlab.analyse.floor import NoiseFloor, parse_floors
from fwdlab.campaign import Campaign, parse_campaigns
from fwdlab.errors import MatrixError, RecordError
from fwdlab.records.remarks import Remarks, remarks_of
from fwdlab.records.store import Folders, load_records
from fwdlab.render.model import CampaignPage, Pair
from fwdlab.store.options import results_of, store_options

_ROOT = Path(__file__).parents[2]


earlier_option = click.option(
    "--earlier",
    type=click.Path(path_type=Path),
    metavar="RESULTS",
    help="Results of an earlier run, to hold each campaign against.",
)


@click.command()
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--public", type=click.Path(path_type=Path), default=Path("public"), show_default=True)
@earlier_option
@store_options
def command(results: Path, public: Path, earlier: Path | None, store: str | None, as_of: datetime | None) -> None:
    """Judge the records below RESULTS and build the site at PUBLIC; prints the verdicts and the home page."""
    folder, unread = results_of(results, store, as_of)
    if refused := (*unread, *publish(folder, public, earlier)):
        raise RecordError("\n".join(refused))


def publish(results: Path, public: Path, earlier: Path | None = None) -> tuple[str, ...]:
    """Print every campaign's verdicts and build the site; a sentence for each record that was refused."""
    from fwdlab.render.colours import assign  # noqa: PLC0415 - statistics and drawing are slow to import
    from fwdlab.render.site import render_site  # noqa: PLC0415
    from fwdlab.render.table import verdict_table  # noqa: PLC0415

    pages, refused = pages_of(results, earlier)
    click.echo("\n".join(verdict_table(page) for page in pages))
    home = render_site(
        pages,
        colours=assign([page.result.campaign for page in pages], remarks_of(results).colours),
        source=_ROOT / "site",
        work=results / "site",
        out=public,
        hugo=Path("hugo"),
    )
    click.echo(f"site: {home}")
    return refused


def pages_of(results: Path, earlier: Path | None = None) -> tuple[list[CampaignPage], tuple[str, ...]]:
    """Every campaign judged and ready to be laid out, and a sentence for each record that was refused.

    Those that the results of an earlier run answer too are held against that.
    """
    pages, refused = _pages(results)
    if earlier is None:
        return pages, refused
    from fwdlab.render.earlier import with_earlier  # noqa: PLC0415 - statistics are slow to import

    before, unread = _pages(earlier)
    pages = with_earlier(pages, before)
    if all(page.earlier is None for page in pages):
        raise MatrixError(
            f"--earlier: {earlier} has none of the campaigns of {results}; name results of the same matrix"
        )
    return pages, (*refused, *unread)


def _pages(results: Path) -> tuple[list[CampaignPage], tuple[str, ...]]:
    from fwdlab.analyse.idle import profile_of_run  # noqa: PLC0415 - statistics are slow to import
    from fwdlab.render.assemble import Measured, campaign_page  # noqa: PLC0415

    folders = Folders(results=results)
    campaigns = _campaigns(results)
    members = dict.fromkeys(Path(*member.names, member.key) for campaign in campaigns for member in campaign.members)
    loaded = load_records(folders, members)
    command_line = folders.command
    runs = {record.key: folders.run_of(record) for record in loaded.records}
    measured = Measured(
        records=loaded.records,
        profiles={key: profile_of_run(folders, run) for key, run in runs.items()},
        floors=floors_of(results),
    )
    remarks = remarks_of(results)
    pages = [
        _remarked(
            campaign_page(campaign, measured, folders, remarks.commands.get(campaign.name, command_line)), remarks
        )
        for campaign in campaigns
    ]
    return pages, loaded.refused


def _remarked(page: CampaignPage, remarks: Remarks) -> CampaignPage:
    """The page with what was noted of its campaign later, among its conditions."""
    notes = (Pair(label="note", value=said) for said in remarks.notes.get(page.result.campaign.name, ()))
    return replace(page, conditions=(*page.conditions, *notes))


def floors_of(results: Path) -> dict[str, NoiseFloor]:
    """The noise floors that `fwdlab aa` left among the results, by machine."""
    path = results / "floors.json"
    return parse_floors(_text(path, "./lab aa"), str(path)) if path.exists() else {}


def _campaigns(results: Path) -> tuple[Campaign, ...]:
    path = results / "campaigns.json"
    return parse_campaigns(_text(path, "./lab run"), str(path))


def _text(path: Path, maker: str) -> str:
    """What the file says; RecordError that names the command which writes it."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); measure first with '{maker}'") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: is no UTF-8 ({error.reason}); remove it and measure with '{maker}'") from error
