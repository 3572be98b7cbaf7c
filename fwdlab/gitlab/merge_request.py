"""Which merge request a job belongs to and by what right it may write there, out of the variables GitLab gives it.

In a child of a merge request's pipeline GitLab sets CI_MERGE_REQUEST_IID and its like by itself: the parent passes
nothing on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fwdlab.errors import LabError, MatrixError
from fwdlab.gitlab.text import Part, part_of

TOKEN = "FWDLAB_GITLAB_TOKEN"  # noqa: S105 - the variable's name, not a token
_PART = "FWDLAB_PART"
_NUMBER = "CI_MERGE_REQUEST_IID"
_ADDRESS = re.compile(r"(?P<server>https?://[^\s/?#@]+(?:/[^\s?#]*)?)/api/v4/?")
_COUNTED = re.compile(r"[1-9][0-9]{0,17}")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True, slots=True)
class MergeRequest:
    """A merge request on a server, as one pipeline of it sees it."""

    server: str  # such as https://gitlab.example
    authorities: str  # file of the certificates that vouch for the server; empty for the usual ones
    project: int
    number: int  # as people write it, after the exclamation mark
    pipeline: int  # rises from pipeline to pipeline; the children of one have their parent's
    part: Part | None  # of the note, where other machines write theirs; None for all of it
    commit: str  # what was measured, in hexadecimal; empty where nobody said
    token: str = field(repr=False)


def why_none(variables: Mapping[str, str]) -> str:
    """Why there is no note to write, as a sentence; empty where there is one."""
    if not variables.get(_NUMBER):
        return f"{_NUMBER} is not set: no pipeline of a merge request, so no note is written"
    if not variables.get(TOKEN):
        return f"{TOKEN} is not set: no note is written; give the project an access token and this variable its value"
    return ""


def merge_request_of(variables: Mapping[str, str]) -> MergeRequest:
    """The merge request that the variables name; MatrixError or LabError that says which of them cannot be."""
    token = variables.get(TOKEN, "").strip()
    if not re.fullmatch("[!-~]+", token):
        raise LabError(f"{TOKEN}: holds characters that no token has; copy the token into the variable again")
    found = _ADDRESS.fullmatch(variables.get("CI_API_V4_URL", ""))
    if found is None:
        raise MatrixError(_wrong("CI_API_V4_URL", variables, "an address such as 'https://gitlab.example/api/v4'"))
    # A fork's pipeline runs in the fork, and its merge request lies in the project it is meant for.
    project = "CI_MERGE_REQUEST_PROJECT_ID" if variables.get("CI_MERGE_REQUEST_PROJECT_ID") else "CI_PROJECT_ID"
    pipeline = "PARENT_PIPELINE_ID" if variables.get("PARENT_PIPELINE_ID") else "CI_PIPELINE_ID"
    commit = variables.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or variables.get("CI_COMMIT_SHA", "")
    return MergeRequest(
        server=found["server"],
        authorities=variables.get("CI_SERVER_TLS_CA_FILE", ""),
        project=_number(project, variables),
        number=_number(_NUMBER, variables),
        pipeline=_number(pipeline, variables),
        part=_part(variables),
        commit=commit if _COMMIT.fullmatch(commit) else "",
        token=token,
    )


def _part(variables: Mapping[str, str]) -> Part | None:
    if not variables.get(_PART):
        return None
    if (part := part_of(variables[_PART])) is None or part.number > part.of:
        raise MatrixError(f"{_PART}: is {variables[_PART]!a:.80}; leave it as 'fwdlab pipeline' sets it")
    return part


def _number(name: str, variables: Mapping[str, str]) -> int:
    if not _COUNTED.fullmatch(variables.get(name, "")):
        raise MatrixError(_wrong(name, variables, "a whole number from 1"))
    return int(variables[name])


def _wrong(name: str, variables: Mapping[str, str], wanted: str) -> str:
    said = f"is {variables[name]!a:.80}" if variables.get(name) else "is not set"
    return f"{name}: {said}; leave it as GitLab sets it, {wanted}"
