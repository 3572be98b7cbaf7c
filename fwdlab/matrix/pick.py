"""One entry of an axis, by the name an option of the command line gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from fwdlab.errors import MatrixError
from fwdlab.matrix.words import advice, quoted


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Entry = TypeVar("Entry", bound=_Named)


def pick(option: str, name: str | None, entries: Sequence[Entry]) -> Entry:
    """The entry of that name, or the first where none is named; MatrixError that says which there are."""
    for entry in entries:
        if name in {None, entry.name}:
            return entry
    known = [entry.name for entry in entries]
    if name is None:
        raise MatrixError(f"{option}: the matrix has none to take; name a matrix that has with --matrix")
    raise MatrixError(f"{option}: {quoted(name)} is none that can be used here; {advice(name, known)}")
