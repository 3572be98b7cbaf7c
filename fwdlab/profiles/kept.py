"""A folded profile with what was sampled and every doubt about it, as JSON and back: folded lines alone lose both.

It stands in a run folder whose raw profile is not kept.
"""

from __future__ import annotations

import json

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import Profile, Stack

PROFILE_FORMAT = "fwdlab-profile 1"
RAW_PROFILE = "profile/perf.script"  # in a run folder
RAW_GRAPH = "profile/pmc.graph"
RAW_PROFILES = (RAW_PROFILE, RAW_GRAPH)
FOLDED_PROFILE = "profile/folded.json"
_AGAIN = "add the results it came from again"


def profile_text(profile: Profile) -> str:
    """The profile as JSON, keys sorted: the same profile gives the same bytes."""
    document = {
        "format": PROFILE_FORMAT,
        "event": profile.event,
        "samples": profile.samples,
        "caveats": profile.caveats,
        "stacks": [f"{stack.folded} {stack.weight}" for stack in profile.stacks],
    }
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def parse_profile(text: str, origin: str) -> Profile:
    """The profile a JSON text says; RecordError that names `origin` where the text is none."""
    try:
        document = json.loads(text)
        if document.pop("format") != PROFILE_FORMAT:
            raise ValueError(f"it is not of format '{PROFILE_FORMAT}'")
        lines = (line.rpartition(" ") for line in document["stacks"])
        stacks = tuple(Stack(folded=folded, weight=int(weight)) for folded, _, weight in lines)
        return Profile(
            event=str(document["event"]),
            samples=int(document["samples"]),
            stacks=stacks,
            caveats=tuple(map(str, document["caveats"])),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RecordError(f"{origin}: is no folded profile ({error}); {_AGAIN}") from error
