"""One host of the runner's tests: call its scripts on it and read what became of them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.case import Case, case_text
from tests.scripts.runner.packages import Archive

ROOT = Path(__file__).parents[3]
SHELLS = ("dash", "busybox sh", "bash --posix")


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    said: str
    did: list[str]

    @property
    def last(self) -> str:
        """The sentence a person reads: the last thing that was said."""
        return self.said.splitlines()[-1] if self.said else ""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A checkout's scripts, a workspace with rule files, and fakes for what would need a network or a boot.

    No other command is on PATH. The archive is what the fake apt reads; the diary is what the fakes write.
    """

    interpreter: str
    scripts: Path
    commands: Path
    archive: Archive
    workspace: Path
    case: Case

    @property
    def diary(self) -> Path:
        """One command of the fakes a line; beside it what the fake QEMU was given."""
        return self.workspace / "diary"

    @property
    def cache(self) -> Path:
        """Kernels, programs and package index."""
        return self.workspace / "cache"

    @property
    def run(self) -> Path:
        """The run folder of the bench's case, in a path with everything that shells and QEMU look at twice."""
        return self.workspace / "runs, 'of' $HOME" / "one"

    @property
    def case_file(self) -> Path:
        """The case file, as the bench's case has it until somebody writes there."""
        path = self.workspace / "a.case"
        if not path.exists():
            path.write_text(case_text(self.case))
        return path

    def with_case(self, **parts: object) -> Bench:
        """The same host, asked for a case with other parts."""
        self.case_file.unlink()
        return replace(self, case=replace(self.case, **parts))  # type: ignore[arg-type]

    def without(self, name: str) -> Bench:
        """The same host, but for one command."""
        host = self.with_own_commands()
        (host.commands / name).unlink()
        return host

    def with_command(self, name: str, script: str) -> Bench:
        """The same host, but for one command: a script, in which `{real}` is what it was before."""
        host = self.with_own_commands()
        command = host.commands / name
        real = str(command.readlink()) if command.is_symlink() else ""
        command.unlink(missing_ok=True)
        command.write_text("#!/bin/sh\n" + script.replace("{real}", real))
        command.chmod(0o755)
        return host

    def with_own_commands(self) -> Bench:
        """The same host, with a folder of commands that may be changed."""
        commands = self.workspace / f"commands-{len(list(self.workspace.glob('commands-*')))}"
        shutil.copytree(self.commands, commands, symlinks=True)
        return replace(self, commands=commands)

    def step(self, name: str, **settings: str) -> Done:
        """Call `prepare.sh`, `traffic.sh` or `collect.sh` by its name."""
        steps = {"prepare": self.prepare, "traffic": self.traffic, "collect": self.collect}
        return steps[name](**settings)

    def prepare(self, **settings: str) -> Done:
        """Call `prepare.sh`; `settings` tell the fakes how to behave."""
        return self.call("prepare.sh", str(self.case_file), str(self.run), **settings)

    def traffic(self, repeat: str = "1", **settings: str) -> Done:
        """Call `traffic.sh` for one repeat."""
        return self.call("traffic.sh", str(self.case_file), str(self.run), repeat, **settings)

    def collect(self, **settings: str) -> Done:
        """Call `collect.sh`."""
        return self.call("collect.sh", str(self.case_file), str(self.run), **settings)

    def build(self, **settings: str) -> Done:
        """Call `build.sh`."""
        return self.call("build.sh", str(self.case_file), **settings)

    def resolve(self, *words: str, kind: str = "image", **settings: str) -> Done:
        """Call the virtual lab's `resolve.sh`."""
        return self.call("labs/qemu/resolve.sh", kind, *words, **settings)

    def call(self, script: str, *words: str, **settings: str) -> Done:
        """Call a runner script and wait for it."""
        return self.do([*self.command(script), *words], **settings)

    def do(self, command: Sequence[str], **settings: str) -> Done:
        """Call any command in the workspace."""
        before = len(self.log())
        done = subprocess.run(
            command,
            cwd=self.workspace,
            env=self.environment(**settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=180,  # of a busy host
            check=False,
        )
        return Done(status=done.returncode, out=done.stdout, said=done.stderr, did=self.log()[before:])

    def command(self, script: str) -> list[str]:
        """A runner script by the shell of this bench.

        Debian's busybox takes its own commands before those on PATH; the scripts ask for Debian's, so only its
        shell is to be tried.
        """
        shell, *options = self.interpreter.split()
        words = [shutil.which(shell) or shell, *options]
        if shell == "busybox":
            aliases = [f"alias {path.name}='{path}'\n" for path in sorted(self.commands.iterdir())]
            words += ["-c", f'{"".join(aliases)}. "$0"']
        return [*words, str(self.scripts / script)]

    def environment(self, **settings: str) -> dict[str, str]:
        """Everything a script sees."""
        return {
            "PATH": str(self.commands),
            "HOME": str(self.workspace),
            "DIARY": str(self.diary),
            "ARCHIVE": str(self.archive.folder),
            "FWDLAB_CACHE": str(self.cache),
            **settings,
        }

    def log(self) -> list[str]:
        """The diary so far."""
        return self.diary.read_text().splitlines() if self.diary.exists() else []

    def files(self) -> list[str]:
        """Every file of the run folder by its name there."""
        return sorted(path.relative_to(self.run).as_posix() for path in self.run.rglob("*") if path.is_file())

    def failed(self, name: str) -> str:
        """Why an attempt failed, as its folder has it."""
        return (self.run / "failed" / name / "reason").read_text()


def link_commands(into: Path, fakes: Path) -> None:
    """The commands of a host: the fakes, and of the real ones only those a script may ask for."""
    into.mkdir()
    for name in REAL.split():
        (into / name).symlink_to(shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or f"/no/{name}")
    for fake in fakes.iterdir():
        (into / fake.name).symlink_to(fake)
    (into / "qemu-system-aarch64").symlink_to(fakes / "qemu-system-x86_64")


REAL = (
    "as awk bc bison cat ccache chmod cmp cp cpio cut date dd dirname dpkg-deb env find flex flock gcc git grep head "
    "id ld ln ls lz4 make mkdir mktemp mv nproc objcopy od paste rm sed setpriv setsid sh sha256sum sleep sort stat "
    "strip sync tail tar timeout touch tr uname unxz wc xz zstd"
)
