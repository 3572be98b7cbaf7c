"""A small GitLab on loopback: the user of a token, and the notes of one merge request, with faults on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "glpat-Verysecret0123456789"  # noqa: S105 - of no server
BOT, SOMEBODY = 7, 8
NOTES = "/api/v4/projects/42/merge_requests/5/notes"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What the next request with this method and the end of this path gets instead of its answer."""

    method: str
    status: int
    path: str = ""  # the end of it; empty for any
    headers: dict[str, str] = field(default_factory=dict)
    body: str = '{"message": "no"}'
    after: bool = False  # the request is carried out first: the answer alone is lost
    delay_s: float = 0.0
    first: Callable[[GitLab], None] = lambda _: None  # what happens on the server just before


@dataclass(kw_only=True)
class GitLab:
    """The server's state, and all that was asked of it."""

    page: int = 100  # most notes of a page
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""
    named: str = ""  # the address the server believes to have, for its links

    def put(self, body: str, author: int = BOT) -> int:
        """A note is written; its number."""
        number = max(self.notes, default=0) + 1
        self.notes[number] = {"id": number, "body": body, "author": {"id": author}, "system": False}
        return number

    def bodies(self, author: int = BOT) -> list[str]:
        """What an author's notes say, the oldest first."""
        return [note["body"] for _, note in sorted(self.notes.items()) if note["author"]["id"] == author]

    def count(self, method: str) -> int:
        """How often a method was asked for."""
        return sum(1 for asked, _ in self.asked if asked == method)

    def fault_for(self, method: str, path: str) -> Fault | None:
        """The first fault that waits for such a request, which then waits no longer."""
        for fault in self.faults:
            if fault.method == method and path.endswith(fault.path):
                self.faults.remove(fault)
                fault.first(self)
                return fault
        return None


class _Handler(BaseHTTPRequestHandler):
    gitlab: GitLab
    lock: threading.Lock

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self, status: int, body: str, headers: dict[str, str]) -> None:
        try:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client had no more patience

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.lock:
            self.gitlab.asked.append((self.command, parts.path))
            fault = self.gitlab.fault_for(self.command, parts.path)
            if fault is None or fault.after:
                answer = self._carry_out(parts.path, parse_qs(parts.query), json.loads(sent or b"{}"))
        if fault is not None:
            time.sleep(fault.delay_s)
            answer = (fault.status, fault.body, fault.headers)
        self._answer(*answer)

    do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - the names the library looks for

    def _carry_out(self, path: str, query: dict[str, list[str]], sent: Any) -> tuple[int, str, dict[str, str]]:
        if self.headers.get("PRIVATE-TOKEN") != TOKEN:
            return 401, '{"message": "401 Unauthorized"}', {}
        if (self.command, path) == ("GET", "/api/v4/user"):
            return 200, json.dumps({"id": BOT, "username": "project_42_bot"}), {}
        if path == NOTES:
            return self._list(query) if self.command == "GET" else self._create(sent)
        number = path.removeprefix(f"{NOTES}/")
        if not number.isdigit() or int(number) not in self.gitlab.notes:
            return 404, '{"message": "404 Not found"}', {}
        return self._change(int(number), sent)

    def _list(self, query: dict[str, list[str]]) -> tuple[int, str, dict[str, str]]:
        page, size = int(query.get("page", ["1"])[0]), min(self.gitlab.page, int(query["per_page"][0]))
        every = [note for _, note in sorted(self.gitlab.notes.items())]
        link = f'<{self.gitlab.named or self.gitlab.url}{NOTES}?page={page + 1}&per_page={size}>; rel="next"'
        headers = {"Link": link} if page * size < len(every) else {}
        return 200, json.dumps(every[(page - 1) * size : page * size]), headers

    def _create(self, sent: Any) -> tuple[int, str, dict[str, str]]:
        return 201, json.dumps(self.gitlab.notes[self.gitlab.put(sent["body"])]), {}

    def _change(self, number: int, sent: Any) -> tuple[int, str, dict[str, str]]:
        if self.command == "DELETE":
            del self.gitlab.notes[number]
            return 204, "", {}
        self.gitlab.notes[number]["body"] = sent["body"]
        return 200, json.dumps(self.gitlab.notes[number]), {}


@contextmanager
def served(gitlab: GitLab) -> Iterator[GitLab]:
    """The server at work, on a free port of loopback."""
    handler = type("Handler", (_Handler,), {"gitlab": gitlab, "lock": threading.Lock()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        gitlab.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield gitlab
        finally:
            server.shutdown()
            thread.join()
