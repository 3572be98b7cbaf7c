"""git as a function: in the language of its messages, without locks, whatever repository a caller's variables name."""

from __future__ import annotations

import os
import subprocess

from fwdlab.bisect.model import safe
from fwdlab.errors import LabError

_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")

Done = subprocess.CompletedProcess[bytes]


def run_git(*words: str, given: bytes = b"", **variables: str) -> Done:
    """What git did with these words, that input, and these variables in its environment."""
    own = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    settings = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", **variables}
    try:
        return subprocess.run(["git", *words], input=given, env={**own, **settings}, capture_output=True, check=False)
    except OSError as error:
        raise LabError(f"git: cannot be run ({error.strerror}); install the package 'git'") from error


def said(done: Done) -> str:
    """What git printed, without the last line's end."""
    return done.stdout.decode(errors="replace").rstrip("\n")


def complaint(done: Done) -> str:
    """The first thing git had to say against it."""
    lines = [line.strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    return safe(lines[0]).removeprefix("fatal: ") if lines else f"status {done.returncode}"
