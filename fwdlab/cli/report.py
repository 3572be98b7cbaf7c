"""`fwdlab report`: the verdicts for machines, for a test widget, and for a merge request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click

from fwdlab.cli.site import pages_of
from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.render.model import CampaignPage

_STANDARD_OUTPUT = Path("-")


@click.command()
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Everything; 'fwdlab schema verdicts'.")
@click.option("--junit", type=click.Path(path_type=Path), help="JUnit XML: worse fails, invalid is an error.")
@click.option("--markdown", type=click.Path(path_type=Path), help="A note of at most 60 lines.")
@click.option("--base-url", help="Where the site is published; the note links to its pages.")
def command(
    *, results: Path, json_file: Path | None, junit: Path | None, markdown: Path | None, base_url: str | None
) -> None:
    """Judge the records below RESULTS and write the verdicts as asked; - is standard output.

    With none asked for, prints the table of verdicts. Exit status 0 whatever the verdicts, 4 where a record was
    refused.
    """
    _check_address(base_url)
    pages, refused = pages_of(results)
    for path, text in _asked(pages, json_file, junit, markdown, base_url):
        if path == _STANDARD_OUTPUT:
            click.echo(text, nl=False)
        else:
            write_whole(path, text)
    if refused:
        raise RecordError("\n".join(refused))


def _check_address(base_url: str | None) -> None:
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
