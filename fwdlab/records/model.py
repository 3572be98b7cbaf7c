"""One trial as values: what was offered and forwarded, under which conditions, and where its raw output is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from fwdlab.units import ETHERNET_LEAST_OCTETS, line_rate_pps

Pairs = tuple[tuple[str, str], ...]  # sorted by the first
GENERATED = ("sender:generator", "tx_packets")  # hop and counter of a sender that offers more than its slices
_LINK = re.compile(r"([0-9]+(?:[.][0-9]+)?) Gbit/s")


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


class Label(StrEnum):
    """What a rate is, in the words of the RFCs; one is never compared with another."""

    FRMOL = "FRMOL"  # forwarding rate at maximum offered load (RFC 2285): no throughput
    FR = "FR"  # forwarding rate at the load that was intended (RFC 2285)
    CURVE = "loss curve"  # forwarding rate at the last of several loads (RFC 2544, section 26.3)
    THROUGHPUT = "throughput"  # RFC 2544, section 26.1
    NDR = "NDR"  # RFC 9971
    PDR = "PDR"  # RFC 9971, quoted with its loss goal
    ESTABLISHMENT = "connection establishment rate"  # maximum, RFC 9693, section 4.5; quoted with N
    CAPACITY = "connection tracking table capacity"  # RFC 9693, section 4.9

    @property
    def unit(self) -> str:
        """What its values count: packets or connections a second, or states."""
        return {Label.ESTABLISHMENT: "cps", Label.CAPACITY: "states"}.get(self, "pps")


@dataclass(frozen=True, kw_only=True, slots=True)
class TriedLoad:
    """One trial of a search or a curve."""

    intended_pps: float | None  # None: as much as the sender can
    duration_s: float  # intended
    offered_pps: float
    forwarded_pps: float
    loss_ratio: float  # of the frames that were due; of those sent where sender and DUT share no processor
    fault: str = ""  # why the trial does not count and was made again; empty where it counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Searched:
    """All trials of a repeat that has several, and what they came to."""

    goal: str  # in words; the label says of what
    lower_pps: float | None  # relevant lower bound (RFC 9971); None where there is none, and for a curve
    upper_pps: float | None
    irregular: str  # why the result is not to be quoted; empty where it is regular, and for a curve
    trials: tuple[TriedLoad, ...]  # in the order they were made


@dataclass(frozen=True, kw_only=True, slots=True)
class ElementaryTest:
    """Connections that were made in an empty state table, and how many of them were there (RFC 9693)."""

    states: int  # connections that were offered, a frame each
    intended_pps: float | None  # None: as much as the sender can
    offered_pps: float
    established: int  # frames that came through
    answered: int  # answers that were sent
    validated: int  # and came back through the state of their connection
    entries: int | None  # what the table said it held before they were answered; None, here and below: it does not say
    early_drops: int | None  # states that made room for others
    refused: int | None  # frames dropped because there was no room


@dataclass(frozen=True, kw_only=True, slots=True)
class StateTable:
    """All elementary tests of a repeat, and the numbers of connections that bound a capacity."""

    lower_states: int | None  # most that were kept; None where there is none, and for a rate
    upper_states: int | None  # fewest that were not
    tests: tuple[ElementaryTest, ...]  # in the order they were made


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """What the rates of a trial are, and how they follow from a generator's logs or from several trials."""

    label: Label
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
    searched: Searched | None = None  # None: the repeat is one trial
    table: StateTable | None = None  # None: it is no measurement of a state table
    withdrawn: str = ""  # why it is not to be believed, by what the history says of it; no part of what is written

    @property
    def label(self) -> Label:
        """What its forwarding rate is."""
        if self.method:
            return self.method.label
        return Label.FRMOL if self.trial.intended_pps is None else Label.FR

    @property
    def value(self) -> float | None:
        """What the repeat comes to in the unit of its label; None where it comes to nothing."""
        if self.label is Label.CAPACITY:
            return self.table.lower_states if self.table else None
        return self.trial.forwarded_pps

    @property
    def line_rate_pps(self) -> float | None:
        """Most frames of this size that the machine's link carries; None where its rate is unknown, or the size."""
        link = _LINK.fullmatch(dict(self.conditions.facts).get("line_rate", ""))
        if link is None or self.trial.frame_size is None:
            return None
        return line_rate_pps(float(link[1]) * 1e9, max(ETHERNET_LEAST_OCTETS, self.trial.frame_size))

    @property
    def sent(self) -> int:
        """Frames the sender made while the hops counted; those of the series where it counts no others."""
        return self.counted(*GENERATED) or sum(item.packets for item in self.series)

    @property
    def by_hop(self) -> dict[str, dict[str, int]]:
        """What each hop counted during the trial, by counter."""
        return {hop: dict(values) for hop, values in self.counters}

    def counted(self, hop: str, counter: str) -> int | None:
        """What a hop counted during the trial; None where it did not say."""
        return dict(dict(self.counters).get(hop, ())).get(counter)
