"""The profiler formats by name: each is a module with `recognises(text)` and `fold(text, origin, event)`."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from typing import Protocol, cast

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import AGAIN, Profile


class Folder(Protocol):
    """What each module of a format gives."""

    def recognises(self, text: str) -> bool:
        """Whether the text looks like this format."""

    def fold(self, text: str, origin: str, event: str | None) -> Profile:
        """The profile of that event, or of the first; RecordError where the text holds none or is damaged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One way a profiler writes its stacks down."""

    title: str
    module: str

    def folder(self) -> Folder:
        """The format's module, imported now: folding six call graphs takes less time than importing everything."""
        return cast("Folder", importlib.import_module(f"fwdlab.profiles.{self.module}"))


FORMATS = {
    "pmc": Format(title="a pmcstat call graph", module="pmc_graph"),
    "perf": Format(title="perf script", module="perf_script"),
    "dtrace": Format(title="DTrace stacks", module="dtrace"),
    "folded": Format(title="folded stacks", module="folded"),
}


def fold(text: str, origin: str, name: str | None = None, event: str | None = None) -> Profile:
    """The profile in the text, in the named format or the first that recognises it; RecordError where none does."""
    if not text.strip():
        raise RecordError(f"{origin}: is empty; {AGAIN}")
    if "\0" in text:
        number = text.count("\n", 0, text.index("\0")) + 1
        found = "is not the text of a profiler: it holds a NUL"
        raise RecordError(f"{origin}:{number}:1: {found}; give what `perf script` or `pmcstat -G` writes, as UTF-8")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    profile = _folder(text, origin, name).fold(text, origin, event)
    return replace(profile, caveats=(*profile.caveats, *_replaced(text)))


def _folder(text: str, origin: str, name: str | None) -> Folder:
    if name is not None:
        return FORMATS[name].folder()
    for folder in (known.folder() for known in FORMATS.values()):
        if folder.recognises(text):
            return folder
    titles = " nor ".join(known.title for known in FORMATS.values())
    raise RecordError(f"{origin}: is neither {titles}; give a file one of these profilers wrote")


def _replaced(text: str) -> tuple[str, ...]:
    """A caveat about octets that were no UTF-8 when the text was read."""
    if "\N{REPLACEMENT CHARACTER}" not in text:
        return ()
    number = text.count("\n", 0, text.index("\N{REPLACEMENT CHARACTER}")) + 1
    return (f"names hold octets that are no UTF-8, shown as '\N{REPLACEMENT CHARACTER}', the first in line {number}",)
