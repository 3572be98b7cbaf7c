"""What a history says of results beside their records: `remarks.json` in a folder of results that came from a store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import RecordError

FILE = "remarks.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Remarks:
    """What was said of records and campaigns after they were measured, and what pages showed before."""

    withdrawn: Mapping[tuple[str, int], str]  # why a repeat counts no more, by case key and its number
    notes: Mapping[str, tuple[str, ...]]  # by campaign
    commands: Mapping[str, str]  # what measures a campaign again
    colours: Mapping[tuple[str, str], str]  # of arms, by axis and value


NO_REMARKS = Remarks(withdrawn={}, notes={}, commands={}, colours={})


def remarks_text(remarks: Remarks) -> str:
    """The remarks as JSON, sorted: the same remarks give the same bytes."""
    document = {
        "withdrawn": [[*repeat, why] for repeat, why in sorted(remarks.withdrawn.items())],
        "notes": remarks.notes,
        "commands": remarks.commands,
        "colours": [[*arm, colour] for arm, colour in sorted(remarks.colours.items())],
    }
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def remarks_of(results: Path) -> Remarks:
    """The remarks among results; none where they came from no store."""
    path = results / FILE
    if not path.exists():
        return NO_REMARKS
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return Remarks(
            withdrawn={(str(key), int(repeat)): str(why) for key, repeat, why in document["withdrawn"]},
            notes={name: tuple(map(str, said)) for name, said in document["notes"].items()},
            commands={name: str(line) for name, line in document["commands"].items()},
            colours={(str(axis), str(value)): str(colour) for axis, value, colour in document["colours"]},
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise RecordError(f"{path}: holds no remarks ({error}); remove it and lay the store out again") from error
