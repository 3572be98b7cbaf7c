"""A laboratory whose nodes have FreeBSD's tools, as stand-ins: one host sends and receives, one is the DUT."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fwdlab.bench._bed import ADDRESSES, Plot, laboratory
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases
from tests.scripts.freebsd.tools.__main__ import TOOLS
from tests.scripts.ssh.bed import ROOT, SCRIPTS, Bed
from tests.unit.run.processes import MARK

_WRAPPER = """\
#!/bin/sh
exec {python} -IS {root}/tests/scripts/freebsd/tools/__main__.py {name} "$@"
"""
_LINUX_ONLY = ("/usr/bin/sha256sum", "/usr/sbin/nft", "/usr/sbin/ethtool", "/usr/sbin/sysctl", "/usr/bin/setpriv")
_MATRIX = """\
repeats: 3
seed: 1
hardware:
  bsd:
    lab: ssh
    title: FreeBSD's tools as stand-ins, on namespaces of Linux
    topology: two-nodes
    line_rate: 1Gbps
    nic: veth
    cpu: Intel Atom C2558E
    generator: pkt-gen
    reboot: never
    tunings:
      sysctl: {kern.random.sys.harvest.mask: 351, net.inet.ip.redirect: 0}
      loader: {hw.igb.rxd: 2048}
    ssh: {identity: id, known_hosts: known_hosts}
    trial: {warmup: 1s, samples: 3, length: 1s}
    nodes:
      sender: {host: 10.0.0.11, os: freebsd, egress: {interface: s0}}
      dut: {host: 10.0.0.12, os: freebsd, ingress: {interface: d0}, egress: {interface: d1}}
      receiver: {ingress: {interface: r0}}
revisions:
  main: {title: FreeBSD MAIN, os: freebsd, boot_environment: main-n268154, version: n268154}
  head: {title: FreeBSD 12-head, os: freebsd, upgrade: "images/head-{patch}.img", version: r317849}
firewalls:
  forwarding: {}
  ipfw-stateful: {rules: rules/ipfw-stateful.rules}
  pf-stateful: {rules: rules/pf-stateful.conf}
  ipf-stateful: {rules: rules/ipf-stateful.conf}
patches:
  none: {}
  D1: {phabricator: D1, applies_to: [head]}
traffic:
  udp4: {family: inet, frame_size: 64, flows: 200, sources: 20, sinks: 10, load: max}
  udp6: {family: inet6, frame_size: 82, flows: 200, sources: 20, sinks: 10, load: 1500}
"""


def furnish(folder: Path) -> None:
    """Give every node of prepared ground the tools, and take what FreeBSD has not."""
    for node in ADDRESSES:
        (folder / node / "bin").mkdir(parents=True, exist_ok=True)
        for name in TOOLS:
            path = folder / node / "bin" / name
            path.write_text(_WRAPPER.format(root=ROOT, python=sys.executable, name=name))
            path.chmod(0o755)
        hidden = [path for path in _LINUX_ONLY if Path(path).exists()]
        (folder / node / "hidden").write_text("".join(f"{path}\n" for path in hidden))
    shutil.copytree(ROOT / "examples/freebsd/firewalls", folder / "rules")
    (folder / "images").mkdir()
    (folder / "images/head-D1.img").write_text("an image\n")


@contextmanager
def freebsd(folder: Path, cache: Path) -> Iterator[Bed]:
    """The laboratory, and the first case of its matrix."""
    with laboratory(folder, Plot(topology="two-nodes"), {**os.environ, MARK: str(folder)}) as site:
        (folder / "matrix.yaml").write_text(_MATRIX)
        cases = resolved_cases(load_matrix(folder / "matrix.yaml"), SCRIPTS)
        yield Bed(site=site, cache=cache, case=cases[0])
