"""One machine of the door's tests: call `./lab` on it and read what it had to do."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A checkout, the only folder of commands that is on PATH, and the diary that the fake commands write."""

    checkout: Path
    commands: Path
    diary: Path

    def lab(self, *arguments: str, cwd: Path | None = None, **settings: str) -> Done:
        """Call `./lab`; `settings` tell the fakes how to behave (see fakes/)."""
        return self.call([str(self.checkout / "lab"), *arguments], cwd=cwd, **settings)

    def call(self, command: list[str], *, cwd: Path | None = None, **settings: str) -> Done:
        """Call any command here, in the checkout where no other folder is named."""
        before = len(self.log())
        done = subprocess.run(
            command,
            cwd=cwd or self.checkout,
            env=self.environment(**settings),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        return Done(status=done.returncode, out=done.stdout, said=done.stderr, did=self.log()[before:])

    def environment(self, **settings: str) -> dict[str, str]:
        """Everything a command here sees."""
        return {"PATH": str(self.commands), "DIARY": str(self.diary), "HOME": str(self.commands), **settings}

    def log(self) -> list[str]:
        """The diary so far: one command of the fakes a line."""
        return self.diary.read_text().splitlines() if self.diary.exists() else []

    def lists(self, name: str, text: str) -> None:
        """Make a list of Debian packages say this."""
        (self.checkout / f"setup/{name}.packages").write_text(text)


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    said: str
    did: list[str]

    @property
    def set_up(self) -> list[str]:
        """What was done beside the command itself: environments made, packages brought."""
        return [line for line in self.did if " -m venv" in line or "pip install" in line or "apt-get" in line]
