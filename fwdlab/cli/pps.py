"""`fwdlab pps`: generators' logs into one rate each, as the archives of such logs have it."""

from __future__ import annotations

from pathlib import Path

import click

from fwdlab.errors import FwdlabError, MatrixError, RecordError
from fwdlab.generators.faults import faults_of
from fwdlab.generators.pkt_gen import read_log
from fwdlab.generators.rule import BENCH_LAB, rate_text

_FILE = click.Path(allow_dash=True, path_type=Path)


@click.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=_FILE)
def command(logs: tuple[Path, ...]) -> None:
    """Print the rate that each LOG of pkt-gen comes to, in pps, and its name; `-` is standard input.

    The rate is the median of the seconds above 0 pps, without the first 15 and the last 10 lines of the log, with eight
    digits; a log with fewer than 3 such seconds has no line. What makes a trial invalid is said on standard error. Exit
    status 0 whatever the logs say, 4 where one is no log, 2 where one cannot be read; the others are told all the same.
    """
    refused: list[FwdlabError] = []
    for path in logs:
        try:
            _tell(path)
        except FwdlabError as error:
            refused.append(error)
    if refused:
        family = MatrixError if any(isinstance(error, MatrixError) for error in refused) else RecordError
        raise family("\n".join(str(error) for error in refused))


def _tell(path: Path) -> None:
    try:
        with click.open_file(str(path), "rb") as stream:
            log = read_log(stream, str(path))
    except OSError as error:
        raise MatrixError(f"{path}: cannot be read ({error.strerror}); name a generator's log") from error
    rate = BENCH_LAB.rate(log)
    if rate is not None:
        click.echo(f"{rate_text(rate)} {path}")
    for fault in faults_of(log, BENCH_LAB):
        click.echo(f"{path}: invalid: {fault}", err=True)
