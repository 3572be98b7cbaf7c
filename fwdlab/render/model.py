"""What the pages are made of: a campaign's result and everything beside it that a reader may ask for.

Values only; nothing here knows how it will look. Lengths are octets, times seconds, rates the metric's base unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fwdlab.analyse.result import CampaignResult, Comparison
from fwdlab.profiles.diff import Difference
from fwdlab.profiles.folded import Profile
from fwdlab.render.curves import Curves


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """One labelled line of text, such as a condition or a fact of provenance."""

    label: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Download:
    """A raw log or record the site carries byte for byte."""

    source: Path  # where it lies now
    path: str  # where the site keeps it, relative to its folder of files, `/` between parts
    size: int  # octets
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedAttempt:
    """A boot or its preparation that did not end well, and why."""

    attempt: str  # such as `repeat-2.1`
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """What did not pass a gate, and why."""

    names: tuple[str, ...]  # of the case
    trial: str  # such as `repeat-2`; empty for the case as a whole
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GateReport:
    """How many passed one validity gate."""

    name: str
    asks: str  # what is checked and with which limit, one sentence
    unit: str  # what is counted: `trials` or `cases`
    passed: int
    untold: int  # neither: they do not hold what the gate looks at
    faults: tuple[Fault, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseReport:
    """One case of a campaign as its page shows it."""

    names: tuple[str, ...]  # in the order of `case.AXES`
    key: str
    provenance: tuple[Pair, ...]
    command: str  # measures this case again
    downloads: tuple[Download, ...]
    failed: tuple[FailedAttempt, ...]
    profile: Profile | None
    profile_note: str  # why there is no profile, or what to know of it; empty where there is nothing to say


@dataclass(frozen=True, kw_only=True, slots=True)
class Attribution:
    """Where a proven difference went, function by function."""

    comparison: Comparison
    difference: Difference | None  # of both sides' profiles
    note: str  # why there is none; empty where there is one


@dataclass(frozen=True, kw_only=True, slots=True)
class MinistatBlock:
    """ministat's text for one comparison, byte for byte."""

    title: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """Seconds one kind of work took, such as boots."""

    label: str
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierRow:
    """One comparison, now and in an earlier run."""

    subject: str
    now: str  # relative difference and its interval, as ministat prints them
    before: str
    verdicts: tuple[str, str]  # now, before
    agreement: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """What an earlier run of a campaign answered."""

    measured: str  # day of its last trial, ISO 8601; empty where nobody wrote it down
    rows: tuple[EarlierRow, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CampaignPage:
    """One campaign, ready to be laid out."""

    result: CampaignResult
    measured: str  # day of the last trial, ISO 8601; pages are sorted by it
    virtual: bool  # the pps are virtual: one instruction is one nanosecond
    conditions: tuple[Pair, ...]
    noise_source: str  # where the noise floors came from; empty where none was measured
    ministat: tuple[MinistatBlock, ...]
    command: str  # makes this page again
    gates: tuple[GateReport, ...]
    cases: tuple[CaseReport, ...]  # in the order of the campaign's members
    attributions: tuple[Attribution, ...]  # one a proven difference, in the order of the comparisons
    spent: tuple[Spent, ...]
    curves: Curves | None = None  # loss curves of its cases
    earlier: Earlier | None = None
