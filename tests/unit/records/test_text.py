from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fwdlab.case import AXES
from fwdlab.cli import main
from fwdlab.errors import RecordError
from fwdlab.records.model import (
    Calibration,
    Clock,
    Conditions,
    Label,
    Method,
    RawFile,
    Record,
    Searched,
    Slice,
    Trial,
    TriedLoad,
)
from fwdlab.records.text import SCHEMA_FILE, parse_record, record_text
from tests.unit.records import example

SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text())

Value = TypeVar("Value")
LINE = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAME = LINE.filter(bool)
RATE = st.floats(min_value=0, max_value=1e12)
SPAN = st.floats(min_value=1e-6, max_value=1e9)
COUNT = st.integers(min_value=0, max_value=10**18)
HOST_S = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def hexadecimal(digits: int) -> st.SearchStrategy[str]:
    return st.text("0123456789abcdef", min_size=digits, max_size=digits)


def by_name(values: st.SearchStrategy[Value]) -> st.SearchStrategy[tuple[tuple[str, Value], ...]]:
    return st.dictionaries(LINE, values, max_size=4).map(lambda found: tuple(sorted(found.items())))


TRIALS = st.builds(
    Trial,
    repeat=COUNT.map(lambda value: value + 1),
    order=COUNT,
    intended_pps=st.none() | RATE,
    offered_pps=st.none() | RATE,
    forwarded_pps=st.none() | RATE,
    dropped_pps=HOST_S,
    frame_size=st.none() | COUNT,
    flows=st.none() | COUNT.map(lambda value: value + 1),
    duration_s=st.none() | SPAN,
    time=st.sampled_from(Clock),
    generator=LINE,
    started=LINE,
    ended=LINE,
    boot_s=HOST_S,
    traffic_s=HOST_S,
)
CONDITIONS = st.builds(
    Conditions,
    **dict.fromkeys(
        (
            "kind",
            "package",
            "package_version",
            "package_sha256",
            "rules",
            "rules_sha256",
            "patch",
            "patch_sha256",
            "patch_options",
        ),
        LINE,
    ),
    runner_sha256=LINE,
    facts=by_name(LINE),
    sysctls=by_name(LINE),
    command=LINE,
)
TRIED = st.builds(
    TriedLoad,
    intended_pps=st.none() | RATE,
    duration_s=SPAN,
    offered_pps=RATE,
    forwarded_pps=RATE,
    loss_ratio=st.floats(min_value=0, max_value=1),
)
RECORDS = st.builds(
    Record,
    names=st.tuples(*[NAME] * len(AXES)),
    key=hexadecimal(12),
    trial=TRIALS,
    series=st.lists(st.builds(Slice, packets=COUNT, errors=COUNT, duration_s=SPAN), max_size=3).map(tuple),
    calibration=st.none() | st.builds(Calibration, offered_pps=RATE, packets=COUNT.map(lambda value: value + 1)),
    counters=by_name(by_name(st.integers())),
    conditions=CONDITIONS,
    raw=st.lists(st.builds(RawFile, path=NAME, sha256=hexadecimal(64), size=COUNT), min_size=1, max_size=3).map(tuple),
    method=st.none()
    | st.builds(Method, label=st.sampled_from(Label), rule=NAME, kept=st.none() | COUNT, left_out=st.none() | COUNT),
    searched=st.none()
    | st.builds(
        Searched,
        goal=NAME,
        lower_pps=st.none() | RATE,
        upper_pps=st.none() | RATE,
        irregular=LINE,
        trials=st.lists(TRIED, min_size=1, max_size=3).map(tuple),
    ),
    faults=st.none() | st.lists(NAME, max_size=3).map(tuple),
)


@given(RECORDS)
def test_a_record_comes_back_from_its_text_as_it_was(record: Record) -> None:
    text = record_text(record)
    assert parse_record(text, "x") == record
    assert record_text(parse_record(text, "x")) == text


def test_a_hop_says_what_it_counted(tmp_path: Path) -> None:
    record = example.record(tmp_path)
    assert record.counted("dut:d0", "rx_packets") == 40000
    assert record.counted("dut:d0", "lost") is None
    assert record.counted("dut:d9", "rx_packets") is None


def bent(tmp_path: Path, path: str, value: object) -> str:
    """The text of a good record with one value changed, by a path such as `trial.flows`."""
    document = json.loads(record_text(example.record(tmp_path)))
    *parents, last = path.split(".")
    place = document
    for name in parents:
        place = place[int(name)] if isinstance(place, list) else place[name]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("format", "fwdlab-record 9", "$.format: 'fwdlab-record 1' was expected"),
        ("trial.forwarded_pps", "fast", "$.trial.forwarded_pps: 'fast' is not of type 'number', 'null'"),
        ("trial.forwarded_pps", -1, "$.trial.forwarded_pps: -1 is less than the minimum of 0"),
        ("trial.repeat", 0, "$.trial.repeat: 0 is less than the minimum of 1"),
        ("trial.flows", True, "$.trial.flows: True is not of type 'integer', 'null'"),
        ("trial.time", "sun", "$.trial.time: 'sun' is not one of ['virtual', 'wall']"),
        ("trial.ended", None, "$.trial: 'ended' is a required property"),
        ("trial.lucky", 7, "$.trial: Additional properties are not allowed ('lucky' was unexpected)"),
        ("case.key", "ABC", "$.case.key: 'ABC' does not match '^[0-9a-f]{12}$'"),
        ("counters.dut:d0.rx_packets", 1.5, "$.counters['dut:d0'].rx_packets: 1.5 is not of type 'integer'"),
        ("series.1.duration_s", 0, "$.series[1].duration_s: 0 is less than or equal to the minimum of 0"),
        ("raw", [], "$.raw: [] should be non-empty"),
        ("raw.0.sha256", "0", "$.raw[0].sha256: '0' does not match '^[0-9a-f]{64}$'"),
    ],
)
def test_what_does_not_fit_the_schema_is_refused_with_its_place(
    tmp_path: Path, path: str, value: object, said: str
) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(bent(tmp_path, path, value), "x.json")
    assert str(caught.value) == f"x.json: {said}; make it again with 'fwdlab record'"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "NaN", "9" * 5000, "null", "[]", "7"])
def test_what_is_no_record_at_all_is_refused_by_name(text: str) -> None:
    with pytest.raises(RecordError, match=r"^x\.json: .*; make it again with 'fwdlab record'$"):
        parse_record(text, "x.json")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_rate_that_is_no_number_is_no_rate(tmp_path: Path, number: str) -> None:
    text = bent(tmp_path, "trial.forwarded_pps", 123456789).replace("123456789", number)
    with pytest.raises(RecordError, match=f"'{number}' is no number"):
        parse_record(text, "x.json")


@given(st.recursive(st.none() | st.booleans() | st.integers() | LINE, lambda inner: st.dictionaries(LINE, inner)))
def test_no_other_json_is_a_record(document: object) -> None:
    with pytest.raises(RecordError):
        parse_record(json.dumps(document), "x")


def described(schema: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every property of the schema by its path."""
    for name, part in schema.get("properties", {}).items():
        yield f"{place}{name}", part
        yield from described(part, f"{place}{name}.")
        yield from described(part.get("items", {}), f"{place}{name}.")


def test_every_field_of_the_schema_is_described() -> None:
    assert [place for place, part in described(SCHEMA) if not part.get("description")] == []
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("trial", Trial),
        ("series", Slice),
        ("calibration", Calibration),
        ("conditions", Conditions),
        ("raw", RawFile),
        ("method", Method),
    ],
)
def test_schema_and_values_have_the_same_fields(place: str, kind: type) -> None:
    part = SCHEMA["properties"][place]
    part = part.get("items", part)
    names = [field.name for field in fields(kind)]
    assert sorted(part["properties"]) == sorted(part["required"]) == sorted(names)
    assert part["additionalProperties"] is False


def test_the_schema_of_the_whole_has_what_a_record_has() -> None:
    ours = {field.name for field in fields(Record)} - {"names", "key", "withdrawn"}  # the last is said later
    assert set(SCHEMA["properties"]) == ours | {"format", "case"}
    assert set(SCHEMA["properties"]) - set(SCHEMA["required"]) == {
        "method",
        "faults",
        "searched",
        "table",
    }  # of logs, searches and state tables
    assert set(SCHEMA["properties"]["case"]["required"]) == {*AXES, "key"}


def test_the_schema_is_published() -> None:
    done = CliRunner().invoke(main, ["schema", "record"])
    assert (done.exit_code, done.stdout) == (0, SCHEMA_FILE.read_text())
