"""What a mostly idle DUT says of a case: at maximum load, that something else limited the rate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import RecordError
from fwdlab.profiles import formats
from fwdlab.profiles.folded import MOST_IDLE, Profile
from fwdlab.profiles.idle import idle_reason
from fwdlab.profiles.kept import FOLDED_PROFILE, RAW_PROFILES, parse_profile
from fwdlab.records.model import Record
from fwdlab.records.store import Folders

SATURATION = "saturation"  # the gate's name
SATURATION_ASKS = (
    f"Where the load is 'max', at most {100 * MOST_IDLE:.0f} % of the DUT's profile is idle; else it was not the limit."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Profiled:
    """The profile of a case, or why there is none."""

    profile: Profile | None
    note: str


def profile_of_run(folders: Folders, run: Path) -> Profiled:
    """What was profiled in a run folder."""
    try:
        for name, read in (*((raw, formats.fold) for raw in RAW_PROFILES), (FOLDED_PROFILE, parse_profile)):
            if path := folders.raw_file(run, name):
                text = path.read_text(encoding="utf-8", errors="replace")
                return Profiled(profile=read(text, str(path)), note="")
    except RecordError as error:
        return Profiled(profile=None, note=str(error))
    return Profiled(profile=None, note="no profile was collected")


def idle_fault(record: Record, profile: Profile | None) -> str | None:
    """Why a trial does not count by the profile of its case; empty where it does, None where that cannot be told."""
    if profile is None or record.trial.intended_pps is not None:
        return None
    if not idle_reason(profile):
        return ""
    return (
        f"the DUT was {100 * profile.idle_share:.1f} % idle at maximum load, so something else was the limit; look at "
        "sender and link, or profile only the processors that forward"
    )
