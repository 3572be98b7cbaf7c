"""A record as JSON and back; what does not fit the schema is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from fwdlab.case import AXES
from fwdlab.errors import RecordError
from fwdlab.records.model import (
    Calibration,
    Clock,
    Conditions,
    ElementaryTest,
    Label,
    Method,
    RawFile,
    Record,
    Searched,
    Slice,
    StateTable,
    Trial,
    TriedLoad,
)

RECORD_FORMAT = "fwdlab-record 1"
SCHEMA_FILE = Path(__file__).parent / "schema.json"


def record_text(record: Record) -> str:
    """The record as JSON, keys sorted: the same record gives the same bytes."""
    conditions = asdict(record.conditions)
    document = {
        "format": RECORD_FORMAT,
        "case": {**dict(zip(AXES, record.names, strict=True)), "key": record.key},
        "trial": asdict(record.trial),
        "series": [asdict(item) for item in record.series],
        "calibration": asdict(record.calibration) if record.calibration else None,
        "counters": {hop: dict(values) for hop, values in record.counters},
        "conditions": {**conditions, "facts": dict(conditions["facts"]), "sysctls": dict(conditions["sysctls"])},
        "raw": [asdict(item) for item in record.raw],
        **({"method": asdict(record.method)} if record.method else {}),
        **({"searched": asdict(record.searched)} if record.searched else {}),
        **({"table": asdict(record.table)} if record.table else {}),
        **({"faults": list(record.faults)} if record.faults is not None else {}),
    }
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def parse_record(text: str, origin: str) -> Record:
    """The record a JSON text says; RecordError with the place in it where it does not fit the schema."""
    try:
        document = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{origin}: is no JSON ({error}); make it again with 'fwdlab record'") from error
    faults = sorted(_validator().iter_errors(document), key=lambda fault: fault.json_path)
    if faults:
        place = f"{origin}: {faults[0].json_path}"
        raise RecordError(f"{place}: {faults[0].message[:200]}; make it again with 'fwdlab record'")
    return _record(document)


def _refused(word: str) -> float:
    raise ValueError(f"'{word}' is no number")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refused(text)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and not every command reads records

    return Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def _record(document: Mapping[str, Any]) -> Record:
    conditions = document["conditions"]
    calibration = document["calibration"]
    return Record(
        names=tuple(document["case"][axis] for axis in AXES),
        key=document["case"]["key"],
        trial=Trial(**{**document["trial"], "time": Clock(document["trial"]["time"])}),
        series=tuple(Slice(**item) for item in document["series"]),
        calibration=Calibration(**calibration) if calibration else None,
        counters=tuple((hop, tuple(sorted(values.items()))) for hop, values in sorted(document["counters"].items())),
        conditions=Conditions(
            **{
                **conditions,
                "facts": tuple(sorted(conditions["facts"].items())),
                "sysctls": tuple(sorted(conditions["sysctls"].items())),
            }
        ),
        raw=tuple(RawFile(**item) for item in document["raw"]),
        method=_method(document["method"]) if "method" in document else None,
        searched=_searched(document["searched"]) if "searched" in document else None,
        table=_table(document["table"]) if "table" in document else None,
        faults=tuple(document["faults"]) if "faults" in document else None,
    )


def _method(document: Mapping[str, Any]) -> Method:
    return Method(**{**document, "label": Label(document["label"])})


def _searched(document: Mapping[str, Any]) -> Searched:
    return Searched(**{**document, "trials": tuple(TriedLoad(**item) for item in document["trials"])})


def _table(document: Mapping[str, Any]) -> StateTable:
    return StateTable(**{**document, "tests": tuple(ElementaryTest(**item) for item in document["tests"])})
