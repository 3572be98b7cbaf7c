"""`fwdlab bench`: what the laboratory promises of itself, measured; its benchmarks are the files of `fwdlab.bench`."""

from __future__ import annotations

import click

from fwdlab.cli import LazyGroup


class _Benchmarks(LazyGroup):
    package = "fwdlab.bench"


@click.group("bench", cls=_Benchmarks)
def command() -> None:
    """Measure the laboratory itself and print what it reached."""
