"""Facts that lab and guest give of a repeat: `name<TAB>value` lines, read as what they must be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import RecordError
from fwdlab.records.model import Clock
from fwdlab.records.raw import AGAIN


@dataclass(frozen=True, slots=True)
class Facts:
    """What lab and guest said of a repeat, read as what it must be."""

    folder: Path
    said: Mapping[str, str]

    def text(self, name: str, default: str) -> str:
        """The fact as it was said."""
        return self.said.get(name, default)

    def number(self, name: str) -> float | None:
        """A finite number; None where it is not said."""
        if not (text := self.said.get(name, "")):
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise RecordError(f"{self.folder}/facts: {name} '{text[:40]}' is not a number; {AGAIN}")
        return value

    def clock(self) -> Clock:
        """Whose seconds are counted; the wall's where nothing is said."""
        text = self.text("time", Clock.WALL)
        if text not in list(Clock):
            raise RecordError(f"{self.folder}/facts: time '{text[:40]}' is none of {', '.join(Clock)}; {AGAIN}")
        return Clock(text)


def parse_facts(text: str, origin: str) -> dict[str, str]:
    """The facts of a `facts` file, one `name<TAB>value` a line."""
    facts = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        name, tab, value = line.partition("\t")
        if not tab:
            raise RecordError(f"{origin}:{number}: no tab in '{line[:40]}'; {AGAIN}")
        facts[name] = value
    return facts
