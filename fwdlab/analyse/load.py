"""Samples from files: plain numbers, or whatever a further reader knows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from fwdlab.analyse.columns import DEFAULT_DELIMITERS, NotANumberError, column_values
from fwdlab.analyse.result import Sample
from fwdlab.errors import MatrixError, RecordError

Reader = Callable[[str], Sample | None]  # the sample a name stands for; None where it is not of the reader's kind

STANDARD_INPUT = "-"


def load_sample(name: str, readers: Sequence[Reader]) -> Sample:
    """The sample of the first reader that knows the name's kind; MatrixError where none does."""
    for reader in readers:
        sample = reader(name)
        if sample is not None:
            return sample
    raise MatrixError(f"{name}: is neither a file of numbers nor of records; name one that is")


def numbers_reader(metric: str, column: int) -> Reader:
    """A reader of one number a line, in one column, as ministat reads them."""

    def read(name: str) -> Sample | None:
        if Path(name).is_dir():
            return None
        try:
            values = column_values(_text(name), column, DEFAULT_DELIMITERS)
        except NotANumberError as error:
            advice = "correct it, or choose another column with --column"
            raise RecordError(f"{name}:{error.line}: '{error.field}' is not a finite number; {advice}") from error
        return Sample(names=(name,), key=name, metric=metric, values=values, invalid=())

    return read


def _text(name: str) -> str:
    if name == STANDARD_INPUT:
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise MatrixError(f"{name}: cannot be read ({error.strerror}); name a file of numbers") from error
