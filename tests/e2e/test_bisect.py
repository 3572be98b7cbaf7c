"""A real search: Debian's source with commits of ours on top, some of which do not build or boot."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.commits import BROKEN, COSTLY, MENDED, PANICS, git, history
from tests.e2e.lab import ROOT
from tests.unit.run.processes import MARK, all_gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(3600)]  # the first time, its kernels are built from nothing

PACKAGE = "linux-source-6.12"
MATRIX = f"""\
repeats: 3
seed: 1
hardware:
  qemu-x86:
    {{lab: qemu, title: A machine, arch: x86_64, memory: 512M, trial: {{warmup: 4000, samples: 10, packets: 4000}}}}
revisions:
  debian: {{title: Debian's source, os: linux, source: {PACKAGE}, version: latest}}
firewalls: {{forwarding: {{}}}}
patches: {{none: {{}}}}
traffic:
  udp4-64: {{family: inet, frame_size: 64, flows: 2000, load: max}}
campaigns: {{}}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Commits:
    """The history, and where it is searched from."""

    tree: Path
    results: Path
    ids: list[str]  # oldest first
    folder: Path

    @property
    def public(self) -> Path:
        return self.folder / "public"

    def bisect(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A search over all of it."""
        places = {"--source": self.tree, "-m": self.folder / "matrix.yaml", "--results": self.results}
        options = [str(word) for option in {**places, "--public": self.public}.items() for word in option]
        search = ("bisect", self.ids[0], self.ids[-1], "--firewall", "forwarding", "--repeats", "3")
        return lab(self.folder, *search, *options, *words)

    def boots(self) -> set[str]:
        """Every whole repeat that was measured."""
        runs = self.results.glob("bisect/*/runs")
        return {str(path) for folder in runs for path in folder.rglob("repeat-*[0-9]")}


def lab(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, MARK: str(folder)}
    command = [str(ROOT / "lab"), *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    all_gone(str(folder))
    return done


def built_source(folder: Path) -> tuple[Path, Path, str]:
    """The lab's cache, its repository of the source package, and the tree of the latest version."""
    built = lab(folder, "build", "-m", str(folder / "matrix.yaml"))
    assert built.returncode == 0, built.stderr
    cache = Path(built.stdout.split("\t")[-1].strip()).parents[1]
    source = cache / "sources" / PACKAGE
    latest = max((source / "trees").iterdir(), key=lambda path: path.stat().st_mtime)
    return cache, source / "git", latest.read_text().strip()


@pytest.fixture(scope="module")
def commits(tmp_path_factory: pytest.TempPathFactory) -> Commits:
    """At a place that stays, since what is built of a tree is kept by its path; nothing is measured yet."""
    folder = tmp_path_factory.mktemp("bisect")
    (folder / "matrix.yaml").write_text(MATRIX)
    cache, source, tree = built_source(folder)
    place = cache / "e2e"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    ids = history(place / "commits", source, tree)
    return Commits(tree=place / "commits", results=place / "results", ids=ids, folder=folder)


@pytest.fixture(scope="module")
def stuck(commits: Commits) -> subprocess.CompletedProcess[str]:
    """A search without help: the costly commit stands among some that do not build."""
    return commits.bisect()


def test_commits_that_do_not_build_or_boot_are_skipped_and_named(
    commits: Commits, stuck: subprocess.CompletedProcess[str]
) -> None:
    assert stuck.returncode == 2, stuck.stderr
    skipped = set(re.findall(r"^git bisect skip (\w+)$", stuck.stdout, re.MULTILINE))
    assert (
        {commits.ids[BROKEN], commits.ids[COSTLY]}
        <= skipped
        <= {commits.ids[BROKEN], commits.ids[COSTLY], commits.ids[PANICS]}
    )
    assert re.search(
        r"skip: does not build \(net/ipv4/ip_forward.c:\d+.* error: .*\); read /\S+\.log$", stuck.stdout, re.MULTILINE
    )
    named = re.findall(r"^# possible first bad commit: \[(\w+)\]", stuck.stdout, re.MULTILINE)
    assert named == commits.ids[BROKEN : MENDED + 1]
    assert stuck.stderr.splitlines()[-1].endswith(
        "only commits that do not build or boot are left; mend them with --fixup"
    )


def test_with_a_fix_up_the_costly_commit_is_found_and_verified(
    commits: Commits, stuck: subprocess.CompletedProcess[str]
) -> None:
    assert stuck.returncode == 2
    patch = commits.folder / "mend.patch"
    patch.write_text(git(commits.tree, "diff", commits.ids[COSTLY], commits.ids[MENDED]))
    before = commits.boots()
    fixup = ("--fixup", f"{patch}:{commits.ids[BROKEN]}..{commits.ids[MENDED]}")
    done = commits.bisect(*fixup)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    at = lines.index(f"{commits.ids[COSTLY]} is the first commit with the change")
    assert lines[at + 1] == "  ipv4: look before forwarding"
    cost = re.match(rf"  against its parent {commits.ids[BROKEN][:12]}: (-\d\.\d+) % .*, worse", lines[at + 3])
    assert cost
    assert -0.75 < float(cost[1]) < -0.5, "20 turns of 2 instructions, of some 6440 a packet"
    assert lines[at + 4].startswith("  verified; it is ")
    assert (commits.public / "index.html").is_file()
    measured = commits.boots()
    assert before < measured, "what the first search measured is used"
    again = commits.bisect(*fixup)
    assert again.stdout.endswith(done.stdout[done.stdout.index(lines[at]) :])
    assert commits.boots() == measured
