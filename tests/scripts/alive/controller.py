"""A controller without any machine: its scripts for leases, power and console, called one function at a time."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "runner-scripts"
_OPEN = """\
{early}set -eu
scripts={scripts}
. "$scripts/lib/common.sh"
lab=ssh
. "$scripts/labs/ssh/lab.sh"
{late}case_file={folder}/case
run_folder={folder}/run
roles="sender dut"
new_ssh_folder
"""
# Debian's busybox takes its own commands before those on PATH; the scripts ask for Debian's.
_EARLY = {"busybox sh": "alias setpriv=/usr/bin/setpriv\n"}
_LATE = {
    "busybox sh": """\
become() { exec 8<&-; exec /usr/bin/setpriv --pdeathsig KILL "$@"; }
show_console() {
	exec 8<&-
	exec /usr/bin/setsid -w /usr/bin/setpriv --pdeathsig TERM "$scripts/lib/tethered.sh" $$ "$@"
}
"""
}
_CASE = "access.sender.host\tsender.lab\naccess.dut.host\tdut.lab\n"


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    said: str

    @property
    def last(self) -> str:
        """The sentence a person reads."""
        return self.said.splitlines()[-1] if self.said else ""


@dataclass(frozen=True, kw_only=True)
class Controller:
    """A folder for all that the scripts keep, and the shell that runs them."""

    folder: Path
    shell: str

    @property
    def leases(self) -> Path:
        """Where the leases lie."""
        return self.folder / "machines"

    def access(self, **values: str) -> None:
        """What the case says of the DUT, beside its hosts."""
        lines = "".join(f"access.{key.replace('_', '.', 1)}\t{value}\n" for key, value in values.items())
        (self.folder / "case").write_text(_CASE + lines)

    def start(self, body: str, **settings: str) -> subprocess.Popen[str]:
        """Begin to run shell code after the lab's own is read."""
        script = self.folder / f"script-{len(list(self.folder.glob('script-*')))}"
        script.write_text(
            _OPEN.format(
                early=_EARLY.get(self.shell, ""), late=_LATE.get(self.shell, ""), scripts=SCRIPTS, folder=self.folder
            )
            + body
        )
        (self.folder / "run").mkdir(exist_ok=True)
        (self.folder / "tmp").mkdir(exist_ok=True)
        return subprocess.Popen(
            [*self.shell.split(), str(script)],
            env={**os.environ, **self._environment(), **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def call(self, body: str, **settings: str) -> Done:
        """Run shell code after the lab's own is read."""
        child = self.start(body, **settings)
        out, said = child.communicate(timeout=60)
        return Done(status=child.returncode, out=out, said=said)

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
            "FWDLAB_MACHINES": str(self.leases),
        }


def make_controller(folder: Path, shell: str) -> Controller:
    """A controller whose matrix names neither power nor console."""
    controller = Controller(folder=folder, shell=shell)
    controller.access()
    return controller
