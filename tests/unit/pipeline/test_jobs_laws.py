"""Whatever a matrix calls its entries: each case is measured once a round, the rounds in turns, on its own machine."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fwdlab.campaign import Adaptive
from fwdlab.case import Case
from fwdlab.matrix.model import Machine
from fwdlab.matrix.plan import Plan
from fwdlab.pipeline.child import Setting, children
from fwdlab.pipeline.jobs import order_of
from fwdlab.pipeline.limits import JOB_NAME
from tests.pipeline.lint import Job, faults, jobs_of, read
from tests.unit.pipeline.example import campaign, machine, plan
from tests.unit.records.example import case

ROOT = Path(__file__).parents[3]
SETTING = Setting(folder=".", publishes=True, store="", part="")
YAML_WORDS = ("no", "~", "1e3", "0x10", "15.10", "null", "<<", "!x", "&a", "*a", "{a: b}", "- a", "'", '"', "#", "a: b")
SHELL_WORDS = ("`id`", "; id", "a b", "\\", "|", "\t", "<b>", "\x7f", "\x85", "\u2028", "\ufeff", "ü", "😀", "\ud7ff")

words = st.sampled_from(YAML_WORDS + SHELL_WORDS) | st.text(
    st.characters(codec="utf-8", exclude_characters="$/\0\n\r"), min_size=1, max_size=12
)
names = words.filter(lambda name: name not in {".", ".."})


@st.composite
def plans(draw: st.DrawFn) -> tuple[Plan, list[Machine]]:
    hardware, firewalls = (draw(st.lists(names, min_size=1, max_size=most, unique=True)) for most in (2, 4))
    tags = draw(st.lists(words, min_size=1, max_size=2))
    machines = [machine(name, places=draw(st.integers(1, 3)), tags=tags) for name in hardware]
    cases = [case(hardware=name, firewall=firewall) for name in hardware for firewall in firewalls]
    most = draw(st.none() | st.integers(4, 9))
    asked = campaign(cases, arms=firewalls, adaptive=Adaptive(most=most, until=0.01) if most else None)
    made = plan(cases, machines, 3, asked)
    fewest = asked.repeats if most else 1  # a plan gives no case fewer than its campaigns ask
    repeats = draw(st.lists(st.integers(fewest, 5), min_size=len(cases), max_size=len(cases)))
    planned = tuple(replace(item, repeats=count) for item, count in zip(made.planned, repeats, strict=True))
    return replace(made, planned=planned), machines


def rounds(jobs: dict[str, Job]) -> list[tuple[str, Any]]:
    """Case and round of every job that offers traffic, in the order of the file."""
    traffic = [
        job["variables"] for job in jobs.values() if job.get("script") == ["runner-scripts/pipeline/job.sh traffic"]
    ]
    return [(said["FWDLAB_RUN"], int(said["FWDLAB_REPEAT"])) for said in traffic]


@given(plans())
@settings(max_examples=60)
def test_each_case_has_each_round_once_and_the_rounds_come_in_turns(made: tuple[Plan, list[Machine]]) -> None:
    planned, machines = made
    jobs = jobs_of(read(children(planned, machines, SETTING)[0].text))
    found = rounds(jobs)
    expected = [(turn.case.folder.as_posix(), turn.repeat) for turn in order_of(planned)]
    assert found == expected, "and in the order of the plan"
    assert max(Counter(found).values()) == 1
    assert [number for _, number in found] == sorted(number for _, number in found)


@given(plans())
@settings(max_examples=60)
def test_names_come_back_from_yaml_as_they_are_in_the_matrix(made: tuple[Plan, list[Machine]]) -> None:
    planned, machines = made
    (pipeline, _) = children(planned, machines, SETTING)
    jobs = jobs_of(read(pipeline.text))
    by_run = {item.case.folder.as_posix(): item.case for item in planned.planned}
    tags = {item.name: list(item.runner.tags) for item in machines}
    lab = [job for job in jobs.values() if "resource_group" in job]
    assert {job["variables"]["FWDLAB_RUN"] for job in lab} == set(by_run)
    for job in lab:
        hardware = by_run[job["variables"]["FWDLAB_RUN"]].hardware.name
        assert job["tags"] == tags[hardware]
        assert job["resource_group"] == job["variables"]["FWDLAB_PLACE"]
        assert job["resource_group"].partition("/")[0] == hardware
    assert faults(pipeline.text, ROOT) == []


@given(plans())
@settings(max_examples=60)
def test_what_gitlab_must_never_do_with_a_lab_it_is_told_not_to(made: tuple[Plan, list[Machine]]) -> None:
    jobs = jobs_of(read(children(*made, SETTING)[0].text))
    for name, job in jobs.items():
        assert job["interruptible"] is False
        assert len(name) <= JOB_NAME
        if "resource_group" in job:
            assert job["retry"] == {"max": 1, "exit_codes": [3]}
            assert (job["when"], job["artifacts"]["when"], "needs" in job) == ("always", "always", False)
            assert job["after_script"] == ["runner-scripts/pipeline/job.sh leave"]


@given(plans())
@settings(max_examples=30)
def test_collect_takes_every_round_and_the_report_every_case(made: tuple[Plan, list[Machine]]) -> None:
    jobs = jobs_of(read(children(*made, SETTING)[0].text))
    collects = {name: job for name, job in jobs.items() if job.get("stage") == "collect"}
    assert jobs["report"]["dependencies"] == ["plan", *collects]
    for job in collects.values():
        run = job["variables"]["FWDLAB_RUN"]
        assert sorted(rounds({name: jobs[name] for name in job["dependencies"]})) == sorted(
            turn for turn in rounds(jobs) if turn[0] == run
        )


def test_the_same_plan_gives_the_same_bytes() -> None:
    cases: list[Case] = [case(firewall=name) for name in ("forwarding", "pf")]
    made = [children(plan(cases, [machine()]), [machine()], SETTING) for _ in range(2)]
    assert made[0] == made[1]
