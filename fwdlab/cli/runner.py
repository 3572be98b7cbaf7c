"""`fwdlab runner`: the configuration of a machine's GitLab runner."""

from __future__ import annotations

from pathlib import Path

import click

from fwdlab.matrix.load import load_matrix
from fwdlab.pipeline.runner import config_text, runner_of


@click.command()
@click.argument("machine")
@click.option(
    "-m",
    "--matrix",
    type=click.Path(path_type=Path),
    default=Path("matrix.yaml"),
    show_default=True,
    help="The matrix file.",
)
@click.option("--url", required=True, envvar="CI_SERVER_URL", help="GitLab's address.")
def command(*, machine: str, matrix: Path, url: str) -> None:
    """Print the config.toml of the runner that MACHINE's jobs wait for, without its token.

    Its first lines say how the runner is to be made at GitLab. runner-scripts/runner/register.sh puts the token in.
    """
    click.echo(config_text(runner_of(load_matrix(matrix).machines, machine), url), nl=False)
