"""Which merge request a job belongs to, out of GitLab's variables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import FwdlabError, LabError, MatrixError
from fwdlab.gitlab.merge_request import MergeRequest, merge_request_of, why_none
from fwdlab.gitlab.text import Part

COMMIT = "0123456789abcdef0123456789abcdef01234567"
JOB = {
    "CI_API_V4_URL": "https://gitlab.example/api/v4",
    "CI_PROJECT_ID": "42",
    "CI_MERGE_REQUEST_IID": "5",
    "CI_PIPELINE_ID": "100",
    "CI_COMMIT_SHA": COMMIT,
    "FWDLAB_GITLAB_TOKEN": "glpat-Verysecret",
}


def test_the_variables_of_a_job_say_all() -> None:
    assert why_none(JOB) == ""
    assert merge_request_of(JOB) == MergeRequest(
        server="https://gitlab.example",
        authorities="",
        project=42,
        number=5,
        pipeline=100,
        part=None,
        commit=COMMIT,
        token="glpat-Verysecret",  # noqa: S106 - of no server
    )


def test_the_children_of_a_pipeline_write_one_note_each_a_part_of_it() -> None:
    child = merge_request_of({**JOB, "PARENT_PIPELINE_ID": "99", "FWDLAB_PART": "2 of 3: rack.1"})
    assert (child.pipeline, child.part) == (99, Part(number=2, of=3, machine="rack.1"))


@pytest.mark.parametrize(
    "said", ["rack", "0 of 1: rack", "4 of 3: rack", "1 of 1: `id`", "1 of 1: a\n/close", "1 of 1: "]
)
def test_a_part_that_is_none_is_told(said: str) -> None:
    with pytest.raises(MatrixError, match=r"^FWDLAB_PART: is .*; leave it as 'fwdlab pipeline' sets it"):
        merge_request_of({**JOB, "FWDLAB_PART": said})


def test_a_forks_merge_request_lies_in_the_project_it_is_meant_for() -> None:
    assert merge_request_of({**JOB, "CI_MERGE_REQUEST_PROJECT_ID": "41"}).project == 41


def test_of_a_merged_result_the_note_names_the_branchs_own_commit() -> None:
    assert merge_request_of({**JOB, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": "f" * 40}).commit == "f" * 40


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://gitlab.internal:8080/api/v4", "http://gitlab.internal:8080"),
        ("https://host.example/gitlab/api/v4", "https://host.example/gitlab"),
        ("https://[::1]/api/v4", "https://[::1]"),
    ],
)
def test_a_server_may_have_a_port_or_a_folder(url: str, server: str) -> None:
    assert merge_request_of({**JOB, "CI_API_V4_URL": url}).server == server


@pytest.mark.parametrize("value", [None, ""])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("CI_MERGE_REQUEST_IID", "no pipeline of a merge request"),
        ("FWDLAB_GITLAB_TOKEN", "give the project an access token"),
    ],
)
def test_without_merge_request_or_token_it_says_why_there_is_no_note(name: str, reason: str, value: str | None) -> None:
    rest = {key: said for key, said in JOB.items() if key != name}
    sentence = why_none(rest if value is None else {**rest, name: value})
    assert sentence.startswith(f"{name} is not set: ")
    assert reason in sentence


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CI_API_V4_URL", ""),
        ("CI_API_V4_URL", "gitlab.example/api/v4"),
        ("CI_API_V4_URL", "https://gitlab.example"),
        ("CI_API_V4_URL", "https://gitlab.example/api/v3"),
        ("CI_API_V4_URL", "https://user:secret@gitlab.example/api/v4"),
        ("CI_API_V4_URL", "file:///api/v4"),
        ("CI_API_V4_URL", "https://gitlab.example/api/v4\nX: y"),
        ("CI_PROJECT_ID", ""),
        ("CI_PROJECT_ID", "group/project"),
        ("CI_PROJECT_ID", "0"),
        ("CI_MERGE_REQUEST_IID", "5/../6"),
        ("CI_MERGE_REQUEST_IID", "\u0665"),
        ("CI_MERGE_REQUEST_IID", "$CI_MERGE_REQUEST_IID"),
        ("CI_PIPELINE_ID", "-1"),
        ("CI_PIPELINE_ID", "9" * 19),
    ],
)
def test_a_variable_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(MatrixError, match=f"^{name}: is .*; leave it as GitLab sets it, ") as caught:
        merge_request_of({**JOB, name: value})
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("token", ["glpat-a b", "glpat-\nX-Sudo: root", "glpat-é", " \n"])
def test_what_no_token_holds_is_refused_and_not_said(token: str) -> None:
    with pytest.raises(LabError) as caught:
        merge_request_of({**JOB, "FWDLAB_GITLAB_TOKEN": token})
    assert "glpat" not in str(caught.value)


def test_the_token_is_in_no_text_of_the_value() -> None:
    assert "glpat" not in repr(merge_request_of(JOB))


@pytest.mark.parametrize("commit", ["", "main", "0123", COMMIT.upper(), "@all", f"{COMMIT}\n/close"])
def test_what_is_no_commit_is_left_out(commit: str) -> None:
    assert merge_request_of({**JOB, "CI_COMMIT_SHA": commit}).commit == ""


@given(st.dictionaries(st.sampled_from(sorted(JOB)), st.text(max_size=12)))
def test_whatever_the_variables_say_it_is_a_merge_request_or_a_sentence(changed: dict[str, str]) -> None:
    try:
        found: object = merge_request_of({**JOB, **changed})
    except FwdlabError as error:
        found = error
    assert str(found).isprintable()
