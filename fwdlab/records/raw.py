"""A lab's result file: tab-separated lines, the last one `end<TAB>ok`.

fact     NAME VALUE
sysctl   NAME VALUE
sample   PHASE PACKETS ERRORS MICROSECONDS        phases: warmup, measured, calibration, validation
counter  MOMENT HOP COUNTER VALUE                 moments: before, after
"""

from __future__ import annotations

from dataclasses import dataclass

from fwdlab.errors import RecordError
from fwdlab.records.model import Pairs, Slice

AGAIN = "remove its folder and run again"  # a folder that is there is never measured again
_FIELDS = {"fact": 2, "sysctl": 2, "sample": 4, "counter": 4}
_PHASES = ("warmup", "measured", "calibration", "validation")
_MOMENTS = ("before", "after")
_DIGITS = 18  # of a count; no counter of a lab has more
_MICROSECOND = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampled:
    """A slice with the phase it belongs to."""

    phase: str
    slice: Slice


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """One counter of one hop at one moment."""

    moment: str
    hop: str
    counter: str
    value: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What a result file says, in its own order."""

    facts: Pairs
    sysctls: Pairs
    samples: tuple[Sampled, ...]
    counters: tuple[Counted, ...]

    def phase(self, name: str) -> tuple[Slice, ...]:
        """The slices of one phase, in the order they were offered."""
        return tuple(sampled.slice for sampled in self.samples if sampled.phase == name)


NO_RESULT = Result(facts=(), sysctls=(), samples=(), counters=())


def parse_result(text: str, origin: str) -> Result:
    """The result a lab printed; RecordError with the line where it is cut off or says what nobody understands."""
    lines = text.split("\n")
    if lines[-1:] != [""] or lines[-2:-1] != ["end\tok"]:
        raise RecordError(f"{origin}:{len(lines)}: the result is cut off; {AGAIN}")
    places = [(f"{origin}:{number}", line) for number, line in enumerate(lines[:-2], 1)]
    rows = [(place, _row(line, place)) for place, line in places]
    return Result(
        facts=tuple((row[1], row[2]) for _, row in rows if row[0] == "fact"),
        sysctls=tuple((row[1], row[2]) for _, row in rows if row[0] == "sysctl"),
        samples=tuple(_sampled(row, place) for place, row in rows if row[0] == "sample"),
        counters=tuple(_counted(row, place) for place, row in rows if row[0] == "counter"),
    )


def _row(line: str, origin: str) -> list[str]:
    row = line.split("\t")
    if row[0] not in _FIELDS:
        raise RecordError(f"{origin}: '{row[0][:40]}' is no line of a result; {AGAIN}")
    if len(row) != _FIELDS[row[0]] + 1:
        raise RecordError(f"{origin}: '{row[0]}' has {len(row) - 1} values, not {_FIELDS[row[0]]}; {AGAIN}")
    return row


def _sampled(row: list[str], origin: str) -> Sampled:
    _known(row[1], _PHASES, origin)
    packets, errors, elapsed = (_whole(value, origin) for value in row[2:])
    if elapsed == 0:
        raise RecordError(f"{origin}: a sample of {packets} packets took no time; {AGAIN}")
    return Sampled(phase=row[1], slice=Slice(packets=packets, errors=errors, duration_s=elapsed * _MICROSECOND))


def _counted(row: list[str], origin: str) -> Counted:
    _known(row[1], _MOMENTS, origin)
    return Counted(moment=row[1], hop=row[2], counter=row[3], value=_whole(row[4], origin))


def _known(word: str, words: tuple[str, ...], origin: str) -> None:
    if word not in words:
        raise RecordError(f"{origin}: '{word[:40]}' is none of {', '.join(words)}; {AGAIN}")


def _whole(text: str, origin: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise RecordError(f"{origin}: '{text[:40]}' is not a count; {AGAIN}")
    return int(text)
