"""A decision in words: what is measured, what is left out, and why; beside a plan's own page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fwdlab.case import Case
from fwdlab.matrix.plan import Plan
from fwdlab.matrix.words import listed
from fwdlab.pipeline.child import File
from fwdlab.pipeline.decide import Decision, Reason, Source
from fwdlab.pipeline.limits import YAML_OCTETS

_SOURCES = {
    Source.MERGE_REQUEST: "merge request",
    Source.PUSH: "push",
    Source.SCHEDULE: "schedule",
    Source.HAND: "by hand",
}


def decision_lines(source: Source, doubts: Sequence[str], decision: Decision) -> Iterator[str]:
    """What was decided: each case that is measured by its number in the child, those left out by the reason."""
    taken, left = decision.taken, decision.left
    yield f"{_SOURCES[source]}: {len(taken)} of {len(taken) + len(left)} cases are measured"
    yield from doubts
    numbers = {item.case.names: number for number, item in enumerate(taken, 1)}
    for why, cases in _by_reason(taken).items():
        yield f"measured, {why}:"
        yield from (f"{numbers[case.names]:>6} {case.slug}" for case in cases)
    for why, cases in _by_reason(left).items():
        yield f"left out, {why}: {len(cases)} of them, {listed(case.slug for case in cases)}"


def _by_reason(reasons: Sequence[Reason]) -> Mapping[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for item in reasons:
        found.setdefault(item.why, []).append(item.case)
    return found


def jobs_lines(plan: Plan, files: Sequence[File]) -> Iterator[str]:
    """What GitLab gets to read, and the runner that each machine's jobs wait for."""
    for file in (file for file in files if file.octets):
        yield f"{file.name}: {file.octets / 1e6:.2f} MB in GitLab's memory, of {YAML_OCTETS / 1e6:.2f} MB it allows"
    for item in plan.machines:
        tags = item.machine.runner.tags
        yield f"{item.machine.name}: waits for a runner with {'tags' if len(tags) > 1 else 'the tag'} {listed(tags)}"
