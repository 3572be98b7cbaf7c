"""Kernels that are built for real machines: by the configuration of each, and only where there is one."""

from __future__ import annotations

import pytest

from fwdlab.files import sha256_of
from fwdlab.matrix.expand import as_written, expand
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Arch
from tests.unit.matrix.example import Bench

_NODES = """\
    nodes:
      sender: {host: 192.0.2.11, os: linux, egress: {interface: eth1}}
      dut: {host: 192.0.2.12, os: linux, ingress: {interface: eth1}, egress: {interface: eth2}}
      receiver: {ingress: {interface: eth2}}
"""
_MACHINE = """\
    lab: ssh
    title: A box
    topology: two-nodes
    line_rate: 1Gbps
    nic: Intel I210 (igb)
    generator: packets
    ssh: {identity: id, known_hosts: known_hosts}
    trial: {warmup: 1s, samples: 3, length: 1s}
"""
TEXT = f"""\
repeats: 3
seed: 1
hardware:
  built:
    arch: x86_64
    kernel_config: built.config
{_MACHINE}{_NODES}  found:
{_MACHINE}{_NODES}revisions:
  source: {{title: Source, os: linux, source: linux-source-6.12, version: 6.12.1-1}}
  packaged: {{title: Package, os: linux, package: "linux-image-{{arch}}", version: 6.12.1-1}}
firewalls:
  forwarding: {{}}
patches:
  none: {{}}
  fix: {{file: fix.patch}}
traffic:
  udp4: {{family: inet, frame_size: 64, flows: 20, load: max}}
"""


@pytest.fixture
def bench(bench: Bench) -> Bench:
    (bench.folder / "built.config").write_text("CONFIG_IGB=y\n")
    (bench.folder / "fix.patch").write_text("--- a/x\n+++ b/x\n")
    return bench


def test_what_is_built_has_cases_where_a_configuration_is(bench: Bench) -> None:
    bench.load(TEXT)
    matrix = load_matrix(bench.path)
    cases = list(expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}))
    assert sorted(case.slug for case in cases) == [
        "built/packaged/forwarding/none/udp4",
        "built/source/forwarding/fix/udp4",
        "built/source/forwarding/none/udp4",
        "found/packaged/forwarding/none/udp4",
    ]
    built = next(dict(case.hardware.settings) for case in cases if case.revision.name == "source")
    digest = sha256_of(bench.folder / "built.config")
    kernel = ("arch", "kernel_config", "kernel_config_sha256")
    assert [built[key] for key in kernel] == ["x86_64", "built.config", digest]
    found = next(dict(case.hardware.settings) for case in cases if case.hardware.name == "found")
    assert not set(kernel) & set(found)
    assert [machine.arch for machine in matrix.machines] == [Arch.X86_64, None]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "    arch: x86_64\n",
            "",
            "5:5: hardware 'built' has 'kernel_config' without 'arch'; add that too",
        ),
        (
            "    kernel_config: built.config\n",
            "",
            "5:5: hardware 'built' has 'arch' without 'kernel_config'; add that too",
        ),
        (
            "built.config",
            "build.config",
            "6:20: kernel configuration 'build.config' does not exist; did you mean 'built.config'?",
        ),
        (
            "built.config",
            "../.config",
            "write a path below the folder of the matrix",
        ),
        ("x86_64", "amd64", "'arch' of hardware 'built' is 'amd64'; known are 'x86_64', 'aarch64'"),
    ],
)
def test_each_fault_has_its_advice(bench: Bench, old: str, new: str, fault: str) -> None:
    assert old in TEXT
    told = bench.faults(TEXT.replace(old, new, 1))
    assert any(fault in line for line in told), told
