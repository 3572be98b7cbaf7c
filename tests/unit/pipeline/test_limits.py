"""What GitLab counts of a pipeline, and what is done about too much of it."""

from __future__ import annotations

import re

import pytest

from fwdlab.errors import MatrixError
from fwdlab.pipeline import child, limits
from fwdlab.pipeline.child import Setting, children
from fwdlab.pipeline.limits import YAML_OCTETS, memory_of, refuse_packed
from tests.pipeline.lint import jobs_of, read
from tests.unit.pipeline.example import campaign, machine, plan
from tests.unit.records.example import case

SETTING = Setting(folder=".", publishes=True, store="", part="")
RUBY_3_1 = [  # octets that ObjectSpace.memsize_of gave for what Psych had read
    ("x", 40),
    ("x" * 23, 40),
    ("x" * 24, 65),
    ("x" * 55, 96),
    ("x" * 200, 241),
]


@pytest.mark.parametrize(("text", "octets"), RUBY_3_1)
def test_a_string_takes_no_more_than_is_counted(text: str, octets: int) -> None:
    assert octets <= memory_of(text) <= octets + 80


@pytest.mark.parametrize(("entries", "octets"), [(1, 40), (3, 40), (4, 200), (6, 200), (500, 5280)])
def test_a_list_takes_no_more_than_is_counted(entries: int, octets: int) -> None:
    counted = memory_of(["x"] * entries) - entries * 40
    assert octets <= counted <= octets * 1.2


@pytest.mark.parametrize(("entries", "octets"), [(1, 168), (8, 168), (9, 928), (17, 928), (3500, 114_784)])
def test_a_mapping_takes_no_more_than_is_counted(entries: int, octets: int) -> None:
    counted = memory_of({f"k{number}": "x" for number in range(entries)}) - entries * 80
    assert octets <= counted <= octets * 1.1


def many(machines: int) -> list[child.File]:
    """500 cases by five rounds."""
    hardware = [f"machine-{number}" for number in range(machines)]
    share = 500 // machines
    cases = [case(hardware=name, firewall=f"nft-stateful-{number}") for name in hardware for number in range(share)]
    labs = [machine(name) for name in hardware]
    return list(children(plan(cases, labs, 5), labs, SETTING))


def test_five_hundred_cases_by_five_rounds_are_one_child() -> None:
    pipeline, _ = many(1)
    assert 1_000_000 < pipeline.octets <= YAML_OCTETS
    jobs = jobs_of(read(pipeline.text))
    assert len(jobs) == 500 * 5 + 500 + 3
    assert {"1, round 1", "500, collect"} <= jobs.keys(), "numbers alone: words would be too much"


def test_more_is_one_child_a_machine_with_its_own_campaigns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "YAML_OCTETS", 40_000)
    cases = [case(hardware=name, firewall=of) for name in ("one", "two") for of in ("forwarding", "pf", "ipfw")]
    machines = [machine("one"), machine("two")]
    asked = plan(cases, machines, 4, campaign(cases, arms=("forwarding", "pf", "ipfw")))
    files = {file.name: file for file in children(asked, machines, SETTING)}
    assert {"child.yml", "child-one.yml", "campaigns-one.json", "child-two.yml", "campaigns-two.json"} == files.keys()
    jobs = read(files["child.yml"].text)
    assert jobs["measure one"]["trigger"]["include"] == [{"artifact": "expanded/child-one.yml", "job": "expand"}]
    assert "two" not in files["campaigns-one.json"].text
    assert "pages" not in read(files["child-one.yml"].text), "two machines would publish over each other"


def test_a_machine_that_is_too_much_alone_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "YAML_OCTETS", 10_000)
    cases = [case(firewall=name) for name in ("forwarding", "pf")]
    with pytest.raises(MatrixError) as caught:
        children(plan(cases, [machine()]), [machine()], SETTING)
    assert re.fullmatch(
        r"matrix\.yaml: child-qemu-x86\.yml would take GitLab 0\.0 MB of memory, which reads 0\.0 MB; "
        r"select fewer cases or repeats, or raise 'max_yaml_size_bytes' there",
        str(caught.value),
    )


def test_an_artifact_that_gitlab_would_not_open_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_packed("matrix.yaml", ["a" * 1000])
    monkeypatch.setattr(limits, "ARTIFACT_OCTETS", 10)
    with pytest.raises(
        MatrixError, match=r"matrix\.yaml: its plan takes 0\.0 MB packed, of which GitLab reads 0\.0 MB"
    ):
        refuse_packed("matrix.yaml", ["a" * 1000])
