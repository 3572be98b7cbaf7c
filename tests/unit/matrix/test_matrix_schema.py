"""The published schema: every key is described, editors and fwdlab agree on it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from fwdlab.case import AXES
from fwdlab.matrix.expand import quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.shape import schema_text
from tests.unit.matrix.example import TEXT, bent

ROOT = Path(__file__).parents[3]
SCHEMA: dict[str, Any] = json.loads(schema_text())


def parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Every schema inside a schema, itself first."""
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            yield from (
                (part for inner in value.values() for part in parts(inner)) if key == "properties" else parts(value)
            )


def as_an_editor_reads(text: str) -> list[str]:
    """What a plain validator says of the file, with YAML's own numbers and booleans."""
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(yaml.safe_load(text))]


def test_it_is_a_schema_of_draft_2020_12() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_key_is_described() -> None:
    keys = [(name, key) for part in parts(SCHEMA) for name, key in part.get("properties", {}).items()]
    assert len(keys) > 40
    assert not [name for name, key in keys if not key.get("description", "").endswith(".")]


def test_every_object_is_closed_and_says_what_to_write() -> None:
    objects = [part for part in parts(SCHEMA) if part.get("type") == "object"]
    assert objects
    assert all("additionalProperties" in part and part["additionalProperties"] is not True for part in objects)
    limits = {"type", "enum", "pattern", "minimum", "maximum"}
    assert all(part["errorMessage"] for part in parts(SCHEMA) if limits & set(part))


def test_every_pattern_fits_a_whole_string_in_every_dialect() -> None:
    patterns = {part["pattern"] for part in parts(SCHEMA) if "pattern" in part}
    assert patterns
    assert all(pattern.startswith("^") and pattern.endswith("$") and re.compile(pattern) for pattern in patterns)


def test_a_case_is_included_by_all_axes() -> None:
    assert SCHEMA["$defs"]["cell"]["required"] == list(AXES)
    assert list(SCHEMA["$defs"]["selection"]["properties"]) == list(AXES)


@pytest.mark.parametrize("text", [TEXT, (ROOT / "matrix.yaml").read_text()], ids=["example", "shipped"])
def test_an_editor_accepts_what_fwdlab_accepts(text: str) -> None:
    assert as_an_editor_reads(text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("repeats: 5", "repeats: 0"), ("lab: qemu", "lab: rack"), ("cap: 2h", "cap: 120"), ("seed: 1", "seeds: 1")],
)
def test_an_editor_refuses_what_fwdlab_refuses(old: str, new: str) -> None:
    assert as_an_editor_reads(bent(old, new))


def test_the_shipped_matrix_is_what_the_quick_start_promises() -> None:
    matrix = load_matrix(ROOT / "matrix.yaml")
    assert [machine.arch for machine in matrix.machines] == ["x86_64", "aarch64"]
    assert matrix.axes[1:] == (
        ("debian-6.1", "debian-6.12", "linux-6.12"),
        ("forwarding", "nft-stateless", "nft-stateful"),
        ("none", "route-lookup-not-inlined", "drop-reason-for-source-routes", "no-early-demux-on-routers"),
        ("udp4-64", "udp6-64"),
    )
    assert matrix.repeats == 5
    assert {(traffic.frame_size, traffic.flows) for traffic in matrix.traffic} == {(64, 2000)}
    assert [ask.title for ask in matrix.asks] == [
        "Linux 6.12 against 6.1",
        "What nftables costs",
        "What the patches cost",
    ]
    quick = quick_of(matrix)
    assert not any(source.kind.built for source in quick.sources)
