"""The profiler formats by name: each is a module with `recognises(text)` and `fold(text, origin)`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fwdlab.errors import RecordError
from fwdlab.profiles import folded, perf_script
from fwdlab.profiles.folded import Profile


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One way a profiler writes its stacks down."""

    title: str
    recognises: Callable[[str], bool]
    fold: Callable[[str, str], Profile]


FORMATS = {
    "perf": Format(title="perf script", recognises=perf_script.recognises, fold=perf_script.fold),
    "folded": Format(title="folded stacks", recognises=folded.recognises, fold=folded.fold),
}


def fold(text: str, origin: str, name: str | None = None) -> Profile:
    """The profile in the text, in the named format or the first that recognises it; RecordError where none does."""
    if not text.strip():
        raise RecordError(f"{origin}: is empty; collect the profile again, while traffic is flowing")
    if name is not None:
        return FORMATS[name].fold(text, origin)
    for known in FORMATS.values():
        if known.recognises(text):
            return known.fold(text, origin)
    titles = " nor ".join(known.title for known in FORMATS.values())
    raise RecordError(f"{origin}: is neither {titles}; give a file one of these profilers wrote")
