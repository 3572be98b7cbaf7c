"""The verdicts as JSON: complete, described by their schema, and the same bytes every time."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fwdlab.analyse.result import Verdict
from fwdlab.cli import main
from fwdlab.render import verdicts_json
from fwdlab.render.model import CampaignPage
from fwdlab.render.verdicts_json import VERDICTS_FORMAT, verdicts_text
from tests.unit.render import examples, judged

SCHEMA_FILE = Path(verdicts_json.__file__).with_name("verdicts.schema.json")
SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> CampaignPage:
    return judged.page(tmp_path_factory.mktemp("raw"))


def faults(text: str) -> list[str]:
    return [
        f"{error.json_path}: {error.message}" for error in Draft202012Validator(SCHEMA).iter_errors(json.loads(text))
    ]


def by_arm(text: str) -> dict[str, Any]:
    return {item["new"]["arm"]: item for item in json.loads(text)["campaigns"][0]["comparisons"]}


def test_everything_a_verdict_rests_on_is_there(page: CampaignPage) -> None:
    campaign = json.loads(verdicts_text([page]))["campaigns"][0]
    assert (campaign["correction"], campaign["baseline"], campaign["axis"]) == ("Holm", "none", "patch")
    assert campaign["noise_source"] == page.noise_source
    assert campaign["counts"] == {"better": 1, "worse": 1, "same": 1, "unproven": 1, "invalid": 1}
    slower, ours = by_arm(verdicts_text([page]))["slower"], page.result.comparisons[1]
    assert slower["names"] == {
        "hardware": "qemu-x86",
        "revision": "debian-6.12",
        "firewall": "forwarding",
        "traffic": "udp4-64",
    }
    assert slower["interval"] == {"low": ours.low, "high": ours.high, "confidence": 0.95}
    assert (slower["delta"], slower["p_value"], slower["mde"]) == (ours.delta, ours.p_value, ours.mde)
    assert (slower["verdict"], slower["threshold"], slower["noise_floor"]) == ("worse", 0.002, 0.0001)
    assert (slower["base"]["arm"], slower["new"]["n"]) == ("none", 5)
    assert slower["new"]["values"] == list(ours.new.values)
    assert slower["sentence"].startswith("slower: -2.00")
    assert slower["sentence"] in campaign["synthesis"]


def test_what_could_not_be_compared_says_why_and_has_no_figure(page: CampaignPage) -> None:
    broken = by_arm(verdicts_text([page]))["broken"]
    assert [broken[name] for name in ("verdict", "delta", "p_value", "mde")] == ["invalid", None, None, None]
    assert broken["interval"] == {"low": None, "high": None, "confidence": 0.95}
    assert broken["new"]["invalid"] == [judged.PANIC] * 3
    assert broken["caveats"][0].startswith("new has 2 valid repeats")


def test_a_campaign_without_floor_measurement_or_comparison_fits_too(page: CampaignPage) -> None:
    bare = replace(page, result=replace(page.result, comparisons=()), noise_source="", measured="")
    text = verdicts_text([bare])
    campaign = json.loads(text)["campaigns"][0]
    assert [campaign[name] for name in ("noise_source", "measured", "synthesis")] == [None, None, ""]
    assert faults(text) == []
    assert json.loads(verdicts_text([])) == {"format": VERDICTS_FORMAT, "campaigns": []}


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_number_json_does_not_know_is_null(page: CampaignPage, odd: float) -> None:
    first = page.result.comparisons[0]
    item = replace(first, low=odd, mde=odd, p_value=odd, base=replace(first.base, values=(odd, 1.0)))
    text = verdicts_text([replace(page, result=replace(page.result, comparisons=(item,)))])
    found = json.loads(text)["campaigns"][0]["comparisons"][0]
    assert (found["interval"]["low"], found["mde"], found["base"]["values"]) == (None, None, [None, 1.0])
    assert faults(text) == []


@given(st.lists(judged.TEXT, min_size=1), st.lists(st.sampled_from(Verdict), max_size=6))
def test_whatever_the_names_it_fits_its_schema_in_ascii_with_sorted_keys(
    page: CampaignPage, texts: list[str], verdicts: list[Verdict]
) -> None:
    pages = [judged.renamed(judged.repeated(page, verdicts), texts)]
    text = verdicts_text(pages)
    assert faults(text) == []
    assert text.isascii()
    document = json.loads(text)
    assert text == json.dumps(document, indent=1, sort_keys=True) + "\n" == verdicts_text(pages)
    assert [item["new"]["arm"] for item in document["campaigns"][0]["comparisons"]] == [
        item.new_arm for item in pages[0].result.comparisons
    ]


@pytest.mark.parametrize("axis", ["revision", "firewall"])
def test_campaigns_of_either_axis_fit(tmp_path: Path, axis: str) -> None:
    assert faults(verdicts_text([examples.page(examples.result(axis), tmp_path)])) == []


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("verdict", "regression"), ("delta", "-1 %"), ("names", {"hardware": "apu2"}), ("p_value", 1.5), ("base", {})],
)
def test_the_schema_refuses_what_is_no_verdict(page: CampaignPage, field: str, wrong: object) -> None:
    document = json.loads(verdicts_text([page]))
    document["campaigns"][0]["comparisons"][0][field] = wrong
    assert faults(json.dumps(document))


def described(schema: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every property of a schema, its definitions included, by its path."""
    for name, part in {**schema.get("properties", {}), **schema.get("$defs", {})}.items():
        yield f"{place}.{name}", part
        yield from described(part, f"{place}.{name}")
        yield from described(part.get("items", {}), f"{place}.{name}")


def test_every_field_is_described() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    found = dict(described(SCHEMA, ""))
    assert len(found) > 50
    assert [place for place, part in found.items() if not part.get("description", "").endswith(".")] == []


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        (SCHEMA["$defs"]["campaign"], verdicts_json.Judged),
        (SCHEMA["$defs"]["comparison"], verdicts_json.Compared),
        (SCHEMA["$defs"]["side"], verdicts_json.Side),
        (SCHEMA["$defs"]["comparison"]["properties"]["interval"], verdicts_json.Interval),
    ],
)
def test_schema_and_values_have_the_same_fields(part: Mapping[str, Any], kind: type) -> None:
    assert sorted(part["properties"]) == sorted(part["required"]) == sorted(field.name for field in fields(kind))
    assert part["additionalProperties"] is False


def test_the_schema_is_published() -> None:
    done = CliRunner().invoke(main, ["schema", "verdicts"])
    assert (done.exit_code, done.stdout) == (0, SCHEMA_FILE.read_text())
