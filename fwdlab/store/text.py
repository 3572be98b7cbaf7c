"""Entries as text and back: JSON with sorted keys, checked against the schema of its format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

from fwdlab.campaign import Campaign, campaigns_text, parse_campaigns
from fwdlab.errors import RecordError
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.kept import PROFILE_FORMAT, parse_profile
from fwdlab.records.text import RECORD_FORMAT, parse_record
from fwdlab.store.entry import Kind, entry_path, kind_of, sha256_in
from fwdlab.store.model import (
    Act,
    Claim,
    KeptFile,
    Note,
    StoredCampaign,
    StoredFloor,
    StoredRecord,
    StoredRun,
)

SCHEMA_FILE = Path(__file__).parent / "schema.json"
FORMATS = {
    Kind.RECORD: RECORD_FORMAT,
    Kind.PROFILE: PROFILE_FORMAT,
    Kind.RUN: "fwdlab-run 1",
    Kind.FLOOR: "fwdlab-floor 1",
    Kind.CAMPAIGN: "fwdlab-campaign 1",
    Kind.COLOURS: "fwdlab-colours 1",
    Kind.NOTE: "fwdlab-note 1",
}
Parsed = StoredRecord | StoredRun | StoredCampaign | StoredFloor | Note | Claim | Profile | None
_NEWER = "read it with the fwdlab that wrote it, or a newer one"
_AGAIN = "add what it was made from again"


def campaign_text(campaign: Campaign, place: int, measured: str, command: str) -> str:
    """The entry of a campaign."""
    (said,) = json.loads(campaigns_text([campaign]))
    return _text(Kind.CAMPAIGN, {"campaign": said, "place": place, "measured": measured, "command": command})


def run_text(run: StoredRun) -> str:
    """The entry of what a run left beside its records."""
    return _text(Kind.RUN, _said(run))


def floor_text(floor: Mapping[str, object]) -> str:
    """The entry of a noise floor, from its own fields."""
    return _text(Kind.FLOOR, floor)


def note_text(note: Note) -> str:
    """The entry of a note."""
    return _text(Kind.NOTE, _said(note))


def claim_text(claim: Claim) -> str:
    """The entry of colours that stay."""
    return _text(Kind.COLOURS, _said(claim))


def parse_stored_record(path: str, content: bytes) -> StoredRecord:
    """The record that an entry holds."""
    text = content.decode(errors="replace")
    _check_format(path, _json(path, text))
    record = parse_record(text, path)
    _on_shelf(path, record.key)
    return StoredRecord(path=path, record=record)


def parse_campaign(path: str, content: bytes) -> StoredCampaign:
    """The campaign that an entry holds."""
    document = _document(path, content)
    (campaign,) = parse_campaigns(json.dumps([document.pop("campaign")]), path)
    return StoredCampaign(path=path, campaign=campaign, **document)


def parse_run(path: str, content: bytes) -> StoredRun:
    """What a run left beside its records."""
    document = _document(path, content)
    _on_shelf(path, document["key"])
    files = tuple(KeptFile(**item) for item in document.pop("files"))
    names, records = tuple(document.pop("names")), tuple(document.pop("records"))
    return StoredRun(path=path, names=names, records=records, files=files, **document)


def parse_floor(path: str, content: bytes) -> StoredFloor:
    """The noise floor that an entry holds."""
    return StoredFloor(path=path, **_document(path, content))


def parse_note(path: str, content: bytes) -> Note:
    """The note that an entry holds."""
    document = _document(path, content)
    return Note(path=path, act=Act(document.pop("act")), **document)


def parse_claim(path: str, content: bytes) -> Claim:
    """The colours that an entry gives."""
    document = _document(path, content)
    return Claim(path=path, when=document["when"], colours=tuple((a, v, c) for a, v, c in document["colours"]))


def check(path: str, content: bytes) -> Parsed:
    """What an entry holds; RecordError where that is not what its place in the store says."""
    return _PARSERS[kind_of(path)](path, content)


def _profile(path: str, content: bytes) -> Profile:
    _document(path, content)
    return parse_profile(content.decode(), path)


def _raw(path: str, content: bytes) -> None:  # noqa: ARG001 - any bytes are evidence
    return None


def _on_shelf(path: str, key: str) -> None:
    expected = entry_path(kind_of(path), sha256_in(path), key)
    if path != expected:
        raise RecordError(f"{path}: belongs at '{expected}'; {_AGAIN}")


def _text(kind: Kind, document: Mapping[str, object]) -> str:
    whole = {"format": FORMATS[kind], **document}
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _said(value: StoredRun | Note | Claim) -> dict[str, object]:
    """Every field but the path: that one follows from the bytes."""
    whole = asdict(value)
    return {field.name: whole[field.name] for field in fields(value) if field.name != "path"}


def _document(path: str, content: bytes) -> dict[str, Any]:
    """What the entry says without its format; RecordError where it does not fit the schema."""
    document = _json(path, content.decode(errors="replace"))
    _check_format(path, document)
    faults: Iterable[Any] = _validator(kind_of(path)).iter_errors(document)
    for fault in sorted(faults, key=lambda fault: fault.json_path):
        raise RecordError(f"{path}: {fault.json_path}: {fault.message[:200]}; {_AGAIN}")
    return {name: value for name, value in document.items() if name != "format"}


def _json(path: str, text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: is no JSON ({error}); {_AGAIN}") from error


def _refused(word: str) -> float:
    raise ValueError(f"'{word}' is no number")


def _check_format(path: str, document: object) -> None:
    expected = FORMATS[kind_of(path)]
    found = str(document.get("format", ""))[:40] if isinstance(document, dict) else ""
    if found != expected:
        raise RecordError(f"{path}: format '{found}' is not '{expected}', which is known here; {_NEWER}")


@cache
def _validator(kind: Kind) -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and not every command reads entries

    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    name = FORMATS[kind].removeprefix("fwdlab-").partition(" ")[0]
    return Draft202012Validator({"$defs": schema["$defs"], "$ref": f"#/$defs/{name}"})


_PARSERS: Mapping[Kind, Callable[[str, bytes], Parsed]] = {
    Kind.RAW: _raw,
    Kind.PROFILE: _profile,
    Kind.RECORD: parse_stored_record,
    Kind.RUN: parse_run,
    Kind.FLOOR: parse_floor,
    Kind.CAMPAIGN: parse_campaign,
    Kind.COLOURS: parse_claim,
    Kind.NOTE: parse_note,
}
