"""Numbers out of text, one a line, by the rules of ministat: a column, delimiters, and `#` for the rest of a line."""

from __future__ import annotations

import math
import re

_C_SPACE = " \t\n\v\f\r"
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_HEXADECIMAL = re.compile(r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?\d+)?", re.ASCII)

DEFAULT_DELIMITERS = " \t"


class NotANumberError(ValueError):
    """A field that should be a finite number and is not; `line` counts from 1."""

    def __init__(self, line: int, field: str) -> None:
        super().__init__(f"line {line} holds '{field}', which is not a finite number")
        self.line = line
        self.field = field


def column_values(text: str, column: int, delimiters: str) -> tuple[float, ...]:
    """The numbers in `column` (from 1); lines that are empty, too short or commented out before it are passed over."""
    cut = re.compile(f"[{re.escape(delimiters)}]")
    values = []
    for number, line in enumerate(text.split("\n"), 1):
        field = _field(line.rstrip(_C_SPACE), column, cut)
        if field is not None:
            values.append(_number(field, number))
    return tuple(values)


def _field(line: str, column: int, cut: re.Pattern[str]) -> str | None:
    fields = [item for item in cut.split(line) if item][:column]
    if len(fields) < column or any(item.startswith("#") for item in fields):
        return None
    return fields[-1]


def _number(field: str, line: int) -> float:
    value = c_float(field)
    if value is None or not math.isfinite(value):
        raise NotANumberError(line, field)
    return value


def c_float(text: str) -> float | None:
    """The number the whole text is to C's strtod, decimal or hexadecimal; None where it is none."""
    bare = text.lstrip(_C_SPACE)
    if _DECIMAL.fullmatch(bare):
        return float(bare)
    if _HEXADECIMAL.fullmatch(bare):
        return _from_hexadecimal(bare)
    return None


def _from_hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf
