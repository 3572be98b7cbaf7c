"""One run in a folder of results at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fwdlab.errors import LabError


@contextmanager
def locked(results: Path) -> Iterator[None]:
    """Hold the folder; LabError where another run holds it. The lock ends with the process, however it ends."""
    path = results / "lock"
    try:
        results.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+")
    except OSError as error:
        raise LabError(f"{path}: cannot be written ({error.strerror}); choose another folder with --results") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            stream.seek(0)
            holder = stream.read().strip() or "unknown"
            raise LabError(
                f"{results}: another run (process {holder}) is at work there; wait for it, or choose --results"
            ) from error
        stream.truncate(0)
        stream.write(str(os.getpid()))
        stream.flush()
        yield
