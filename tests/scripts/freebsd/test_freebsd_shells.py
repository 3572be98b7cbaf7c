"""FreeBSD's node scripts under each shell, where busybox has no tool of the same name in itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.freebsd.bsd import furnish
from tests.scripts.ssh.bed import ROOT, SCRIPTS

SHELLS = (("dash",), ("busybox", "sh"), ("bash", "--posix"))
NODE = SCRIPTS / "labs/ssh/node"


@pytest.fixture(params=SHELLS, ids=" ".join)
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Node:
    furnish(tmp_path)
    shutil.copytree(NODE, tmp_path / "node")
    (tmp_path / "node/state").mkdir()
    return Node(folder=tmp_path, shell=request.param)


class Node:
    """A node's scripts, called as `call` does it."""

    def __init__(self, *, folder: Path, shell: tuple[str, ...]) -> None:
        self.folder, self.shell = folder, shell

    def run(self, *words: str, status: int = 0) -> str:
        home = self.folder / "dut"
        done = subprocess.run(
            [*self.shell, *words],
            cwd=self.folder / "node",
            env={**os.environ, "HOME": str(home), "PATH": f"{home}/bin:{os.environ['PATH']}:/usr/sbin:/sbin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr


@pytest.mark.parametrize("firewall", ["pf", "ipf"])
@pytest.mark.parametrize("kind", ["stateful", "stateless"])
def test_rules_are_checked_loaded_shown_and_counted(node: Node, firewall: str, kind: str) -> None:
    rules = str(ROOT / f"examples/freebsd/firewalls/{firewall}-{kind}.conf")
    node.run(f"firewalls/{firewall}.sh", "load", rules, "a name", "inet")
    assert "pass" in node.run(f"firewalls/{firewall}.sh", "show")
    assert "counter\tbefore\tdut:firewall\tstates\t200\n" in node.run(f"firewalls/{firewall}.sh", "counters", "before")


def test_the_next_boot_and_its_loader_are_set(node: Node) -> None:
    node.run("provision/freebsd-boot-environment.sh", "main-n268154", "n268154")
    for words, lines in (
        (("hw.igb.rxd", "2048", "hw.igb.txd", "1024"), ['hw.igb.rxd="2048"', 'hw.igb.txd="1024"']),
        (("hw.igb.rxd", "512"), ['hw.igb.rxd="512"']),
        ((), []),
    ):
        node.run("freebsd/loader.sh", "main-n268154", *words)
        file = node.folder / "dut/environments/main-n268154/boot/loader.conf.local"
        assert [line for line in file.read_text().splitlines() if not line.startswith("#")] == lines


def test_a_loader_setting_that_would_end_its_quotes_is_refused(node: Node) -> None:
    said = node.run("freebsd/loader.sh", "main-n268154", "hw.a", '1" b="2', status=92)
    assert "the loader takes no 'hw.a' of" in said


def test_a_pkt_gen_that_is_too_old_is_told_with_its_words(node: Node) -> None:
    old = node.folder / "dut/bin/pkt-gen"
    old.write_text("#!/bin/sh\necho 'pkt-gen: illegal option -- N' >&2\necho 'Usage: pkt-gen arguments' >&2\nexit 1\n")
    old.chmod(0o755)
    node.run("generators/pkt-gen.sh", "start", "receive", "igb3", "-")
    said = node.run("generators/pkt-gen.sh", "ready", "receive", status=3)
    assert said == "pkt-gen is too old (pkt-gen: illegal option -- N); install a newer package 'pkt-gen' there\n"


def test_an_examination_tells_which_tools_are_missing(tmp_path: Path) -> None:
    furnish(tmp_path)
    shutil.copytree(NODE, tmp_path / "node")
    (tmp_path / "dut/bin/pmcstat").unlink()
    node = Node(folder=tmp_path, shell=("dash",))  # noqa: S604 - a class of ours
    sender = node.run("examine.sh", "1", "sender", "pkt-gen", "ipfw-stateful").splitlines()
    assert "fault\t'pkt-gen' is missing; install the package 'pkt-gen' there" in sender
    dut = node.run("examine.sh", "1", "dut", "pkt-gen", "ipf-stateful").splitlines()
    missing = "fault\t'pmcstat' is missing, which FreeBSD's base system has; install that set there, or build it in"
    assert [line for line in dut if line.startswith("fault")] == [missing]
    assert "ok\thas ipf (of 11.1-RELEASE-p1)" in dut


@pytest.mark.parametrize(
    ("version", "revision"),
    [
        ("FreeBSD 12.0-CURRENT #2 r317849M: Sat May  6 01:24:05 CEST 2017     root@a:/usr/obj", "r317849"),
        ("FreeBSD 15.0-CURRENT #0 main-n268154-b5a5a06fc012: Fri Feb  9 06:29:24 UTC 2024", "n268154"),
        ("FreeBSD 13.2-RELEASE releng/13.2-n254617-525ecfdad597 GENERIC", "n254617"),
        ("FreeBSD 14.0-RELEASE #0: a build of nobody", ""),
    ],
)
def test_a_revision_is_found_in_a_version(node: Node, version: str, revision: str) -> None:
    assert node.run("freebsd/revision.sh", version).strip() == revision


def test_no_freebsd_script_leans_on_linux() -> None:
    scripts = [*NODE.glob("freebsd/*.sh"), *NODE.glob("provision/freebsd-*.sh"), NODE / "profilers/pmcstat.sh"]
    scripts += [NODE / f"firewalls/{name}.sh" for name in ("ipfw", "pf", "ipf")]
    scripts += [NODE / f"generators/{name}.sh" for name in ("pkt-gen", "pkt-gen-log", "process")]
    for path in scripts:
        words = path.read_text()
        for word in ("/proc/", "/sys/", "/sbin/ip ", "sha256sum", "stat -c", "head -c", "sed -i ", "readlink -f"):
            assert word not in words, f"{path.name} has '{word}'"
