"""The options of every command that reads a matrix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fwdlab import units
from fwdlab.errors import MatrixError

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OWN_SCRIPTS = Path(__file__).parents[2] / "runner-scripts"

_OPTIONS = (
    click.option(
        "-m",
        "--matrix",
        type=click.Path(path_type=Path),
        default=Path("matrix.yaml"),
        show_default=True,
        help="The matrix file.",
    ),
    click.option("--quick", is_flag=True, help="Take the small round that 'quick' of the matrix selects."),
    click.option(
        "--runner-scripts",
        type=click.Path(path_type=Path),
        default=_OWN_SCRIPTS,
        help="The folder of runner scripts; this checkout's where nothing is said.",
    ),
)


def matrix_options(command: _Command) -> _Command:
    """Give a command --matrix, --quick and --runner-scripts."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def seconds_of(option: str, said: str) -> float:
    """The time that was given to an option; MatrixError where it is none."""
    try:
        return units.seconds(said)
    except ValueError as error:
        raise MatrixError(f"{option}: {error}") from error
