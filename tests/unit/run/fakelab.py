"""`fwdlab run` against a lab of fakes, in this process or in one that may be killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.run.example import FAKE_LAB
from tests.unit.run.processes import MARK, named

ROOT = Path(__file__).parents[3]
MATRIX = """\
repeats: 3
seed: 1
cap: 2h
hardware:
  box: {lab: qemu, title: A box, arch: x86_64, memory: 512M, trial: {warmup: 4000, samples: 4, packets: 4000}}
revisions:
  old: {title: Old, os: linux, package: "linux-{arch}", version: latest}
  new: {title: New, os: linux, package: "linux-6.12-{arch}", version: latest}
firewalls:
  forwarding: {}
  stateful: {rules: rules.nft}
patches:
  none: {}
traffic:
  udp4: {family: inet, frame_size: 64, flows: 2000, load: max}
quick:
  select: {revision: [old, new], firewall: forwarding}
  repeats: 3
campaigns:
  step: {title: New against old, question: What did it change?, compare: revision, baseline: old}
"""
CASES = 4
REPEATS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class FakeLab:
    """A folder with a matrix, a rule file and what a run leaves there."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def public(self) -> Path:
        return self.folder / "public"

    @property
    def log(self) -> Path:
        return self.folder / "calls"

    @property
    def variables(self) -> dict[str, str]:
        """What the scripts read; the interpreter's folder first on PATH, where hugo is."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return {"FAKE_LOG": str(self.log), MARK: str(self.folder), "PATH": path, **self.environment}

    def write(self, text: str = MATRIX, firewalls: Iterable[str] = ()) -> FakeLab:
        """The matrix, with further firewalls; each fails as its name says."""
        more = "".join(f"  {name}: {{rules: rules.nft}}\n" for name in firewalls)
        (self.folder / "matrix.yaml").write_text(text.replace("patches:\n", f"{more}patches:\n"))
        (self.folder / "rules.nft").write_text("table inet filter {}\n")
        return self

    def words(self, *words: str) -> list[str]:
        """The command line of a run, without the program."""
        places = {"-m": self.folder / "matrix.yaml", "--results": self.results, "--public": self.public}
        options = [str(word) for option in places.items() for word in option]
        return ["run", *options, "--runner-scripts", str(FAKE_LAB), *words]

    def run(self, *words: str) -> Result:
        """A whole run in this process."""
        return CliRunner(env=self.variables).invoke(main, self.words(*words))

    def start(self, *words: str, seconds: str = "0") -> subprocess.Popen[str]:
        """A run in a process of its own, whose trials last so long."""
        environment = {**os.environ, **self.variables, "PYTHONPATH": str(ROOT), "FAKE_SECONDS": seconds}
        command = [sys.executable, "-m", "fwdlab", *self.words(*words)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, cwd=self.folder, stdout=pipe, stderr=pipe, text=True)

    def sleepers(self) -> list[int]:
        """The trials under way."""
        return named(str(self.folder), "sleep")

    @property
    def calls(self) -> list[str]:
        """Every call of a script, in order: script, case, repeat."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def counted(self, script: str) -> Counter[str]:
        """How often each case's script was called, by case and repeat."""
        return Counter(line.partition(" ")[2] for line in self.calls if line.startswith(script))

    @property
    def measured(self) -> list[str]:
        """The whole repeats that are there, as paths below the runs without the key."""
        found = (self.results / "runs").glob("*/*/*/*/*/*/repeat-[0-9]")
        return sorted(f"{path.parent.parent.relative_to(self.results / 'runs')} {path.name}" for path in found)

    def evidence(self) -> dict[str, bytes]:
        """Every file of every whole repeat."""
        found = (self.results / "runs").rglob("repeat-[0-9]/*")
        return {str(path.relative_to(self.results)): path.read_bytes() for path in found if path.is_file()}
