"""The host of a machine's runner: its scripts, called below a folder that stands for `/`."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "runner-scripts/runner"
FAKES = Path(__file__).parent / "fakes"
REAL = (
    "awk cat chmod cmp cp cut date df dirname env find grep head id mkdir mv paste ps rm sed sh sleep sort stty sync "
    "tail timeout tr true uname uptime"
)
TOKEN = "glrt-t1_0123456789abcdefghij"  # noqa: S105 - nobody's
CONFIG = (ROOT / "tests/golden/runner/a_virtual_machine_has_a_job_for_each_of_its_places/config.toml").read_text()


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    said: str


@dataclass(frozen=True, kw_only=True)
class Host:
    """A host without anything, and the only folder of commands that its scripts see."""

    folder: Path
    commands: Path
    shell: str

    @property
    def config(self) -> Path:
        """Where the runner of the machine `box` is configured."""
        return self.folder / "etc/fwdlab-runner/box.toml"

    @property
    def home(self) -> Path:
        """Where its jobs work."""
        return self.folder / "var/lib/fwdlab-runner/box"

    @property
    def diary(self) -> Path:
        """What gitlab-runner was called with."""
        return self.folder / "diary"

    def file(self, name: str, text: str, mode: int = 0o600) -> Path:
        """A file on the host."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def registered(self) -> Host:
        """The same host, its runner registered."""
        assert self.call("install.sh", "box").status == 0
        done = self.call("register.sh", str(self.file("box.toml", CONFIG)), str(self.file("token", f"{TOKEN}\n")))
        assert done.status == 0, done.said
        return self

    def with_command(self, name: str, script: str) -> Host:
        """The same host, but for one command."""
        (self.commands / name).unlink(missing_ok=True)
        (self.commands / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.commands / name).chmod(0o755)
        return self

    def with_fakes(self, *names: str) -> Host:
        """The same host, with these commands as tests want them."""
        for name in names:
            (self.commands / name).unlink(missing_ok=True)
            (self.commands / name).symlink_to(FAKES / name)
        return self

    def without(self, name: str) -> Host:
        """The same host, but for one command."""
        (self.commands / name).unlink()
        return self

    def words(self, script: str, *words: str) -> list[str]:
        """The command that calls a script; busybox's shell is not to take its own commands for Debian's."""
        shell, *options = self.shell.split()
        command = [shutil.which(shell) or shell, *options]
        if shell == "busybox":
            aliases = [f"alias {path.name}='{path}'\n" for path in sorted(self.commands.iterdir())]
            command += ["-c", f'{"".join(aliases)}. "$0"']
        return [*command, str(SCRIPTS / script), *words]

    def environment(self, **settings: str) -> dict[str, str]:
        """Everything a script sees."""
        return {"PATH": str(self.commands), "DESTDIR": str(self.folder), "DIARY": str(self.diary), **settings}

    def call(self, script: str, *words: str, given: str = "", **settings: str) -> Done:
        """Call a script to its end, with this on its standard input; `settings` tell the fakes how to behave."""
        done = subprocess.run(
            self.words(script, *words),
            cwd=self.folder,
            env=self.environment(**settings),
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Done(status=done.returncode, out=done.stdout, said=done.stderr)

    def type(self, script: str, *words: str, typed: str) -> Done:
        """Call a script at a terminal where somebody types this; what the terminal shows is what was said."""
        ours, theirs = pty.openpty()
        command, environment = self.words(script, *words), self.environment()
        with subprocess.Popen(
            command, cwd=self.folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
        ) as job:
            os.close(theirs)
            shown = os.read(ours, 100).decode()
            os.write(ours, typed.encode())
            status = job.wait(timeout=30)
        return Done(status=status, out="", said=shown + _rest(ours))

    @contextmanager
    def runner(self, job_s: float = 0.0) -> Iterator[subprocess.Popen[bytes]]:
        """A process that ps shows as this host's runner: it ends at SIGQUIT, when its job has, if it has one."""
        job = f"env CI_JOB_URL=https://lab.example/-/jobs/7 sleep {job_s} &" if job_s else ":;"
        script = f'trap "ended=1" QUIT; {job} until [ -n "$ended" ] && ! kill -0 "$!" 2>/dev/null; do sleep 0.1; done'
        words = ["gitlab-runner", "-c", script, "run", "--config", str(self.config), "--working-directory", "/"]
        with subprocess.Popen(words, executable="/bin/sh", stderr=subprocess.DEVNULL) as process:
            try:
                yield process
            finally:
                process.kill()


def _rest(terminal: int) -> str:
    try:
        return os.read(terminal, 4096).decode()
    except OSError:  # nobody has it open any more
        return ""


def make_host(folder: Path, shell: str) -> Host:
    """A host with the real commands, and a gitlab-runner and a GitLab as tests want them."""
    commands = folder / "bin"
    commands.mkdir(parents=True)
    for name in REAL.split():
        (commands / name).symlink_to(shutil.which(name) or f"/no/{name}")
    host = Host(folder=folder / "a 'host' of $HOME", commands=commands, shell=shell)
    host.folder.mkdir()
    return replace(host).with_fakes("gitlab-runner", "curl")
