"""The runner scripts as functions. A child never outlives us: it is tethered to us, and stopped when we are told to."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from fwdlab.case import case_text
from fwdlab.errors import LabError
from fwdlab.files import write_whole
from fwdlab.run.tasks import Outcome, Step, Task


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """Where the scripts lie and where they put what they measure."""

    scripts: Path
    workspace: Path  # the matrix's folder: rule files are named from there
    results: Path
    children: set[subprocess.Popen[str]] = field(default_factory=set)
    mutex: threading.Lock = field(default_factory=threading.Lock)

    def do(self, task: Task) -> Outcome:
        """Call the task's script and wait for it."""
        case_file = self.results / "cases" / f"{task.case.slug}.case"
        run = self.results / "runs" / task.case.folder
        if task.step is Step.PREPARE:
            write_whole(case_file, case_text(task.case))
        words = [str(task.repeat), str(task.order)] if task.step is Step.TRAFFIC else []
        script = self.scripts / f"{task.step}.sh"
        return self._call([str(script), str(case_file.resolve()), str(run.resolve()), *words])

    def _call(self, command: list[str]) -> Outcome:
        begin = time.monotonic()
        with self.mutex:
            child = self._start(command)
            self.children.add(child)
        _, said = child.communicate()
        with self.mutex:
            self.children.discard(child)
        lines = [line for line in said.splitlines() if line.strip()]
        message = lines[-1] if lines else f"{command[0]}: ended with status {child.returncode}"
        return Outcome(status=child.returncode, message=message, seconds=time.monotonic() - begin)

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        try:
            return subprocess.Popen(
                [*_tether(), *command],
                cwd=self.workspace,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                process_group=0,
            )
        except OSError as error:
            raise LabError(f"{command[0]}: cannot be run ({error.strerror}); mend the checkout") from error

    def stop(self) -> None:
        """End every child and its children now; what they were writing stays a partial folder."""
        with self.mutex:
            for child in self.children:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)


def _tether() -> list[str]:
    """What makes the kernel end a child when the thread that started it is gone; Linux only."""
    return ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
