"""The options of every command that can take its results from a store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from fwdlab.errors import MatrixError
from fwdlab.store.layout import laid_out
from fwdlab.store.place import store_at

PLACE = "FOLDER|git:BRANCH[@REMOTE]"

_Command = TypeVar("_Command", bound=Callable[..., Any])
_LAID_OUT = "history"

_OPTIONS = (
    click.option("--store", metavar=PLACE, help="Take all that this store has; laid out below RESULTS/history."),
    click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="With --store: as it stood on that day."),
)


def store_options(command: _Command) -> _Command:
    """Give a command --store and --as-of."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def results_of(results: Path, store: str | None, as_of: datetime | None) -> tuple[Path, tuple[str, ...]]:
    """The folder of results that was asked for, and a sentence for each entry of the store that cannot be read."""
    if store is None:
        if as_of is not None:
            raise MatrixError("--as-of: a folder of results is as it is; name a --store")
        return results, ()
    day = "" if as_of is None else as_of.date().isoformat()
    return results / _LAID_OUT, laid_out(store_at(store), results / _LAID_OUT, day)
