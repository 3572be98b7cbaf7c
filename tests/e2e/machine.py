"""The laboratory of namespaces with a machine of its own as DUT: its disk, its kernels, its power and console."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.bench._bed import Plot, laboratory, prepare_ground
from fwdlab.case import Case, case_text
from fwdlab.files import sha256_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases
from tests.scripts.ssh.bed import ROOT, SCRIPTS, Bed, marked
from tests.unit.run.processes import all_gone

CACHE = Path(os.environ.get("FWDLAB_CACHE") or Path.home() / ".cache/fwdlab")
_DEADLINE_S = 180
_MATRIX = """\
repeats: 3
seed: 1
hardware:
  guest:
    lab: ssh
    title: A machine of QEMU's
    topology: three-nodes
    line_rate: 1Gbps
    nic: virtio-net
    cpu: QEMU TCG
    generator: packets
    reboot: never
    arch: x86_64
    kernel_config: guest.config
    ssh: {{identity: id, known_hosts: known_hosts}}
    power: {{command: [{scripts}/bed/power.sh, {folder}, dut, "{{action}}"]}}
    console: {{command: [tail, -n, "0", -F, {folder}/dut/console]}}
    trial: {{warmup: 100ms, samples: 4, length: 250ms}}
    nodes:
      sender: {{host: 10.0.0.11, os: linux, egress: {{interface: s0}}}}
      dut: {{host: 10.0.0.12, os: linux, ingress: {{interface: eth1}}, egress: {{interface: eth2}}}}
      receiver: {{host: 10.0.0.13, os: linux, ingress: {{interface: r0}}}}
revisions:
  running: {{title: What it starts by itself, os: linux, running: kernel, version: {release}}}
  source: {{title: Linux 6.12, os: linux, source: linux-source-6.12, version: latest}}
  packaged: {{title: A package, os: linux, package: "linux-image-small", version: {release}}}
firewalls:
  forwarding: {{}}
patches:
  none: {{}}
  longer: {{file: longer.patch}}
traffic:
  inet: {{family: inet, frame_size: 64, flows: 200, load: 500}}
"""


@dataclass(frozen=True, kw_only=True)
class Guest:
    """A laboratory that is there, and what its DUT can be asked to boot."""

    bed: Bed
    kernels: dict[str, Path]  # folders in the cache, by what is in them

    def named(self, revision: str, patch: str = "none") -> Bed:
        """The laboratory, asked for the case of its matrix with these."""
        found = (case for case in self.bed.cases if (case.revision.name, case.patch.name) == (revision, patch))
        return replace(self.bed, case=next(found))

    @property
    def release(self) -> str:
        """What every kernel here calls itself."""
        return _release(self.kernels["plain"])

    @property
    def running(self) -> Bed:
        return self.named("running")

    @property
    def patched(self) -> Bed:
        return self.named("source", "longer")

    @property
    def packaged(self) -> Bed:
        return self.named("packaged")

    def build_id(self, kernel: str) -> str:
        return (self.kernels[kernel] / "build_id").read_text().strip()

    def power(self, action: str) -> None:
        """What a person does at the switch."""
        words = self.bed.inside(str(SCRIPTS / "bed/power.sh"), str(self.bed.folder), "dut", action)
        subprocess.run(words, check=True, timeout=30)

    def wait(self) -> None:
        """Until the DUT answers by ssh."""
        end = time.monotonic() + _DEADLINE_S
        while True:
            try:
                self.bed.by_ssh("dut", "true")
                return
            except subprocess.CalledProcessError:
                assert time.monotonic() < end, (self.bed.folder / "dut/console").read_text(errors="replace")[-2000:]
                time.sleep(0.5)


@contextmanager
def on_ground() -> Iterator[Path]:
    """Where a laboratory is laid out, its keys in it; every process of it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="fwdlab-real-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        prepare_ground(folder)
        yield folder
        all_gone(name)


@contextmanager
def laid_out(folder: Path) -> Iterator[Guest]:
    """The laboratory, its DUT running what it starts by itself; kernels are built before, where the network is."""
    _write_matrix(folder, release="built-first")
    cases = {case.patch.name: case for case in _cases(folder) if case.revision.name == "source"}
    kernels = {"plain": _built(folder, cases["none"]), "patched": _built(folder, cases["longer"])}
    _furnish(folder / "dut", folder, kernels)
    with laboratory(folder, Plot(), marked(folder)) as site:
        _write_matrix(folder, release=_release(kernels["plain"]))
        guest = Guest(bed=Bed(site=site, cache=CACHE, case=cases["none"], patience_s=400), kernels=kernels)
        guest.wait()
        yield guest


def _release(kernel: Path) -> str:
    return (kernel / "release").read_text().strip()


def _write_matrix(folder: Path, *, release: str) -> None:
    (folder / "matrix.yaml").write_text(_MATRIX.format(scripts=SCRIPTS, folder=folder, release=release))
    shutil.copy(Path(__file__).with_name("guest.config"), folder)
    shutil.copy(ROOT / "patches/drop-reason-for-source-routes.patch", folder / "longer.patch")


def _cases(folder: Path) -> tuple[Case, ...]:
    return resolved_cases(load_matrix(folder / "matrix.yaml"), SCRIPTS)


def _built(folder: Path, case: Case) -> Path:
    """The folder of the case's kernel."""
    (folder / "built.case").write_text(case_text(case))
    words = [str(SCRIPTS / "build.sh"), str(folder / "built.case")]
    done = subprocess.run(words, cwd=folder, env=_environment(folder), stdout=subprocess.PIPE, text=True, check=True)
    return Path(done.stdout.strip())


def _environment(folder: Path) -> dict[str, str]:
    return {**marked(folder), "FWDLAB_CACHE": str(CACHE)}


def _furnish(dut: Path, folder: Path, kernels: dict[str, Path]) -> None:
    """Make the node a machine: a disk of its own with the node's keys, a kernel to start, cards."""
    image = [str(SCRIPTS / "bed/image.sh")]
    done = subprocess.run(image, env=_environment(folder), stdout=subprocess.PIPE, text=True, check=True)
    subprocess.run(["cp", "--sparse=always", done.stdout.strip(), str(dut / "disk")], check=True)
    (dut / "kernel").symlink_to(kernels["plain"] / "image")
    (dut / "cards").write_text("admin\nd0\nd1\n")
    (dut / "console").touch()
    archive = _archive(dut, kernels["patched"])
    files = {
        dut / "host_key": "/etc/ssh/ssh_host_ed25519_key",
        dut / "authorized_keys": "/root/.ssh/authorized_keys",
        **{path: f"/srv/{path.name}" for path in archive},
        kernels["patched"] / "image": "/srv/image",
    }
    (dut / "sources").write_text("deb [trusted=yes] file:/srv ./\n")
    files[dut / "sources"] = "/etc/apt/sources.list"
    orders = "".join(f"rm {there}\nwrite {here} {there}\n" for here, there in files.items())
    write = ["/sbin/debugfs", "-w", "-f", "/dev/stdin", str(dut / "disk")]
    subprocess.run(write, input=orders, capture_output=True, text=True, check=True)


def _archive(dut: Path, kernel: Path) -> tuple[Path, Path]:
    """A package with that kernel as Debian lays one out, and the index of an archive that has it."""
    root = dut / "package"
    release = _release(kernel)
    (root / "boot").mkdir(parents=True)
    (root / "DEBIAN").mkdir()
    shutil.copy(kernel / "image", root / f"boot/vmlinuz-{release}")
    shutil.copy(kernel / "config", root / f"boot/config-{release}")
    shutil.copytree(kernel / "modules", root / f"lib/modules/{release}")
    control = (
        f"Package: linux-image-small\nVersion: {release}\nArchitecture: amd64\n"
        "Maintainer: nobody <nobody@example.org>\nDescription: a kernel\n"
    )
    (root / "DEBIAN/control").write_text(control)
    package = dut / "small.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "-b", str(root), str(package)], capture_output=True, check=True)
    index = dut / "Packages"
    index.write_text(f"{control}Filename: ./small.deb\nSize: {package.stat().st_size}\nSHA256: {sha256_of(package)}\n")
    return package, index
