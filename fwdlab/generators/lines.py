"""The lines of a log, however damaged: one at a time, so that a file of any size takes little memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

_LONGEST = 4096  # octets of a line that are looked at; no generator writes as many


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log."""

    number: int  # from 1
    text: str  # its first octets; what is no UTF-8 is replaced
    cut: bool  # it is longer than what is kept of it


def lines_of(stream: IO[bytes]) -> Iterator[Line]:
    """Every line of the stream, in order."""
    number = 0
    while head := stream.readline(_LONGEST):
        number += 1
        rest, cut = head, False
        while not rest.endswith(b"\n") and (rest := stream.readline(_LONGEST)):
            cut = True
        text = head.removesuffix(b"\n").removesuffix(b"\r").decode(errors="replace")
        yield Line(number=number, text=text, cut=cut)
