"""Notes on a GitLab server: found, written, edited in place. The one part of fwdlab that calls an API.

An attempt begins with what is there and ends with one note of ours, so that any may be cut short and made again. Two
jobs that write at once both keep the note that came first and delete the other. A job that writes a part reads the
note again afterwards: where another wrote over it at the same time, it begins anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any

import requests
from gitlab import Gitlab
from gitlab.exceptions import GitlabError

from fwdlab.errors import LabError
from fwdlab.gitlab.failure import OddAnswerError, OverwrittenError, passes, sentence
from fwdlab.gitlab.merge_request import MergeRequest
from fwdlab.gitlab.text import note_text, part_text, parts_of, pipeline_of, whole_text

# python-gitlab would wait as long as a server asks, up to ten times; how long is decided here.
_ONCE: dict[str, Any] = {"max_retries": 0, "obey_rate_limit": False, "retry_transient_errors": False}


class Ending(StrEnum):
    """What became of the note."""

    WRITTEN = "written"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    LATER = "left alone: a later pipeline has written it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long a server that is busy or away is waited for."""

    attempts: int
    deadline_s: float  # no attempt begins later than this
    request_s: float  # for a connection, and for each part of an answer
    pause_s: float  # before the second attempt; twice as long before each later one, or what the server asks for


USUAL = Patience(attempts=6, deadline_s=60.0, request_s=15.0, pause_s=1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A note of ours as it is on the server."""

    number: int
    body: str
    pipeline: int


def put_note(request: MergeRequest, summary: str, patience: Patience = USUAL) -> Ending:
    """What became of the merge request's one note; LabError where the server cannot be reached or will not have it."""
    begun = time.monotonic()
    with requests.Session() as session:
        session.max_redirects = 0  # the token is for this server and for no other
        asked = _remember_waits(session)
        server = _server(request, session, patience)
        attempt = 0
        while True:
            try:
                return _attempt(server, request, summary)
            except (GitlabError, OSError, OddAnswerError, OverwrittenError) as error:
                attempt += 1
                pause = max(asked.pop() if asked else 0.0, patience.pause_s * 2 ** (attempt - 1))
                late = time.monotonic() - begun + pause > patience.deadline_s
                if late or attempt == patience.attempts or not passes(error):
                    raise LabError(sentence(request, error)) from None
                time.sleep(pause)


def _server(request: MergeRequest, session: requests.Session, patience: Patience) -> Gitlab:
    return Gitlab(
        request.server,
        private_token=request.token,
        ssl_verify=request.authorities or True,
        timeout=patience.request_s,
        keep_base_url=True,
        session=session,
        user_agent="fwdlab",
    )


def _remember_waits(session: requests.Session) -> list[float]:
    """Where each answer leaves the seconds that it asks to wait; python-gitlab's errors do not carry them."""
    asked: list[float] = []

    def remember(answer: requests.Response, **_: object) -> None:
        wait = answer.headers.get("Retry-After", "")
        asked[:] = [float(wait)] if wait.isascii() and wait.isdigit() else []

    session.hooks["response"].append(remember)
    return asked


def _attempt(server: Gitlab, request: MergeRequest, summary: str) -> Ending:
    notes = server.projects.get(request.project, lazy=True).mergerequests.get(request.number, lazy=True).notes
    author = _author(server)
    found = list(_ours(notes, author))
    written = None
    if not found:
        written = _found(notes.create({"body": _body(request, summary, ())}, **_ONCE).attributes, author)
        if written is None:
            raise OddAnswerError
        found = list(_ours(notes, author)) or [written]  # another job may have written one too
    first, *rest = sorted(found, key=lambda note: note.number)
    body = _body(request, summary, [first, *rest])
    for note in rest:
        _delete(notes, note.number)
    ending = Ending.WRITTEN if first == written else _edited(notes, first, request.pipeline, body)
    if request.part and ending in {Ending.WRITTEN, Ending.EDITED}:
        _look_again(list(_ours(notes, author)), request, body)
    return ending


def _body(request: MergeRequest, summary: str, found: Sequence[_Found]) -> str:
    """What the note is to say: all of it, or our part beside what others of this pipeline have said."""
    if request.part is None:
        return note_text(summary, commit=request.commit, pipeline=request.pipeline)
    parts: dict[int, str] = {}
    for note in reversed(found):
        parts |= parts_of(note.body) if note.pipeline == request.pipeline else {}
    parts[request.part.number] = part_text(summary, request.part)
    return whole_text(parts, request.part.of, commit=request.commit, pipeline=request.pipeline)


def _look_again(found: Sequence[_Found], request: MergeRequest, body: str) -> None:
    """Whether our part stands; another job that read the note before we wrote may have written it without."""
    ours, part = parts_of(body), request.part
    standing = [parts_of(note.body) for note in found if note.pipeline == request.pipeline]
    later = any(note.pipeline > request.pipeline for note in found)
    if part and not later and not any(there.get(part.number) == ours[part.number] for there in standing):
        raise OverwrittenError


def _edited(notes: Any, note: _Found, pipeline: int, body: str) -> Ending:
    if note.pipeline > pipeline:
        return Ending.LATER
    if note.body.rstrip() == body.rstrip():
        return Ending.UNCHANGED
    notes.update(note.number, {"body": body}, **_ONCE)
    return Ending.EDITED


def _delete(notes: Any, number: int) -> None:
    """Take a note away that stands beside the one we keep; another job may have done so."""
    try:
        notes.delete(number, **_ONCE)
    except GitlabError as error:
        if error.response_code != HTTPStatus.NOT_FOUND:
            raise


def _author(server: Gitlab) -> int:
    """The user whose token it is; a project's token has a user of its own."""
    match server.http_get("/user", **_ONCE):
        case {"id": int(number)}:
            return number
    raise OddAnswerError


def _ours(notes: Any, author: int) -> Iterator[_Found]:
    """Every note that bears our mark and that our own user wrote: a quotation is nobody's to edit."""
    try:
        for note in notes.list(iterator=True, per_page=100, order_by="created_at", sort="asc", **_ONCE):
            if found := _found(note.attributes, author):
                yield found
    except (KeyError, TypeError, ValueError) as error:  # python-gitlab takes the answer apart unasked
        raise OddAnswerError from error


def _found(note: object, author: int) -> _Found | None:
    match note:
        case {"id": int(number), "body": str(body), "author": {"id": int(writer)}}:
            pipeline = pipeline_of(body)
            return None if writer != author or pipeline is None else _Found(number=number, body=body, pipeline=pipeline)
    raise OddAnswerError
