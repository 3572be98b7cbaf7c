"""`fwdlab report`: the verdicts for machines, for a test widget, and for a merge request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import click

from fwdlab.cli.site import earlier_option, pages_of
from fwdlab.errors import FwdlabError, MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.render.model import CampaignPage
from fwdlab.store.options import results_of, store_options

_STANDARD_OUTPUT = Path("-")


@click.command()
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Everything; 'fwdlab schema verdicts'.")
@click.option("--junit", type=click.Path(path_type=Path), help="JUnit XML: worse fails in a gated campaign.")
@click.option("--markdown", type=click.Path(path_type=Path), help="A note of at most 60 lines.")
@click.option("--base-url", help="Where the site is published; the note links to its pages.")
@earlier_option
@store_options
@click.option("--gate", is_flag=True, help="Let the verdicts decide the exit status, after all is written.")
def command(  # noqa: PLR0913 - one argument an option
    *,
    results: Path,
    json_file: Path | None,
    junit: Path | None,
    markdown: Path | None,
    base_url: str | None,
    gate: bool,
    earlier: Path | None,
    store: str | None,
    as_of: datetime | None,
) -> None:
    """Judge the records below RESULTS and write the verdicts as asked; - is standard output.

    With none asked for, prints the table of verdicts. Exit status 0 whatever the verdicts, 4 where a record was
    refused. With --gate, 1 where something is worse in a campaign with 'gate: true', else 4 where such a campaign has
    an invalid comparison, else 5 where something is worse in another campaign.
    """
    check_address(base_url)
    folder, unread = results_of(results, store, as_of)
    pages, refused = pages_of(folder, earlier)
    for path, text in _asked(pages, json_file, junit, markdown, base_url):
        if path == _STANDARD_OUTPUT:
            click.echo(text, nl=False)
        else:
            write_whole(path, text)
    if error := _error(pages, (*unread, *refused), gate=gate):
        raise error


def _error(pages: Sequence[CampaignPage], refused: Sequence[str], *, gate: bool) -> FwdlabError | None:
    """What the exit status is to say, and why; None for nothing."""
    from fwdlab.render.gate import gate_error  # noqa: PLC0415 - statistics are slow to import

    if gate:
        return gate_error(pages, refused)
    return RecordError("\n".join(refused)) if refused else None


def check_address(base_url: str | None) -> None:
    """Refuse what is no address of a site."""
    if base_url is not None and (urlsplit(base_url).scheme not in {"http", "https"} or not urlsplit(base_url).netloc):
        raise MatrixError(f"--base-url: '{base_url}' is no address of a site; write it like 'https://lab.example/site'")


def _asked(
    pages: Sequence[CampaignPage],
    json_file: Path | None,
    junit: Path | None,
    markdown: Path | None,
    base_url: str | None,
) -> Iterator[tuple[Path, str]]:
    """Each text that was asked for with its place, or the table for standard output."""
    from fwdlab.render.junit import junit_text  # noqa: PLC0415 - statistics are slow to import
    from fwdlab.render.markdown import summary_text  # noqa: PLC0415
    from fwdlab.render.table import verdict_table  # noqa: PLC0415
    from fwdlab.render.verdicts_json import verdicts_text  # noqa: PLC0415

    if json_file is not None:
        yield json_file, verdicts_text(pages)
    if junit is not None:
        yield junit, junit_text(pages)
    if markdown is not None:
        yield markdown, summary_text(pages, base_url)
    if json_file is junit is markdown is None:
        yield _STANDARD_OUTPUT, "\n".join(verdict_table(page) for page in pages)
