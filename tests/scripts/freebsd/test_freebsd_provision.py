"""Ways to the next boot of a FreeBSD node, by stand-ins: NanoBSD's two halves of a disk, and pkg."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts.freebsd.bsd import furnish
from tests.scripts.ssh.bed import ROOT, SCRIPTS

SHELLS = (("dash",), ("bash", "--posix"))  # busybox's has a mount of its own
HALF = "#!/bin/sh\nexec {python} -IS {root}/tests/scripts/freebsd/tools/__main__.py updatep {half}\n"


@pytest.fixture(params=SHELLS, ids=" ".join)
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Node:
    furnish(tmp_path)
    shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    (tmp_path / "node/state").mkdir()
    path = tmp_path / "node/provision/freebsd-upgrade.sh"
    path.write_text(path.read_text().replace("/root/", f"{tmp_path}/dut/"))
    return Node(tmp_path, request.param)


class Node:
    """A NanoBSD, whose scripts are called as the lab does it."""

    def __init__(self, folder: Path, shell: tuple[str, ...]) -> None:
        self.folder, self.home, self.shell = folder, folder / "dut", shell
        (self.home / "bin/upgrade").unlink()
        for half in ("1", "2"):
            (self.home / f"updatep{half}").write_text(HALF.format(root=ROOT, python=sys.executable, half=half))

    def runs_from(self, device: str) -> None:
        (self.home / "root-on").write_text(device)

    def run(self, *words: str, given: str = "") -> tuple[int, str]:
        """The status of a script, and the last line it said."""
        done = subprocess.run(
            [*self.shell, *words],
            cwd=self.folder / "node",
            env={**os.environ, "HOME": str(self.home), "PATH": f"{self.home}/bin:{os.environ['PATH']}"},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, "".join(done.stderr.splitlines()[-1:])

    @property
    def next_boot(self) -> list[str]:
        state = json.loads((self.home / "freebsd.json").read_text())
        return [name for name, marks in state["environments"].items() if "R" in marks]


@pytest.mark.parametrize("half", ["1", "2"])
def test_an_image_goes_to_the_half_that_does_not_run(node: Node, half: str) -> None:
    node.runs_from(f"/dev/ada0s{half}a")
    assert node.run("provision/freebsd-upgrade.sh", given="an image\n") == (0, "")
    assert node.next_boot == ["upgraded"]


def test_an_image_that_is_none_is_told_with_the_writers_words(node: Node) -> None:
    node.runs_from("/dev/ada0s1a")
    status, said = node.run("provision/freebsd-upgrade.sh", given="half an im")
    assert status == 3
    assert said == f"'{node.home}/updatep2' refuses the image (updatep2: this is no image of one slice)"


def test_a_node_that_is_no_nanobsd_takes_no_image(node: Node) -> None:
    node.runs_from("zroot/ROOT/default")
    status, said = node.run("provision/freebsd-upgrade.sh", given="an image\n")
    assert status == 92
    assert said.startswith("has no 'upgrade', and runs from no NanoBSD")


def test_a_kernels_package_is_installed_in_its_version(node: Node) -> None:
    (node.home / "packages").write_text("FreeBSD-kernel-generic-15.0\n")
    assert node.run("provision/freebsd-package.sh", "FreeBSD-kernel-generic", "15.0") == (0, "")
    assert node.next_boot == ["upgraded"]


def test_a_package_that_no_repository_has_is_told(node: Node) -> None:
    status, said = node.run("provision/freebsd-package.sh", "FreeBSD-kernel-generic", "16.0")
    assert status == 3
    assert said.startswith("package 'FreeBSD-kernel-generic-16.0' cannot be installed (pkg: No packages available")
    assert said.endswith("look at its repositories")
