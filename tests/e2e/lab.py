"""The real door and the real virtual lab, as a user calls them."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from fwdlab.records.model import Record
from fwdlab.records.store import Folders, load_records, run_folders
from tests.unit.run.processes import MARK, named, until

ROOT = Path(__file__).parents[2]
MATRIX = Path(__file__).parent / "small.yaml"
RULES = ROOT / "runner-scripts" / "firewalls" / "nft-stateful.nft"
SLUG = "qemu-x86/debian-6.12/forwarding/none/udp4-64"  # the case that boots fastest


@dataclass(frozen=True, kw_only=True, slots=True)
class Workplace:
    """A folder with the small matrix, its rule file, and what runs leave there."""

    folder: Path

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def public(self) -> Path:
        return self.folder / "public"

    def write(self, old: str = "", new: str = "") -> Workplace:
        """The matrix, one passage of it replaced."""
        text = MATRIX.read_text()
        assert old in text
        (self.folder / "small.yaml").write_text(text.replace(old, new) if old else text)
        shutil.copy(RULES, self.folder)
        return self

    def words(self, *words: str) -> list[str]:
        places = ("-m", "small.yaml", "--results", str(self.results), "--public", str(self.public))
        return [str(ROOT / "lab"), "run", *places, *words]

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, MARK: str(self.folder), **more}

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """A whole run."""
        environment = self.environment(**more)
        command = self.words(*words)
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=1200, check=False
        )

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A run to be watched and ended."""
        pipe = subprocess.PIPE
        return subprocess.Popen(
            self.words(*words), cwd=self.folder, env=self.environment(), stdout=pipe, stderr=pipe, text=True
        )

    def guests(self) -> list[int]:
        """The emulators of our runs that have a guest, by pid."""
        return named(str(self.folder), "qemu-system-", having=" -accel ")

    def booted(self, guests: int) -> list[int]:
        """The emulators, as soon as so many are at work."""
        until(lambda: len(self.guests()) >= guests, 60, f"{guests} guests boot")
        return self.guests()

    def is_gone(self, guest: int) -> bool:
        """Whether an emulator has ended."""
        return guest not in self.guests()

    def records(self) -> tuple[Record, ...]:
        """Every record; none may be refused."""
        folders = Folders(results=self.results)
        loaded = load_records(folders, run_folders(folders.runs))
        assert loaded.refused == ()
        return loaded.records

    def rates(self, slug: str) -> list[float]:
        """Forwarded pps of a case, repeat by repeat."""
        return [record.trial.forwarded_pps or 0.0 for record in self.records() if "/".join(record.names) == slug]

    def reasons(self) -> list[str]:
        """Why boots failed, in the order of their folders."""
        return [path.read_text() for path in sorted((self.results / "runs").rglob("failed/*/reason"))]
