"""A laboratory of network namespaces: a controller, its nodes with a real sshd each, and the scripts called there."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fwdlab.bench._bed import ADDRESSES, Plot, Site, laboratory
from fwdlab.case import Case, case_text
from fwdlab.files import write_whole
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.make import records_of
from fwdlab.records.model import Record
from tests.unit.run.processes import MARK

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "runner-scripts"
NODES = tuple(ADDRESSES)
PATIENCE_S = 120


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
class Bed:
    """A laboratory that is there, and a case to measure in it."""

    site: Site
    cache: Path
    case: Case
    patience_s: int = PATIENCE_S  # for a step

    @property
    def run(self) -> Path:
        return self.folder / "runs" / self.case.folder

    @property
    def folder(self) -> Path:
        """The controller's working directory: keys, matrix, rule files."""
        return self.site.folder

    def inside(self, *words: str) -> list[str]:
        """The command that runs these words on the controller."""
        return self.site.inside(*words)

    def on(self, node: str, *words: str) -> str:
        """What a command says that is run on a node, past ssh."""
        named = self.inside("/sbin/ip", "netns", "exec", node, *words)
        return subprocess.run(named, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout

    def by_ssh(self, node: str, command: str) -> str:
        """What a shell command says that is run on a node by ssh, with the disk that the node has."""
        options = ["-i", "id", "-o", "UserKnownHostsFile=known_hosts", "-o", "BatchMode=yes"]
        words = self.inside("ssh", "-F", "/dev/null", *options, f"root@{ADDRESSES[node]}", command)
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout

    def running(self, program: str) -> list[str]:
        """The command lines of a program, wherever in the laboratory it runs."""
        words = self.inside("ps", "-e", "-o", "args=")
        said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout
        return [line for line in said.splitlines() if line.split(" ")[0].rpartition("/")[2] == program]

    def environment(self, **settings: str) -> dict[str, str]:
        return {**os.environ, "FWDLAB_CACHE": str(self.cache), MARK: str(self.folder), **settings}

    def start(self, script: str, *words: str, **settings: str) -> subprocess.Popen[str]:
        """Call a runner script for the case, to be watched."""
        case_file = self.folder / "a.case"
        write_whole(case_file, case_text(self.case))
        return subprocess.Popen(
            self.inside(str(SCRIPTS / script), str(case_file), str(self.run), *words),
            env=self.environment(**settings),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )

    def call(self, script: str, *words: str, **settings: str) -> Done:
        """Call a runner script for the case, and wait for it."""
        child = self.start(script, *words, **settings)
        _, said = child.communicate(timeout=self.patience_s)
        return Done(status=child.returncode, said=said)

    def fwdlab(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Call fwdlab on the controller."""
        command = self.inside("python3", "-P", "-m", "fwdlab", *words, "--runner-scripts", str(SCRIPTS))
        return subprocess.run(
            command,
            env=self.environment(PYTHONPATH=str(ROOT)),
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )

    def measure(self, repeat: str = "1") -> Record:
        """The record of one repeat, prepared where it is not yet."""
        for script, words in (("prepare.sh", ()), ("traffic.sh", (repeat,))):
            done = self.call(script, *words)
            assert done.status == 0, done.said
        made = {record.trial.repeat: record for record in records_of(self.run) if isinstance(record, Record)}
        return made[int(repeat)]

    def with_case(self, **parts: object) -> Bed:
        """The same laboratory, asked for a case with other parts."""
        return replace(self, case=replace(self.case, **parts))  # type: ignore[arg-type]

    def with_access(self, **access: str) -> Bed:
        """The same laboratory, reached otherwise."""
        now = {**dict(self.case.hardware.access), **access}
        return self.with_case(hardware=replace(self.case.hardware, access=tuple(now.items())))

    def with_load(self, load: int) -> Bed:
        """The same laboratory, asked for so many packets a second."""
        return self.with_case(traffic=replace(self.case.traffic, load=str(load)))

    def with_settings(self, **settings: str) -> Bed:
        """The same laboratory, its machine described otherwise."""
        now = {**dict(self.case.hardware.settings), **settings}
        return self.with_case(hardware=replace(self.case.hardware, settings=tuple(now.items())))

    def with_rules(self, name: str, text: str) -> Bed:
        """The same laboratory, with a firewall of these rules."""
        (self.folder / "other.rules").write_text(text)
        firewall = replace(self.case.firewall, name=name, rules="other.rules", sha256=sha256(text.encode()).hexdigest())
        return self.with_case(firewall=firewall)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Every case of its matrix."""
        return resolved_cases(load_matrix(self.folder / "matrix.yaml"), SCRIPTS)

    def named(self, firewall: str, traffic: str) -> Bed:
        """The same laboratory, asked for the case of its matrix with these."""
        found = (case for case in self.cases if (case.firewall.name, case.traffic.name) == (firewall, traffic))
        return replace(self, case=next(found))


@contextmanager
def laid_out(folder: Path, cache: Path, **words: str) -> Iterator[Bed]:
    """A laboratory on prepared ground, and the first case of its matrix."""
    with laboratory(folder, Plot(**words), marked(folder)) as site:  # type: ignore[arg-type]
        cases = resolved_cases(load_matrix(folder / "matrix.yaml"), SCRIPTS)
        yield Bed(site=site, cache=cache, case=cases[0])


def marked(folder: Path) -> dict[str, str]:
    """An environment by which the laboratory's processes are told from all others."""
    return {**os.environ, MARK: str(folder)}
