"""The `fwdlab` command: one file a subcommand, found by its name and imported only when it is called.

Every file here whose name begins with a letter holds a `click.Command` called `command`; `fwdlab try` lives in
`try_.py`, since a module cannot bear a keyword's name. Errors of the families of `fwdlab.errors` become their message
on standard error and the family's exit status.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import click

from fwdlab.errors import FwdlabError


class LazyGroup(click.Group):
    """A group that knows its commands from file names, so that `fwdlab cases` never imports scipy."""

    package = __name__  # the folder of commands

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All command names, sorted."""
        return sorted(item.name.rstrip("_").replace("_", "-") for item in self._modules())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None where there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        stem = cmd_name.replace("-", "_")
        module = next(item.name for item in self._modules() if item.name.rstrip("_") == stem)
        found: click.Command = importlib.import_module(f"{self.package}.{module}").command
        return found

    def _modules(self) -> Iterator[pkgutil.ModuleInfo]:
        found = pkgutil.iter_modules(importlib.import_module(self.package).__path__)
        return (item for item in found if not item.name.startswith("_"))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of a family ends as its message and its exit status."""
        try:
            return super().invoke(ctx)
        except FwdlabError as error:
            click.echo(str(error), err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            ctx.exit(0)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=None, version="0.1.0", prog_name="fwdlab")
def main() -> None:
    """Measure packet forwarding and firewalling: expand a matrix, run it, judge it, publish it."""
