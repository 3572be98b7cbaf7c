"""A job of a pipeline with the runner scripts of a fake lab, as a runner calls it: in a checkout, with variables."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.unit.run.example import FAKE_LAB
from tests.unit.run.processes import MARK, marked

ROOT = Path(__file__).parents[3]
COMMANDS = ("awk", "cat", "cut", "env", "find", "paste", "ps", "sleep", "tail", "timeout")
CASE = (
    "hardware.name\tbox\nrevision.name\told\nfirewall.name\t{}\npatch.name\tnone\ntraffic.name\tudp4\n"
    "firewall.rules\t\n"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkout:
    """Where jobs begin, one after the other."""

    folder: Path
    shell: str
    variables: dict[str, str] = field(default_factory=dict)

    def write(self) -> Checkout:
        shutil.copytree(FAKE_LAB, self.folder / "runner-scripts")
        shutil.copytree(ROOT / "runner-scripts/pipeline", self.folder / "runner-scripts/pipeline")
        (self.folder / "expanded").mkdir()
        firewalls = ("forwarding", "refused", "broken", "odd & '$(id)'")
        (self.folder / "expanded/cases").write_text(
            "".join(f"run\t{run(name)}\n{CASE.format(name)}" for name in firewalls)
        )
        (self.folder / "expanded/order").write_text(
            "".join(f"{run(name)}\t{repeat}\t{repeat * 10}\n" for name in firewalls for repeat in (1, 2, 3))
        )
        return self

    def path(self, name: str, firewall: str = "forwarding") -> Path:
        return self.folder / "results/runs" / run(firewall) / name

    def command(self, word: str) -> list[str]:
        """The script by the shell of this checkout; busybox's is not to take its own commands for Debian's."""
        shell, *options = self.shell.split()
        if shell == "busybox":
            aliases = [f"alias {name}='{shutil.which(name)}'\n" for name in COMMANDS]
            options += ["-c", f'{"".join(aliases)}. "$0"']
        return [shell, *options, "runner-scripts/pipeline/job.sh", word]

    def environment(self, firewall: str, repeat: int, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            MARK: str(self.folder),
            "CI_PROJECT_ID": str(abs(hash(self.folder))),
            "FWDLAB_RUN": run(firewall),
            "FWDLAB_REPEAT": str(repeat),
            "FWDLAB_PLACE": "box/2",
            "FWDLAB_FOLDER": ".",
            **self.variables,
            **more,
        }

    def job(
        self, word: str, firewall: str = "forwarding", repeat: int = 1, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """A job to its end."""
        return subprocess.run(
            self.command(word),
            cwd=self.folder,
            env=self.environment(firewall, repeat, **more),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def begin(self, word: str, firewall: str = "forwarding", **more: str) -> subprocess.Popen[str]:
        """A job that goes on, in a process group of its own, as a runner's is."""
        pipe = subprocess.PIPE
        return subprocess.Popen(
            self.command(word),
            cwd=self.folder,
            env=self.environment(firewall, 1, **more),
            stdout=pipe,
            stderr=pipe,
            text=True,
            process_group=0,
        )

    def left(self) -> dict[int, str]:
        """Processes of any job here that are there still."""
        return marked(str(self.folder))


def run(firewall: str) -> str:
    return f"box/old/{firewall}/none/udp4/0123456789ab"
