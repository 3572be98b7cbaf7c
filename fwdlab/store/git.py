"""Git as a store calls it: objects and refs only. No index, no work tree and no hook has a part in it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from fwdlab.errors import LabError, MatrixError

_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE")
_NAME, _ADDRESS = "fwdlab", "fwdlab@localhost"
_SETTINGS = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    **{f"GIT_{role}_NAME": _NAME for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": _ADDRESS for role in ("AUTHOR", "COMMITTER")},
}
_CONFIG = ("-c", "core.fsync=committed,loose-object,reference", "-c", "gc.auto=0")
SIGNATURE = f"{_NAME} <{_ADDRESS}>"


def without_secrets(text: str) -> str:
    """The text without what addresses in it say before the host: names, passwords, tokens."""
    return re.sub(r"(\w://)[^/@\s']*@", r"\1", text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What a call came to."""

    status: int
    out: str
    said: str  # the line on standard error that says most


@dataclass(frozen=True, kw_only=True, slots=True)
class Git:
    """The repository that a folder lies in."""

    folder: Path

    def call(self, *words: str, fed: bytes | Iterable[bytes] = b"", until: float | None = None) -> Done:
        """Run git to its end, or to that moment of the monotonic clock: LabError then.

        What it is fed in parts it must read whole before it answers at length, as fast-import does.
        """
        process = self._started(words, subprocess.PIPE)
        limit = None if until is None else max(0.1, until - time.monotonic())
        try:
            if not isinstance(fed, bytes):
                _feed(process, fed)
            out, err = process.communicate(fed if isinstance(fed, bytes) else None, timeout=limit)
        except subprocess.TimeoutExpired as error:
            raise LabError(
                f"git {words[0]}: gave no answer within {limit:.1f} s; look at network and remote"
            ) from error
        finally:
            _end(process)
        return Done(status=process.returncode, out=out.decode(errors="surrogateescape"), said=_telling_line(err))

    def said(self, *words: str, fed: bytes | Iterable[bytes] = b"") -> str:
        """What git answers to a question about this repository; LabError where it fails."""
        done = self.call(*words, fed=fed)
        if done.status:
            raise LabError(f"git {words[0]}: {done.said or f'ended with status {done.status}'}; look at the repository")
        return done.out

    def objects(self, names: Iterable[str]) -> Iterator[bytes | None]:
        """The bytes of each file named; None where there is none."""
        process = self._started(("cat-file", "--batch"), subprocess.DEVNULL)
        try:
            for name in names:
                yield _object(process, name)
        finally:
            _end(process)

    def common_folder(self) -> Path:
        """The repository's own folder, which all its work trees share; MatrixError where there is no repository."""
        done = self.call("rev-parse", "--path-format=absolute", "--git-common-dir")
        if done.status:
            raise MatrixError(f"{self.folder}: {done.said}; call it in a git repository, or name a folder as the store")
        return Path(done.out.removesuffix("\n"))

    def _started(self, words: tuple[str, ...], errors: int) -> subprocess.Popen[bytes]:
        own = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
        try:
            return subprocess.Popen(
                ["git", "-C", str(self.folder), *_CONFIG, *words],
                env={**own, **_SETTINGS},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # killed along with its caller it would leave locks behind
            )
        except OSError as error:
            raise LabError(f"git: cannot be run ({error.strerror}); install the package 'git'") from error


def _feed(process: subprocess.Popen[bytes], fed: Iterable[bytes]) -> None:
    """Hand over everything; git that ends before it has read all says why itself."""
    stdin = _pipe(process.stdin)
    for chunk in fed:
        with suppress(BrokenPipeError):
            stdin.write(chunk)


def _object(process: subprocess.Popen[bytes], name: str) -> bytes | None:
    asked, answers = _pipe(process.stdin), _pipe(process.stdout)
    asked.write(f"{name}\n".encode())
    asked.flush()
    head = answers.readline().split()
    if len(head) != 3:  # the name and 'missing'
        return None
    content = answers.read(int(head[2]) + 1)[:-1]
    return content if head[1] == b"blob" else None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """The stream, which is there: every call of git asks for it."""
    return cast("IO[bytes]", stream)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a call behind."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(BrokenPipeError):
                stream.close()
    process.wait()


def _telling_line(err: bytes) -> str:
    """What the remote said, else what was refused, else what went wrong first, else the last line."""
    text = without_secrets(err.decode(errors="replace"))
    lines = ["".join(char for char in line if char.isprintable()).strip() for line in text.splitlines()]
    said = [line for line in lines if line]
    remote = [line for line in said if re.match(r"remote: .*\w", line)]
    refused = [line for line in said if line.startswith("! ")]
    wrong = [line for line in said if line.startswith(("fatal: ", "error: "))]
    return next(iter((*remote, *refused, *wrong, *said[-1:])), "")[:400]
