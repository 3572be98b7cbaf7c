"""From a log to one rate: which of its lines count, by a rule with a name and numbers, and how many it leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from fwdlab.generators.log import Interval, Log


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """The median of the seconds in which something came, without the lines at either end of the log."""

    name: str
    head: int  # lines: the generator's greeting and a few seconds of load
    tail: int  # lines: the end of the load and the generator's farewell
    fewest: int  # values; fewer are no rate

    @property
    def text(self) -> str:
        """The rule in words, for a page."""
        return (
            f"median of the seconds above 0 pps, without the first {self.head} and the last {self.tail} lines of the "
            f"log; {self.fewest} or more"
        )

    def inside(self, log: Log) -> tuple[Interval, ...]:
        """The intervals between head and tail, those of 0 pps among them."""
        return tuple(item for item in log.intervals if self.covers(log, item.line))

    def covers(self, log: Log, line: int) -> bool:
        """Whether a line of the log lies between head and tail."""
        return self.head < line <= log.lines - self.tail

    def values(self, log: Log) -> tuple[int, ...]:
        """The rates that count, in pps."""
        return tuple(item.pps for item in self.inside(log) if item.pps)

    def rate(self, log: Log) -> float | None:
        """The one rate, in pps; None where too few values count."""
        values = self.values(log)
        return float(median(values)) if len(values) >= self.fewest else None


BENCH_LAB = Rule(name="bench-lab", head=15, tail=10, fewest=3)


def rate_text(rate: float) -> str:
    """The rate as the archives of that rule have it: eight significant digits."""
    return f"{rate:.8g}"
