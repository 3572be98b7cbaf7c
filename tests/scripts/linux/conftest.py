"""A Linux node with a /boot and kernel modules of its own, and stand-ins for what boots, which note their words."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.scripts.ssh.bed import SCRIPTS

SHELLS = (("dash",), ("busybox", "sh"), ("bash", "--posix"))
_STAND_IN = '#!/bin/sh\necho "{name} $*" >>{log}\n{does}\n'


def roots() -> list[str]:
    """The file systems that / is of."""
    lines = (line.split() for line in Path("/proc/mounts").read_text().splitlines())
    return [kind for _, place, kind, *_ in lines if place == "/"]


@dataclass(frozen=True, kw_only=True)
class Node:
    """The scripts of a node, and what they find there."""

    folder: Path
    shell: tuple[str, ...]

    @property
    def boot(self) -> Path:
        return self.folder / "boot"

    @property
    def modules(self) -> Path:
        return self.folder / "lib/modules"

    def stand_in(self, name: str, does: str = "") -> None:
        """Give the node a program that notes its words, and then does that."""
        path = self.folder / "bin" / name
        path.write_text(_STAND_IN.format(name=name, log=self.folder / "called", does=does))
        path.chmod(0o755)

    @property
    def called(self) -> list[str]:
        """What its stand-ins were called with."""
        log = self.folder / "called"
        return log.read_text().splitlines() if log.exists() else []

    def kernel(self, release: str, *builtin: str) -> Path:
        """A kernel as the controller sends it, with these drivers in it."""
        made = self.folder / "node/state/kernel"
        (made / "modules").mkdir(parents=True)
        for name, text in (("image", "an image\n"), ("config", "CONFIG_KEXEC=y\n"), ("release", f"{release}\n")):
            (made / name).write_text(text)
        names = (*builtin, *roots())
        (made / "modules/modules.builtin").write_text("".join(f"kernel/drivers/{name}.ko\n" for name in names))
        (made / "interfaces").write_text("d0\nd1\n")
        return made

    def run(self, *words: str, status: int = 0, stdin: bytes = b"", boot_kib: int = 4096) -> str:
        """Call a script as `call` does it; /boot has so much room."""
        mounts = (
            f"mount -t tmpfs -o size={boot_kib}k boot /boot && cp -R {self.boot}/. /boot && "
            f"cd {self.folder} && mount -t overlay -o lowerdir=/usr/lib,upperdir=lib,workdir=work lib /usr/lib && "
            f"mount --bind {self.folder}/cmdline /proc/cmdline && "
            f"mount --bind {self.folder}/sys/class/net /sys/class/net && "
            f"mount --bind {self.folder}/sys/block /sys/dev/block"
        )
        after = f'; status=$?; cp -R /boot/. {self.boot} && exit "$status"'
        script = f'{mounts} && cd {self.folder}/node && "$@"{after}'
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", *self.shell, *words],
            env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}:/usr/sbin:/sbin"},
            input=stdin,
            capture_output=True,
            check=False,
        )
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == status, said
        return said


@pytest.fixture(params=SHELLS, ids=" ".join)
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Node:
    """A node that finds its root by itself, whose ports are driven by 'igb'."""
    if os.geteuid() != 0:
        pytest.skip("only root may give a script another /boot")
    made = Node(folder=tmp_path, shell=request.param)
    shutil.copytree(SCRIPTS / "labs/ssh/node", tmp_path / "node")
    for folder in ("node/state", "bin", "work", "boot/grub", "lib/modules", "sys/block", "sys/drivers/igb"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "cmdline").write_text("BOOT_IMAGE=/vmlinuz root=/dev/vda1 ro\n")
    for port in ("d0", "d1"):
        device = tmp_path / f"sys/class/net/{port}/device"
        (device / "driver").mkdir(parents=True)
        (device / "driver/module").symlink_to(tmp_path / "sys/drivers/igb")
    made.stand_in("depmod")
    return made
