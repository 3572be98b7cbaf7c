"""What GitLab's variables say of a pipeline."""

from __future__ import annotations

import pytest

from fwdlab.pipeline.decide import Source
from fwdlab.pipeline.surroundings import Surroundings, surroundings_of


def test_outside_of_gitlab_somebody_asks_by_hand() -> None:
    assert surroundings_of({}) == Surroundings(source=Source.HAND, against="", trusted=True, publishes=False)


@pytest.mark.parametrize(
    ("said", "source", "against"),
    [
        ("merge_request_event", Source.MERGE_REQUEST, "a1"),
        ("push", Source.PUSH, "b2"),
        ("schedule", Source.SCHEDULE, ""),
        ("web", Source.HAND, ""),
        ("api", Source.HAND, ""),
    ],
)
def test_each_source_has_its_commit_to_be_held_against(said: str, source: Source, against: str) -> None:
    variables = {
        "CI_PIPELINE_SOURCE": said,
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": "a1",
        "CI_COMMIT_BEFORE_SHA": "b2",
    }
    found = surroundings_of(variables)
    assert (found.source, found.against) == (source, against)


def test_the_default_branch_publishes_and_a_merge_request_does_not() -> None:
    branch = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}
    assert surroundings_of(branch).publishes
    assert not surroundings_of({**branch, "CI_COMMIT_BRANCH": "topic"}).publishes
    assert not surroundings_of({"CI_DEFAULT_BRANCH": "main"}).publishes, "a merge request has no branch"


def test_a_ref_is_trusted_that_gitlab_protects() -> None:
    assert surroundings_of({"CI_COMMIT_REF_PROTECTED": "true"}).trusted
    assert not surroundings_of({"CI_COMMIT_REF_PROTECTED": "false"}).trusted


@pytest.mark.parametrize("said", [{}, {"CI_COMMIT_REF_PROTECTED": ""}, {"CI_COMMIT_REF_PROTECTED": "yes"}])
def test_a_gitlab_that_says_nothing_of_protection_is_not_trusted(said: dict[str, str]) -> None:
    assert not surroundings_of({"CI_PIPELINE_SOURCE": "web", **said}).trusted
