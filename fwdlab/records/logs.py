"""What the logs that a generator left beside a trial's result say against the trial."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fwdlab.errors import RecordError
from fwdlab.generators.faults import troubles_of
from fwdlab.generators.log import End, Log
from fwdlab.generators.pkt_gen import read_log

_LOGS = (("sender.log", End.SENDER), ("receiver.log", End.RECEIVER))


def faults_of_logs(folder: Path) -> tuple[str, ...] | None:
    """Why the trial is invalid by its generator's logs; None where no log is of a generator whose words are known."""
    logs = [replace(log, end=end) for name, end in _LOGS if (log := _known_log(folder / name))]
    return tuple(fault for log in logs for fault in troubles_of(log)) if logs else None


def _known_log(path: Path) -> Log | None:
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        try:
            log = read_log(stream, str(path))
        except RecordError:
            return None
    return log if log.lines else None
