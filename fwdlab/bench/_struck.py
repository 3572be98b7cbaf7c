"""A campaign that goes on whatever is done to it: started again when it ends, and watched step by step."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from fwdlab.bench._bed import Site
from fwdlab.bench._inject import PKT_GEN, Kind, Saboteur
from fwdlab.errors import LabError, RecordError
from fwdlab.files import sha256_of

_ROOT = Path(__file__).parents[2]
_PATIENCE_S = 120
_LAST_RUNS = 12
_NOTHING_LEFT = (0, RecordError.exit_code)  # to measure; what is no record is lost, and judged so
_LOOK_S = 0.05
_MOST_WAIT_S = 1.2  # what a step takes
_MOST_WAIT_PKT_GEN_S = 9.0  # and a trial of pkt-gen, which reports once a second
_OUCH_SHARE = 0.7  # of what meets such a trial, while any is left: there are few of them


@dataclass(frozen=True, kw_only=True, slots=True)
class Struck:
    """A fault, the step that was under way, and what steps that failed then said."""

    kind: Kind
    run: str  # folder of the case
    step: str
    reasons: tuple[str, ...]

    @property
    def repeat(self) -> int:
        """Of a trial; 0 where it was another step."""
        return int(self.step.removeprefix("repeat-")) if self.step.startswith("repeat-") else 0

    @property
    def told(self) -> str:
        """One line for who watches."""
        return f"{self.kind}: {self.step}: {'; '.join(self.reasons) or 'went on'}"


@dataclass(slots=True, kw_only=True)
class Campaign:
    """`fwdlab run` in the laboratory, again and again, and what it has left so far."""

    site: Site
    scripts: Path
    saboteur: Saboteur
    repeats: int = 1
    process: subprocess.Popen[bytes] | None = None
    digests: dict[Path, str] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)

    @property
    def runs(self) -> Path:
        """Raw output."""
        return self.site.folder / "results/runs"

    def meet(self, waiting: list[Kind]) -> Struck:
        """Break something in a step that is under way, the first that can be, and wait until that is over.

        What was broken is taken from those that wait.
        """
        while True:
            partial, before = self._step(), self._over()
            time.sleep(self.saboteur.chance.uniform(0, _longest_wait(partial)))
            kind = self._choose(waiting, partial)
            if kind is not None and is_held(partial) and self._strike(kind):
                break
        waiting.remove(kind)
        reasons = self._aftermath(kind, partial, before)
        self.saboteur.mend(kind)
        run, step = str(partial.parent), partial.name.removesuffix(".partial")
        return Struck(kind=kind, run=run, step=step, reasons=reasons)

    def _choose(self, waiting: list[Kind], partial: Path) -> Kind | None:
        fitting = [item for item in waiting if item.fits(_hardware(partial), trial=_is_trial(partial))]
        if Kind.OUCH in fitting and self.saboteur.chance.random() < _OUCH_SHARE:
            return Kind.OUCH
        return next(iter(fitting), None)

    def finish(self) -> None:
        """Run until everything that was asked for is measured."""
        for _ in range(_LAST_RUNS):
            if self.process is not None and self.process.wait(timeout=20 * _PATIENCE_S) in _NOTHING_LEFT:
                self._note_digests()
                return
            self._start()
        raise LabError(
            f"{self.site.folder}: {_LAST_RUNS} runs without faults did not measure all; {self._last_words()}"
        )

    def measured_again(self) -> list[str]:
        """A line for each result that was there, and is another now."""
        self._note_digests()
        return self.changed

    def left_behind(self) -> list[str]:
        """Leases, folders, processes and rules that nobody needs any more, a line each."""
        deadline = time.monotonic() + 10
        while (left := self._left()) and time.monotonic() < deadline:
            time.sleep(0.5)
        return left

    def _left(self) -> list[str]:
        leases = [f"lease {path.name}" for path in self.saboteur.machines.glob("*.lease*")]
        folders = [f"folder {path.name}" for path in (self.site.folder / "tmp").iterdir()]
        words = self.site.inside("ps", "-e", "-o", "args=")
        lines = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
        ours = [f"process {line}" for line in lines if "runner-scripts/labs" in line or "fwdlab-ssh" in line]
        return [*leases, *folders, *ours, *self.saboteur.left_on_nodes()]

    def _strike(self, kind: Kind) -> bool:
        if kind is not Kind.KILLED:
            return self.saboteur.strike(kind)
        if self.process is None or self.process.poll() is not None:
            return False
        shell = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii").split()
        for pid in shell:
            os.kill(int(pid), signal.SIGKILL)
        self.process.wait()
        return True

    def _step(self) -> Path:
        """The folder of a step that is under way."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            self._tend()
            for partial in self.runs.glob("*/*/*/*/*/*/*.partial"):
                if (partial / "messages").exists() and is_held(partial):
                    return partial
            time.sleep(_LOOK_S)
        raise LabError(f"{self.runs}: no step is under way; {self._last_words()}")

    def _aftermath(self, kind: Kind, partial: Path, before: set[Path]) -> tuple[str, ...]:
        """What steps that failed since then said, once this one, and of a fault that lasts the next one, is over."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            self._tend()
            now = self._over() - before
            failed = sorted(path for path in now if path.name == "reason")
            if failed or len(now) > kind.lasting:
                return tuple(path.read_text(errors="replace").rstrip("\n").partition("\t")[2] for path in failed)
            time.sleep(_LOOK_S)
        raise LabError(f"{partial}: is not over {_PATIENCE_S} s after '{kind}'; {self._last_words()}")

    def _over(self) -> set[Path]:
        """Steps that are whole, and the reasons of those that failed."""
        case = "*/*/*/*/*/*"
        whole = {path for path in self.runs.glob(f"{case}/*") if path.is_dir() and path.suffix != ".partial"}
        return {path for path in whole if path.name != "failed"} | set(self.runs.glob(f"{case}/failed/*/reason"))

    def _tend(self) -> None:
        """Have it run: once more where it ended, and a repeat further where nothing was left to do."""
        if self.process is not None and (status := self.process.poll()) is None:
            return
        if self.process is not None:
            self._note_digests()
            self.repeats += status in _NOTHING_LEFT
        self._start()

    def _start(self) -> None:
        words = ["run", "-m", "matrix.yaml", "--only", "bed*", "--repeats", str(self.repeats)]
        folder = self.site.folder
        (folder / "tmp").mkdir(exist_ok=True)
        with (folder / "said").open("ab") as said:
            self.process = subprocess.Popen(
                self.site.inside(sys.executable, "-P", "-m", "fwdlab", *words, "--runner-scripts", str(self.scripts)),
                env={
                    **os.environ,
                    "PYTHONPATH": str(_ROOT),
                    "FWDLAB_CACHE": str(folder / "cache"),
                    "FWDLAB_MACHINES": str(self.saboteur.machines),
                    "FWDLAB_LEASE_S": "6",
                    "FWDLAB_CONNECT_S": "3",
                    "FWDLAB_RESTART_DEADLINE_S": "60",
                    "TMPDIR": str(folder / "tmp"),
                },
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    def _note_digests(self) -> None:
        """What is measured stays as it is, octet by octet."""
        for path in self.runs.glob("*/*/*/*/*/*/repeat-*/result"):
            if ".partial" in path.parent.name:
                continue
            digest = sha256_of(path)
            if self.digests.setdefault(path, digest) != digest:
                self.changed.append(f"{path} was measured again")

    def _last_words(self) -> str:
        said = (self.site.folder / "said").read_text(errors="replace").splitlines()
        return " | ".join(said[-5:])


def is_held(folder: Path) -> bool:
    """Whether somebody works there: what a killed controller leaves has nobody's lock. It is looked at, never taken."""
    try:
        lock = f":{folder.stat().st_ino} "
    except FileNotFoundError:
        return False  # the step is over
    return any(lock in line for line in Path("/proc/locks").read_text(encoding="ascii").splitlines())


def _is_trial(partial: Path) -> bool:
    return partial.name.startswith("repeat-")


def _hardware(partial: Path) -> str:
    return partial.parents[5].name


def _longest_wait(partial: Path) -> float:
    of_pkt_gen = _is_trial(partial) and _hardware(partial) == PKT_GEN
    return _MOST_WAIT_PKT_GEN_S if of_pkt_gen else _MOST_WAIT_S
