"""The words of a fault: values quoted so that a terminal is safe from them, near matches, lists of what is known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST = 60  # characters of a quoted value; a message stays a line
_MOST = 8  # values of a list


def quoted(value: str) -> str:
    """The value in single quotes, control characters escaped, cut where it is long."""
    shown = value if len(value) <= _LONGEST else value[: _LONGEST - 3] + "..."
    return "'" + "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown) + "'"


def listed(values: Iterable[str]) -> str:
    """The values quoted and in their order, `'a', 'b', 'c'`; the first few of many, and how many more."""
    every = [quoted(value) for value in values]
    more = f" and {len(every) - _MOST} more" if len(every) > _MOST else ""
    return ", ".join(every[:_MOST]) + more


def near(value: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `value` was probably meant to be; None where none is like it."""
    return next(iter(difflib.get_close_matches(value, list(known), n=1)), None)


def advice(value: str, known: Iterable[str]) -> str:
    """What to write instead of `value`: a near match as a question, or else all that is known."""
    choices = list(dict.fromkeys(known))
    meant = near(value, choices)
    if meant is not None:
        return f"did you mean {quoted(meant)}?"
    return f"known are {listed(choices)}" if choices else "none can be used here"
