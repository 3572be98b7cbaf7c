"""`fwdlab note`: the verdicts as the one note of a merge request."""

from __future__ import annotations

import os
from pathlib import Path

import click

from fwdlab.cli.report import check_address
from fwdlab.cli.site import pages_of
from fwdlab.errors import RecordError
from fwdlab.gitlab.merge_request import merge_request_of, why_none


@click.command()
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--base-url", help="Where the site is published; the note links to its pages.")
def command(*, results: Path, base_url: str | None) -> None:
    """Write the verdicts below RESULTS as a note of the pipeline's merge request, or edit the one that is there.

    Which merge request is said by GitLab's own variables, CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID and
    CI_PIPELINE_ID; the right to write by FWDLAB_GITLAB_TOKEN, an access token of the project. Where there is no merge
    request or no token nothing is written, and the exit status is 0.
    """
    check_address(base_url)
    if reason := why_none(os.environ):
        click.echo(f"note: {reason}")
        return
    request = merge_request_of(os.environ)
    from fwdlab.gitlab.notes import put_note  # noqa: PLC0415 - what talks HTTP is slow to import
    from fwdlab.render.markdown import summary_text  # noqa: PLC0415 - and so are statistics

    pages, refused = pages_of(results)
    ending = put_note(request, summary_text(pages, base_url))
    click.echo(f"note: of merge request {request.number}, {ending}")
    if refused:
        raise RecordError("\n".join(refused))
