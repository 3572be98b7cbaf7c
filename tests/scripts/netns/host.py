"""This host as the native lab's scripts see it: a workspace with a case, and the scripts called on it for real."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.case import Case, Family, Firewall, Hardware, Kind, Lab, Patch, Revision, Traffic, case_text
from fwdlab.files import write_whole
from fwdlab.records.make import records_of
from fwdlab.records.model import Record
from tests.unit.run.processes import MARK

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "runner-scripts"
NOBODY = 65534


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a call ended."""

    status: int
    said: str

    @property
    def last(self) -> str:
        """The sentence a person reads."""
        return self.said.splitlines()[-1] if self.said else ""


@dataclass(frozen=True, kw_only=True)
class Host:
    """A workspace on this host, and a case to measure there."""

    workspace: Path
    cache: Path
    case: Case
    user: int = 0  # who calls the scripts; another than root has a copy of them in the workspace

    @property
    def run(self) -> Path:
        """The run folder, in a path that a shell looks at twice."""
        return self.workspace / "runs, 'of' $HOME" / self.case.folder

    @property
    def scripts(self) -> Path:
        return self.workspace / "runner-scripts" if self.user else SCRIPTS

    def with_case(self, **parts: object) -> Host:
        """The same host, asked for a case with other parts."""
        return replace(self, case=replace(self.case, **parts))  # type: ignore[arg-type]

    def with_settings(self, **settings: str) -> Host:
        """The same host, its machine set otherwise."""
        now = {**dict(self.case.hardware.settings), **settings}
        return self.with_case(hardware=replace(self.case.hardware, settings=tuple(now.items())))

    def with_rules(self, text: str) -> Host:
        """The same host, with a firewall of these rules."""
        (self.workspace / "rules.nft").write_text(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return self.with_case(firewall=Firewall(name="rules", rules="rules.nft", sha256=digest))

    def as_nobody(self) -> Host:
        """The same host for a user without any right, who can read the scripts and owns the workspace."""
        shutil.copytree(SCRIPTS, self.workspace / "runner-scripts")
        for path in (self.workspace, *self.workspace.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        return replace(self, user=NOBODY, cache=self.workspace / "cache")

    def words(self, script: str, *words: str) -> list[str]:
        """The command that calls a script for the case."""
        case_file = self.workspace / "a.case"
        write_whole(case_file, case_text(self.case))  # which a call before this one may be reading
        become = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"] if self.user else []
        return [*become, str(self.scripts / script), str(case_file), str(self.run), *words]

    def environment(self, **settings: str) -> dict[str, str]:
        return {**os.environ, "FWDLAB_CACHE": str(self.cache), MARK: str(self.workspace), **settings}

    def call(self, script: str, *words: str, **settings: str) -> Done:
        """Call a runner script and wait for it."""
        done = subprocess.run(
            self.words(script, *words),
            cwd=self.workspace,
            env=self.environment(**settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Done(status=done.returncode, said=done.stderr)

    def start(self, script: str, *words: str) -> subprocess.Popen[str]:
        """Call a runner script, to be watched."""
        return subprocess.Popen(
            self.words(script, *words),
            cwd=self.workspace,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )

    def measure(self, repeat: str = "1") -> Record:
        """The record of one repeat, prepared where it is not yet."""
        for script, words in (("prepare.sh", ()), ("traffic.sh", (repeat,))):
            done = self.call(script, *words)
            assert done.status == 0, done.said
        made = {record.trial.repeat: record for record in records_of(self.run) if isinstance(record, Record)}
        return made[int(repeat)]

    def log(self, step: str) -> str:
        """What a trial said beside its result."""
        return (self.run / step / "trial.log").read_text()


def make_host(workspace: Path, cache: Path) -> Host:
    """A host whose case is forwarding, measured for a fifth of a second."""
    settings = {
        "processor": str(max(os.sched_getaffinity(0))),
        "sender": "auto",
        "trial.warmup_ms": "50",
        "trial.samples": "5",
        "trial.slice_ms": "40",
    }
    case = Case(
        hardware=Hardware(name="here", lab=Lab.NETNS, settings=tuple(settings.items())),
        revision=running(),
        firewall=Firewall(name="forwarding", rules="", sha256=""),
        patch=Patch(name="none", file="", sha256="", options=""),
        traffic=Traffic(name="udp4", family=Family.INET, frame_size=64, flows=200, load="max"),
        runner_sha256="0" * 64,
    )
    return Host(workspace=workspace, cache=cache, case=case)


def running() -> Revision:
    """The kernel that runs here, as the lab's own script says."""
    words = [str(SCRIPTS / "labs/netns/resolve.sh"), "running", "kernel", "latest", "-"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    package, version, digest = said.strip().split("\t")
    return Revision(name="host", kind=Kind.RUNNING, package=package, version=version, sha256=digest)


def commands_but(folder: Path, *missing: str) -> str:
    """A PATH with every command of this host's own, but for these."""
    folder.mkdir()
    for place in ("/usr/bin", "/bin"):
        for path in Path(place).iterdir():
            if path.name not in missing and not (folder / path.name).exists():
                (folder / path.name).symlink_to(path)
    return str(folder)
