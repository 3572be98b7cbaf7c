"""What the entries beside the records say, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fwdlab.campaign import Campaign
from fwdlab.records.model import Record


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRecord:
    """A record under the name it has in the store."""

    path: str
    record: Record


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredCampaign:
    """A campaign as it stood when it was added: its question, and until when it was measured."""

    path: str
    campaign: Campaign
    place: int  # among the campaigns it was added with, from 0
    measured: str  # end of its last trial, UTC, ISO 8601; empty where nothing is measured
    command: str  # measures it again


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptFile:
    """A file of a run folder, relative to it."""

    path: str
    sha256: str
    size: int  # octets
    kept: bool  # whether its bytes are in the store


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRun:
    """What the run of a case left beside its records."""

    path: str
    names: tuple[str, ...]  # the case's, in the order of `case.AXES`
    key: str
    measured: str  # end of its last trial
    records: tuple[str, ...]  # their SHA-256
    files: tuple[KeptFile, ...]  # all but the raw output of the records, which they list themselves
    profile: str  # SHA-256 of its folded profile; empty where there is none


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredFloor:
    """The noise floor of a machine as it was measured once."""

    path: str
    hardware: str
    deviation: float  # relative
    pairs: int
    repeats: int  # of each arm
    measured: str  # day of the last trial, ISO 8601


class Act(StrEnum):
    """What a note does to the entry it is about."""

    INVALIDATE = "invalidate"
    ANNOTATE = "annotate"


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """What somebody said of an entry later."""

    path: str
    act: Act
    about: str  # path of the entry
    who: str
    when: str  # UTC, ISO 8601
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """Colours that were given to arms, to stay."""

    path: str
    when: str  # UTC, ISO 8601
    colours: tuple[tuple[str, str, str], ...]  # axis, value, colour; sorted
