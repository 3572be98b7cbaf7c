"""What GitLab would refuse of a pipeline and its schema does not see."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from fwdlab.pipeline.limits import JOB_NAME, YAML_OCTETS, memory_of

NEEDS = 50  # `ci_needs_size_limit`
STAGES = ("build", "test", "deploy")  # where a pipeline says none
DEFINITION_OCTETS = 1024**2  # of one job, all templates in it
_GLOBAL = {"stages", "workflow", "default", "variables", "include", "image", "spec"}
_FILES = re.compile(r"(\./|runner-scripts/|\.ci/)[\w./-]+")
_MINUTES = re.compile(r"(\d+)(m| minutes)")

Job = dict[str, Any]


class _Strict(yaml.CSafeLoader):
    """YAML as GitLab reads it, but for keys that stand twice, of which it takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1} if len(set(keys)) < len(keys) else set()
        if twice:
            raise ValueError(f"stands twice: {sorted(twice)}")
        return super().construct_mapping(node, deep)


def read(text: str) -> dict[str, Any]:
    """The document; ValueError where a key stands twice."""
    document: dict[str, Any] = yaml.load(text, Loader=_Strict)  # noqa: S506 - a safe loader's child
    return document


def jobs_of(document: Mapping[str, Any]) -> dict[str, Job]:
    """The jobs as GitLab takes them: templates merged in, the later over the earlier."""
    default = document.get("default", {})
    names = [name for name in document if name not in _GLOBAL and not name.startswith(".")]
    return {name: {**default, **_extended(document, name)} for name in names}


def _extended(document: Mapping[str, Any], name: str) -> Job:
    own = document[name]
    bases = own.get("extends", [])
    merged: Job = {}
    for base in [bases] if isinstance(bases, str) else bases:
        if base not in document:
            raise ValueError(f"{name}: extends '{base}', which is not there")
        merged = _merged(merged, _extended(document, base))
    return _merged(merged, {key: value for key, value in own.items() if key != "extends"})


def _merged(under: Job, over: Job) -> Job:
    """Mappings are merged, everything else is replaced."""
    both = {
        key: _merged(under[key], over[key])
        if isinstance(under[key], dict) and isinstance(over[key], dict)
        else over[key]
        for key in under.keys() & over.keys()
    }
    return {**under, **over, **both}


def faults(text: str, root: Path) -> list[str]:
    """A sentence for everything that would not do; scripts are looked for below `root`."""
    try:
        document = read(text)
        jobs = jobs_of(document)
    except ValueError as error:
        return [str(error)]
    found = [f"{name}: {fault}" for name, job in jobs.items() for fault in _job_faults(name, job, root)]
    found += [f"{name}: {fault}" for name, fault in _order_faults(jobs, document.get("stages", STAGES))]
    if memory_of(document) > YAML_OCTETS:
        found.append(f"takes {memory_of(document)} octets of memory")
    return found


def _job_faults(name: str, job: Job, root: Path) -> Iterator[str]:
    if len(name) > JOB_NAME or "$" in name:
        yield "is no name of a job"
    if "script" not in job and "trigger" not in job:
        yield "does nothing"
    for file in _files(job):
        if not (root / file).is_file():
            yield f"calls '{file}', which is not there"
    if len(json.dumps(job)) > DEFINITION_OCTETS:
        yield f"takes {len(json.dumps(job))} octets"
    script_m, job_m = _minutes(job.get("variables", {}).get("RUNNER_SCRIPT_TIMEOUT")), _minutes(job.get("timeout"))
    if script_m is not None and (job_m is None or job_m <= script_m):
        yield "its script may take all its time"


def _order_faults(jobs: Mapping[str, Job], declared: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Jobs of stages that there are not, and what takes from a job that does not come before it."""
    stages = {stage: number for number, stage in enumerate((".pre", *declared, ".post"))}
    numbers = {name: stages.get(job.get("stage", "test")) for name, job in jobs.items()}
    for name, job in jobs.items():
        number = numbers[name]
        if number is None:
            yield name, f"stage '{job.get('stage', 'test')}' is unknown"
            continue
        needs = [{"job": need} if isinstance(need, str) else need for need in job.get("needs", [])]
        if len(needs) > NEEDS:
            yield name, f"has {len(needs)} needs"
        for other in (*(need["job"] for need in needs if "pipeline" not in need), *job.get("dependencies", [])):
            earlier = numbers.get(other)
            if earlier is None or earlier >= number:
                yield name, f"takes from '{other}', which no earlier stage has"


def _files(job: Job) -> Iterator[str]:
    """The programs of ours that its scripts call."""
    lines = [line for key in ("before_script", "script", "after_script") for line in job.get(key, [])]
    for line in lines:
        words = shlex.split(line)
        if words and _FILES.fullmatch(words[0]):
            yield words[0]


def _minutes(text: str | None) -> int | None:
    match = _MINUTES.fullmatch(text or "")
    return int(match[1]) if match else None
