"""What a GitLab server may do instead of answering: whether another attempt is worth it, and what to say of it."""

from __future__ import annotations

from http import HTTPStatus

import requests
from gitlab.exceptions import GitlabError, GitlabUpdateError

from fwdlab.gitlab.merge_request import TOKEN, MergeRequest


class OverwrittenError(Exception):
    """Another job wrote over what we wrote."""


_PASSING = {HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS}
_LATER = "try again later, or see its log"
_CALLED_FOR = {
    401: f"check that {TOKEN} is a token of this project and has not expired",
    403: f"give the token of {TOKEN} the scope 'api' and a role that may comment, Reporter or higher",
    404: f"check that the token of {TOKEN} is of the project that the merge request is in",
    429: "try again later, or raise its rate limit for notes",
}
_REASONS: tuple[tuple[type[Exception], str], ...] = (  # the first that fits; a kind before what it is a kind of
    (requests.TooManyRedirects, "the server sends elsewhere, where the token must not go; correct CI_API_V4_URL"),
    (
        requests.exceptions.SSLError,
        "its certificate is not trusted; name its authority's file in CI_SERVER_TLS_CA_FILE",
    ),
    (requests.Timeout, "the server did not answer in time; check the network, or try again later"),
    (requests.ConnectionError, "the server cannot be reached or hung up; check network and proxy"),
    (requests.exceptions.ChunkedEncodingError, "the server hung up; check network and proxy"),
    (requests.RequestException, "that is no server to talk to; check CI_API_V4_URL and the proxy"),
    (OSError, "the file of CI_SERVER_TLS_CA_FILE cannot be read; check that it is there"),
    (OverwrittenError, "other jobs write the note over and over; run the job again"),
    (Exception, "what answers is no GitLab; check CI_API_V4_URL and the proxy"),
)


class OddAnswerError(Exception):
    """The server's answer has not the shape of GitLab's."""


def passes(error: Exception) -> bool:
    """Whether a later attempt may go better."""
    if isinstance(error, GitlabError):
        code = error.response_code or 0
        gone = isinstance(error, GitlabUpdateError) and code == HTTPStatus.NOT_FOUND  # deleted since it was found
        return gone or code in _PASSING or code >= HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, OverwrittenError):
        return True
    passing = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)
    return isinstance(error, passing) and not isinstance(error, requests.exceptions.SSLError)


def sentence(request: MergeRequest, error: Exception) -> str:
    """What the server did and what to do; of its answer only the status, since every word of it is foreign."""
    place = f"merge request {request.number} of project {request.project} at {request.server}"
    return f"{place}: no note could be written: {_reason(error)}"


def _reason(error: Exception) -> str:
    if isinstance(error, GitlabError) and error.response_code:
        code = error.response_code
        known = code in {status.value for status in HTTPStatus}
        said = f"{code} ({HTTPStatus(code).phrase})" if known else f"{code}"
        return f"the server answered {said}; {_CALLED_FOR.get(code, _LATER)}"
    return next(reason for kind, reason in _REASONS if isinstance(error, kind))
