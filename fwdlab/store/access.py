"""What every store offers, whatever it is kept in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from fwdlab.errors import RecordError
from fwdlab.store.entry import Entry, checked


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """How many entries came and how many had been there."""

    new: int
    present: int


class Reader(Protocol):
    """A store to read from."""

    def names(self, *folders: str) -> list[str]:
        """The paths of all entries below these folders of the store, sorted."""

    def contents(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """The bytes at each path as they lie there; None where there are none to be read."""

    def strays(self) -> list[str]:
        """Files that are no entries, sorted."""

    def settled(self, paths: Collection[str]) -> set[str]:
        """Those of the paths that no writer is about to refer to."""


class Store(Protocol):
    """A store to write to."""

    @property
    def title(self) -> str:
        """The store, as a message names it."""

    def opened(self) -> Reader:
        """The store to read from, as it is now."""

    def add(self, entries: Iterable[Entry]) -> Added:
        """Put entries there, in their order; once this returns they are there to stay."""

    def remove(self, choose: Callable[[Reader], Collection[str]]) -> int:
        """Take away what is chosen of the store as it is then; how many entries."""

    def tidy(self) -> int:
        """Remove what dead writers left beside the entries; how many files."""


def sound(path: str, content: bytes | None) -> bytes:
    """The bytes that were read of an entry; RecordError where there are none, or others than its name says."""
    if content is None:
        raise RecordError(f"{path}: is not in the store, or cannot be read; add what it was made from again")
    return checked(path, content, path)
