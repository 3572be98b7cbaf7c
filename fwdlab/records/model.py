"""One trial as values: what was offered and forwarded, under which conditions, and where its raw output is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Pairs = tuple[tuple[str, str], ...]  # sorted by the first
GENERATED = ("sender:generator", "tx_packets")  # hop and counter of a sender that offers more than its slices


class Clock(StrEnum):
    """Whose seconds a trial counts."""

    VIRTUAL = "virtual"
    WALL = "wall"


@dataclass(frozen=True, kw_only=True, slots=True)
class Slice:
    """A part of the trial, long enough to have a rate."""

    packets: int
    errors: int  # packets the sender could not send
    duration_s: float

    @property
    def pps(self) -> float:
        """Packets a second of this part."""
        return self.packets / self.duration_s


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """One period of constant load (RFC 2544, section 23)."""

    repeat: int
    order: int
    intended_pps: float | None  # None: as much as the sender can
    offered_pps: float | None  # None, here and below: nobody wrote it down
    forwarded_pps: float | None  # None: no rate follows from the logs, and the record has a fault
    dropped_pps: float | None
    frame_size: int | None  # octets as counted, FCS included
    flows: int | None
    duration_s: float | None
    time: Clock
    generator: str
    started: str
    ended: str
    boot_s: float | None  # host seconds
    traffic_s: float | None  # host seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """The sender alone: its load dropped where the DUT would begin to work."""

    offered_pps: float
    packets: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """What the rates of a trial are, and how they follow from a generator's logs."""

    label: str  # such as FRMOL
    rule: str  # in words
    kept: int | None  # seconds of the receiver's log that the rule took; None: there is no log
    left_out: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Conditions:
    """What a trial ran on."""

    kind: str  # what the kernel comes from, one of `case.Kind`
    package: str
    package_version: str
    package_sha256: str
    rules: str
    rules_sha256: str
    patch: str
    patch_sha256: str
    patch_options: str
    runner_sha256: str
    facts: Pairs
    sysctls: Pairs
    command: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RawFile:
    """A file of raw output, relative to the run folder."""

    path: str
    sha256: str
    size: int  # octets


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One trial with its provenance and its evidence."""

    names: tuple[str, ...]  # the case's, in the order of `case.AXES`
    key: str
    trial: Trial
    series: tuple[Slice, ...]
    calibration: Calibration | None
    counters: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]  # by hop, by counter: after less before
    conditions: Conditions
    raw: tuple[RawFile, ...]
    method: Method | None = None  # None: rates are made of slices and counters, as `make.py` says
    faults: tuple[str, ...] | None = None  # what the generator's logs say against the trial; None: there are none
    withdrawn: str = ""  # why it is not to be believed, by what the history says of it; no part of what is written

    @property
    def sent(self) -> int:
        """Frames the sender made while the hops counted; those of the series where it counts no others."""
        return self.counted(*GENERATED) or sum(item.packets for item in self.series)

    def counted(self, hop: str, counter: str) -> int | None:
        """What a hop counted during the trial; None where it did not say."""
        return dict(dict(self.counters).get(hop, ())).get(counter)
