"""The runner scripts as functions. A child never outlives us: it is tethered to us, and stopped when we are told to."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from fwdlab.case import Case, case_text
from fwdlab.errors import FwdlabError, LabError, MatrixError
from fwdlab.files import write_whole
from fwdlab.run.tasks import Outcome, Step, Task

_SIGNALLED = 128  # what a shell adds to the signal that ended a command
_TETHER = '[ "$PPID" = "$0" ] || exit; trap "kill -KILL 0" TERM; "$@" & wait "$!"'


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """Where the scripts lie and where they put what they measure."""

    scripts: Path
    workspace: Path  # the matrix's folder: rule files are named from there
    results: Path
    children: set[subprocess.Popen[str]] = field(default_factory=set)
    mutex: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)

    def do(self, task: Task) -> Outcome:
        """Call the task's script and wait for it; what keeps it from being called is an outcome as well."""
        run = self.results / "runs" / task.case.folder
        try:
            outcome, _ = self._call(self._command(task, run))
        except FwdlabError as error:
            return Outcome(status=error.exit_code, message=str(error), seconds=0.0)
        if self.stopped.is_set():
            shutil.rmtree(run / f"{task.folder}.partial", ignore_errors=True)
        return replace(outcome, message=outcome.message.removeprefix(f"{task.case.slug}: "))  # who tells it names it

    def kernel_of(self, case: Case) -> tuple[Path, str]:
        """The folder of the case's kernel, which is built where it is not there, and what was said of it.

        It holds `image`, `vmlinux` with its symbols, `config` and `build.log`. MatrixError or LabError with why not.
        """
        case_file = self._case_file(case)
        write_whole(case_file, case_text(case))
        outcome, said = self._call([str(path.resolve()) for path in (self.scripts / "build.sh", case_file)])
        if outcome.status:
            family = MatrixError if outcome.status == MatrixError.exit_code else LabError
            raise family(f"{case.slug}: {outcome.message}")
        return Path(said.rstrip("\n")), outcome.message

    def _case_file(self, case: Case) -> Path:
        return self.results / "cases" / f"{case.slug}.case"

    def _command(self, task: Task, run: Path) -> list[str]:
        """The script with its words; its case file is written first."""
        case_file = self._case_file(task.case)
        if task.step is Step.PREPARE:
            write_whole(case_file, case_text(task.case))
        words = [str(task.repeat), str(task.order)] if task.step is Step.TRAFFIC else []
        script = self.scripts / f"{task.step}.sh"
        return [str(path.resolve()) for path in (script, case_file, run)] + words

    def _call(self, command: list[str]) -> tuple[Outcome, str]:
        """How the script ended, and what it said on standard output."""
        begin = time.monotonic()
        with self.mutex:
            if self.stopped.is_set():
                stopped = f"{command[0]}: not begun, the run was stopped"
                return Outcome(status=_SIGNALLED + signal.SIGKILL, message=stopped, seconds=0.0), ""
            child = self._start(command)
            self.children.add(child)
        said, complaint = child.communicate()
        with self.mutex:
            self.children.discard(child)
        message = _message(command[0], child.returncode, complaint)
        return Outcome(status=child.returncode, message=message, seconds=time.monotonic() - begin), said

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        if not os.access(command[0], os.X_OK):
            raise LabError(f"{command[0]}: cannot be run; mend the checkout, or --runner-scripts")
        try:
            return subprocess.Popen(
                [*_tether(), *command],
                cwd=self.workspace,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                process_group=0,
            )
        except OSError as error:
            raise LabError(f"{command[0]}: cannot be run ({error.strerror}); mend the checkout") from error

    def stop(self) -> None:
        """End every child and its children now, and begin no other; what they were writing goes with them."""
        with self.mutex:
            self.stopped.set()
            for child in self.children:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)


def _message(script: str, status: int, said: str) -> str:
    """The last thing a script said, unless it was killed and had no time to say what of; empty where all is well."""
    if status < 0 or status > _SIGNALLED:
        return f"{script}: was ended by signal {abs(status) % _SIGNALLED}; run again"
    lines = [line for line in said.splitlines() if line.strip()]
    if not lines:
        return f"{script}: ended with status {status}; run it by hand" if status else ""
    return lines[-1]


def _tether() -> list[str]:
    """A shell around a script, which the kernel tells when the thread that started it is gone; Linux only.

    The signal reaches one process and is not inherited, and a script has subshells: so the shell passes it to all.
    """
    return ["setpriv", "--pdeathsig", "TERM", "sh", "-c", _TETHER, str(os.getpid())] if shutil.which("setpriv") else []
