"""What GitLab says of the pipeline that asks: in a child it says less, so it is read when a plan is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fwdlab.pipeline.decide import Source

_SOURCES = {
    "merge_request_event": Source.MERGE_REQUEST,
    "push": Source.PUSH,
    "schedule": Source.SCHEDULE,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """Who asked, what for, and with which rights."""

    source: Source
    against: str  # the commit a change is held against; empty where there is none
    trusted: bool  # the ref is protected, or this is no GitLab
    publishes: bool  # the default branch's pipelines publish the site


def surroundings_of(environment: Mapping[str, str]) -> Surroundings:
    """What GitLab's variables say; somebody by hand, outside of GitLab, where they say nothing.

    A GitLab that does not say whether the ref is protected is taken to say no.
    """
    said = environment.get("CI_PIPELINE_SOURCE", "")
    source = _SOURCES.get(said, Source.HAND)
    commits = {Source.MERGE_REQUEST: "CI_MERGE_REQUEST_DIFF_BASE_SHA", Source.PUSH: "CI_COMMIT_BEFORE_SHA"}
    branch = environment.get("CI_COMMIT_BRANCH", "")
    return Surroundings(
        source=source,
        against=environment.get(commits.get(source, ""), ""),
        trusted=environment.get("CI_COMMIT_REF_PROTECTED", "" if said else "true") == "true",
        publishes=branch != "" and branch == environment.get("CI_DEFAULT_BRANCH"),
    )
