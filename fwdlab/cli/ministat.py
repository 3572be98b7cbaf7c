"""`fwdlab ministat`: FreeBSD's ministat, to the byte: its options, its text, its messages and its exit status."""

from __future__ import annotations

import getopt
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Never

import click

from fwdlab.analyse.columns import DEFAULT_DELIMITERS, NotANumberError, c_float, column_values
from fwdlab.analyse.ministat import (
    CONFIDENCES,
    CURRENT,
    FEWEST_VALUES,
    MOST_SETS,
    Layout,
    NamedSet,
    RelativeError,
    ministat_text,
)

_EXIT = 2  # ministat's status for whatever is wrong with its arguments or its data
_LEAST_WIDTH = 2
_PIPE_WIDTH = 74

_USAGE = (
    "Usage: ministat [-C column] [-c confidence] [-d delimiter(s)] [-Anqs] [-w width] [file [file ...]]",
    f"\tconfidence = {{{', '.join(f'{level:g}%' for level in CONFIDENCES)}}}",
    "\t-A : print statistics only. suppress the graph.",
    "\t-C : column number to extract (starts and defaults to 1)",
    '\t-d : delimiter(s) string, default to " \\t"',
    "\t-n : print summary statistics only, no graph/test",
    "\t-q : suppress printing summary-statistics headers and data-set names",
    "\t-s : print avg/median/stddev bars on separate lines",
    "\t-w : width of graph/test output (default 74 or terminal width)",
)
_OWN_OPTIONS = (
    "\t--relative-error ratio|simple : interval of the relative difference; simple is what pages before 2016 used",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Options:
    layout: Layout
    column: int
    delimiters: str
    relative_error: RelativeError


@click.command("ministat", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Compare sets of numbers as FreeBSD's ministat does, byte for byte (options: fwdlab ministat --help)."""
    options, names = _parse(arguments)
    texts = [_text(name) for name in names or ["-"]]
    shown = names or ["<stdin>"]
    sets = [_named_set(name, text, options) for name, text in zip(shown, texts, strict=True)]
    formulas = replace(CURRENT, relative_error=options.relative_error)
    click.echo(os.fsencode(ministat_text(sets, options.layout, formulas)), nl=False)


def _parse(arguments: Sequence[str]) -> tuple[_Options, list[str]]:
    try:
        pairs, names = getopt.getopt(list(arguments), "AC:c:d:nqsw:", ["relative-error=", "help"])
    except getopt.GetoptError as error:
        needs = "requires" in error.msg
        flag = error.opt if len(error.opt) == 1 else "-"
        click.echo(f"ministat: {'option requires an argument' if needs else 'illegal option'} -- {flag}", err=True)
        _usage("Unknown option")
    options = _options(pairs)
    if len(names) > MOST_SETS:
        _usage("Too many datasets.")
    return options, names


def _options(pairs: Sequence[tuple[str, str]]) -> _Options:
    given = dict(pairs)
    if "--help" in given:
        click.echo("\n".join((*_USAGE, *_OWN_OPTIONS)))
        raise click.exceptions.Exit(0)
    layout = Layout(
        plot="-A" not in given,
        tests="-n" not in given,
        headings="-q" not in given,
        separate_bars="-s" in given,
        width=_width(given["-w"]) if "-w" in given else _terminal_width(),
        confidence=_confidence(given.get("-c", "95")),
    )
    return _Options(
        layout=layout,
        column=_column(given.get("-C", "1")),
        delimiters=_delimiters(given.get("-d", DEFAULT_DELIMITERS)),
        relative_error=_relative_error(given.get("--relative-error", RelativeError.RATIO)),
    )


def _column(value: str) -> int:
    number = _whole(value)
    if number is None:
        _usage("Invalid column number.")
    if number <= 0:
        _usage("Column number should be positive.")
    return number


def _confidence(value: str) -> float:
    number = c_float(value) if value else 0.0
    if number is None:
        _usage("Not a floating point number")
    if number not in CONFIDENCES:
        _usage("No support for confidence level")
    return number


def _delimiters(value: str) -> str:
    if not value:
        _usage("Can't use empty delimiter string")
    return value


def _width(value: str) -> int:
    number = _whole(value)
    if number is None:
        _usage("Invalid width, not a number.")
    if number < _LEAST_WIDTH:
        _usage("Unable to move beyond left margin.")
    return number


def _relative_error(value: str) -> RelativeError:
    if value not in list(RelativeError):
        _usage("No support for relative error")
    return RelativeError(value)


def _whole(value: str) -> int | None:
    """The number C's strtol reads from the whole text: nothing at all is nought."""
    return int(value or 0) if re.fullmatch(r"(\s*[+-]?\d+)?", value, re.ASCII) else None


def _terminal_width() -> int:
    if not sys.stdout.isatty():
        return _PIPE_WIDTH
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) >= _LEAST_WIDTH:
        return int(columns)
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns - 2, _LEAST_WIDTH)
    except OSError:
        return _PIPE_WIDTH


def _text(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        _fail(f"ministat: Cannot open {name}: {error.strerror}")
    return os.fsdecode(raw)


def _named_set(name: str, text: str, options: _Options) -> NamedSet:
    try:
        values = column_values(text, options.column, options.delimiters)
    except NotANumberError as error:
        _fail(f"ministat: Invalid data on line {error.line} in {name}")
    if len(values) < FEWEST_VALUES:
        _fail(f"Dataset {name} must contain at least 3 data points")
    return NamedSet(name=name, values=values)


def _usage(complaint: str) -> Never:
    _fail("\n".join((complaint, *_USAGE)))


def _fail(message: str) -> Never:
    click.echo(os.fsencode(message), err=True)
    raise click.exceptions.Exit(_EXIT)
