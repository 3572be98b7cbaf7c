"""What the logs that a generator left beside a trial's result say against the trial."""

from __future__ import annotations

from pathlib import Path

from fwdlab.generators.faults import troubles_of
from fwdlab.generators.log import End
from fwdlab.generators.pkt_gen import kept_log

_LOGS = (("sender.log", End.SENDER), ("receiver.log", End.RECEIVER))


def faults_of_logs(folder: Path) -> tuple[str, ...] | None:
    """Why the trial is invalid by its generator's logs; None where no log is of a generator whose words are known."""
    logs = [log for name, end in _LOGS if (log := kept_log(folder / name, end, unknown=None)) and log.lines]
    return tuple(fault for log in logs for fault in troubles_of(log)) if logs else None
