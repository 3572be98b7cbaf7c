"""One note a merge request, whatever the server does, against a small GitLab that speaks HTTP."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fwdlab.errors import LabError
from fwdlab.gitlab.merge_request import MergeRequest
from fwdlab.gitlab.notes import Ending, Patience, put_note
from fwdlab.gitlab.text import Part, note_text
from tests.unit.gitlab.server import NOTES, SOMEBODY, TOKEN, Fault, GitLab, served

HASTE = Patience(attempts=4, deadline_s=5.0, request_s=0.5, pause_s=0.01)
SUMMARY = "### fwdlab: 1 worse in 1 campaign\n\n| verdict |\n"


def request(gitlab: GitLab, pipeline: int = 100, part: Part | None = None) -> MergeRequest:
    return MergeRequest(
        server=gitlab.url,
        authorities="",
        project=42,
        number=5,
        pipeline=pipeline,
        part=part,
        commit="0123456789abcdef" * 2 + "01234567",
        token=TOKEN,
    )


def put(gitlab: GitLab, summary: str = SUMMARY, pipeline: int = 100) -> Ending:
    return put_note(request(gitlab, pipeline), summary, HASTE)


def refused(gitlab: GitLab, patience: Patience = HASTE) -> str:
    with pytest.raises(LabError) as caught:
        put_note(request(gitlab), SUMMARY, patience)
    assert TOKEN not in str(caught.value)
    return str(caught.value)


def body(pipeline: int = 100, summary: str = SUMMARY) -> str:
    return note_text(summary, commit=request(GitLab()).commit, pipeline=pipeline)


def test_the_first_pipeline_writes_and_later_ones_edit_in_place(gitlab: GitLab) -> None:
    assert put(gitlab) is Ending.WRITTEN
    assert gitlab.bodies() == [body()]
    assert put(gitlab, "### fwdlab: 1 better\n", 101) is Ending.EDITED
    assert gitlab.bodies() == [body(101, "### fwdlab: 1 better\n")]
    assert list(gitlab.notes) == [1]


def test_a_note_that_says_it_all_is_not_touched(gitlab: GitLab) -> None:
    gitlab.put(body().rstrip())  # a server may take the last line's end away
    assert put(gitlab) is Ending.UNCHANGED
    assert (gitlab.count("PUT"), gitlab.count("POST")) == (0, 0)


def test_a_slow_pipeline_does_not_write_over_a_later_one(gitlab: GitLab) -> None:
    gitlab.put(body(101))
    assert put(gitlab) is Ending.LATER
    assert gitlab.bodies() == [body(101)]


def test_its_note_is_found_among_many_pages_of_others(gitlab: GitLab) -> None:
    gitlab.page = 3
    for place in range(10):
        gitlab.put(f"note {place}", SOMEBODY)
    ours = gitlab.put(body(99))
    gitlab.put("after", SOMEBODY)
    assert put(gitlab) is Ending.EDITED
    assert gitlab.notes[ours]["body"] == body()


def test_pages_are_asked_of_the_server_we_know_whatever_it_calls_itself(gitlab: GitLab) -> None:
    gitlab.page, gitlab.named = 1, "http://gitlab.internal.example"
    gitlab.put("first", SOMEBODY)
    gitlab.put(body(99))
    assert put(gitlab) is Ending.EDITED


def test_what_others_quote_and_what_we_wrote_otherwise_stays(gitlab: GitLab) -> None:
    gitlab.put(body(), SOMEBODY)
    gitlab.put("a note of the same bot")
    gitlab.put(f"quoted:\n{body()}")
    before = dict(gitlab.notes)
    assert put(gitlab) is Ending.WRITTEN
    assert {number: gitlab.notes[number] for number in before} == before
    assert gitlab.bodies()[-1] == body()


def test_of_several_notes_the_first_is_kept(gitlab: GitLab) -> None:
    for pipeline in (97, 98, 99):
        gitlab.put(body(pipeline))
    assert put(gitlab) is Ending.EDITED
    assert (list(gitlab.notes), gitlab.bodies()) == ([1], [body()])


@pytest.mark.parametrize("status", [409, 429, 500, 502, 503, 520])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_passes_is_tried_again(gitlab: GitLab, status: int, method: str) -> None:
    gitlab.faults = [Fault(method=method, status=status)] * 2
    assert put(gitlab) is Ending.WRITTEN
    assert gitlab.bodies() == [body()]


def test_a_note_whose_answer_was_lost_is_not_written_twice(gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="POST", status=502, after=True)]
    assert put(gitlab) is Ending.UNCHANGED
    assert (gitlab.count("POST"), gitlab.bodies()) == (1, [body()])


def test_a_note_deleted_meanwhile_is_written_again(gitlab: GitLab) -> None:
    gitlab.put(body(99))
    gitlab.faults = [Fault(method="PUT", status=404, first=lambda server: server.notes.clear())]
    assert put(gitlab) is Ending.WRITTEN
    assert gitlab.bodies() == [body()]


def test_the_server_says_how_long_to_wait(gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="GET", status=429, headers={"Retry-After": "1"})]
    begun = time.monotonic()
    assert put(gitlab) is Ending.WRITTEN
    assert time.monotonic() - begun >= 1


@pytest.mark.parametrize("wait", ["3600", "9" * 400])
def test_a_wait_beyond_the_deadline_is_not_begun(gitlab: GitLab, wait: str) -> None:
    gitlab.faults = [Fault(method="GET", status=429, headers={"Retry-After": wait})]
    begun = time.monotonic()
    assert "the server answered 429 (Too Many Requests); try again later" in refused(gitlab)
    assert time.monotonic() - begun < 1
    assert len(gitlab.asked) == 1


@pytest.mark.parametrize("wait", ["soon", "-1", "", "\u0663", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_a_wait_that_is_no_number_of_seconds_is_ours_to_choose(gitlab: GitLab, wait: str) -> None:
    gitlab.faults = [Fault(method="GET", status=503, headers={"Retry-After": wait.encode().decode("latin-1")})]
    assert put(gitlab) is Ending.WRITTEN


def test_attempts_have_an_end(gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="GET", status=500)] * 9
    assert refused(gitlab) == (
        f"merge request 5 of project 42 at {gitlab.url}: no note could be written: "
        "the server answered 500 (Internal Server Error); try again later, or see its log"
    )
    assert len(gitlab.asked) == HASTE.attempts


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "the server answered 400 (Bad Request); "),
        (401, "the server answered 401 (Unauthorized); check that FWDLAB_GITLAB_TOKEN is a token of this project"),
        (403, "the server answered 403 (Forbidden); give the token of FWDLAB_GITLAB_TOKEN the scope 'api'"),
        (404, "the server answered 404 (Not Found); check that the token of FWDLAB_GITLAB_TOKEN"),
        (499, "the server answered 499; "),
    ],
)
@pytest.mark.parametrize("path", ["/user", NOTES])
def test_what_does_not_pass_is_told_at_once(gitlab: GitLab, status: int, said: str, path: str) -> None:
    gitlab.faults = [Fault(method="GET", path=path, status=status, body=f'{{"message": "{TOKEN} \\u001b[31m"}}')]
    assert said in refused(gitlab)
    assert gitlab.count("POST") == 0


def test_a_token_that_may_read_and_not_write_is_told(gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="POST", status=403)]
    assert "(Forbidden)" in refused(gitlab)
    assert gitlab.count("POST") == 1


def test_a_token_the_server_does_not_know_is_told(gitlab: GitLab) -> None:
    with pytest.raises(LabError, match=r"401 \(Unauthorized\)") as caught:
        put_note(replace(request(gitlab), token="glpat-other"), SUMMARY, HASTE)  # noqa: S106 - of no server
    assert "glpat" not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    ["<html>Sign in</html>", "{}", "null", "[1]", '["a"]', '[{"id": 1}]', '{"id": "7"}', '[{"id": 1, "body": null}]'],
)
@pytest.mark.parametrize("path", ["/user", NOTES])
def test_an_answer_that_is_no_gitlabs_is_told(gitlab: GitLab, answer: str, path: str) -> None:
    gitlab.put("a note", SOMEBODY)
    gitlab.faults = [Fault(method="GET", path=path, status=200, body=answer)]
    assert "what answers is no GitLab; check CI_API_V4_URL and the proxy" in refused(gitlab)
    assert gitlab.count("POST") == 0


def test_a_token_is_not_carried_elsewhere(gitlab: GitLab) -> None:
    with served(GitLab()) as other:
        gitlab.faults = [Fault(method="GET", status=302, headers={"Location": f"{other.url}/api/v4/user"})]
        assert "the token must not go; correct CI_API_V4_URL" in refused(gitlab)
        assert other.asked == []


def test_a_slow_answer_is_waited_for_and_one_too_slow_is_asked_again(gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="GET", status=200, delay_s=1.0, body="{}")]
    begun = time.monotonic()
    assert put(gitlab) is Ending.WRITTEN
    assert time.monotonic() - begun >= HASTE.request_s


def test_a_server_that_stays_slow_is_left(gitlab: GitLab) -> None:
    gitlab.faults = [Fault(method="GET", status=200, delay_s=1.0)] * 9
    assert "the server did not answer in time; check the network" in refused(gitlab, replace(HASTE, attempts=2))


def test_a_server_that_is_not_there_is_told() -> None:
    with served(GitLab()) as gone:
        pass
    assert "the server cannot be reached or hung up; check network and proxy" in refused(gone)


def test_certificates_that_are_not_there_are_told(gitlab: GitLab) -> None:
    asked = replace(request(gitlab), server=gitlab.url.replace("http:", "https:"), authorities="/nowhere/ca.pem")
    with pytest.raises(LabError, match="the file of CI_SERVER_TLS_CA_FILE cannot be read"):
        put_note(asked, SUMMARY, HASTE)


def test_jobs_that_write_at_once_leave_one_note(gitlab: GitLab) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda pipeline: put(gitlab, SUMMARY, pipeline), range(101, 109)))
    (left,) = gitlab.bodies()
    assert left in {body(pipeline) for pipeline in range(101, 109)}


FAULTS = st.lists(
    st.builds(
        Fault,
        method=st.sampled_from(["GET", "POST", "PUT", "DELETE"]),
        status=st.sampled_from([404, 409, 429, 500, 502]),
        after=st.booleans(),
    ),
    max_size=3,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(90, 99), max_size=3), FAULTS)
def test_however_an_attempt_is_cut_short_the_next_job_leaves_one_note(before: list[int], faults: list[Fault]) -> None:
    with served(GitLab()) as gitlab:
        for pipeline in before:
            gitlab.put(body(pipeline))
        gitlab.faults = list(faults)
        try:
            put(gitlab)
        except LabError:
            assert any(fault.status == 404 for fault in faults)
        gitlab.faults = []
        put(gitlab)
        assert gitlab.bodies() == [body()]
