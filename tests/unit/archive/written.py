"""A folder of logs as bench-lab writes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.unit.generators.pkt_gen_logs import Layout, log_of

UNAME = "FreeBSD netgate 12.0-CURRENT FreeBSD 12.0-CURRENT #13 r317849M: Fri May  5 22:26:34 CEST 2017     amd64"
SENT = 1_488_000
GRAPH = """# CPU_CLK [7 samples]

71.43%  [5]        ip_input @ /boot/kernel/kernel
 100.0%  [5]         fork_exit

28.57%  [2]        cpu_idle @ /boot/kernel/kernel
 100.0%  [2]         fork_exit
"""
MATRIX = """
repeats: 3
seed: 1
hardware:
  atom:
    lab: ssh
    title: An Atom
    topology: two-nodes
    line_rate: 1Gbps
    nic: Intel i350
    generator: pkt-gen
    ssh: {identity: id, known_hosts: hosts}
    trial: {warmup: 5s, samples: 30, length: 1s}
    nodes:
      sender: {host: 192.0.2.11, os: freebsd, egress: {interface: igb2}}
      dut: {host: 192.0.2.12, os: freebsd, ingress: {interface: igb1}, egress: {interface: igb2}}
      receiver: {ingress: {interface: igb3}}
revisions:
  r317849: {title: head, os: freebsd, boot_environment: "r317849{patch}", version: r317849}
firewalls:
  forwarding: {}
  pf-stateful: {rules: pf.conf}
patches:
  none: {}
  vimage: {phabricator: D1, version: 1}
traffic:
  udp4-64: {family: inet, frame_size: 64, flows: 2000, load: max}
campaigns:
  vimage:
    title: VIMAGE
    question: What does it cost?
    compare: patch
    baseline: none
"""


def series(
    folder: Path, name: str, rates: Sequence[int], info: Mapping[str, str], layout: Layout = Layout.BITS
) -> None:
    """Write `.info`, `.pps` and the logs of one series: each repeat holds one rate for all its seconds."""
    folder.mkdir(exist_ok=True)
    (folder / f"bench.{name}.info").write_text("".join(f'{key}="{value}"\n' for key, value in info.items()))
    (folder / f"{name}.pps").write_text("".join(f"{rate}\n" for rate in rates))
    for number, rate in enumerate(rates, 1):
        (folder / f"bench.{name}.{number}.receiver").write_bytes(log_of([rate] * 30, layout))
        (folder / f"bench.{name}.{number}.sender").write_bytes(log_of([SENT] * 30, layout, end="sender"))


def archive(folder: Path) -> Path:
    """An archive of two images and two configurations, with a table, and a profile of one series."""
    for image, config, rate in (
        ("317849", "forwarding", 815_000),
        ("317849", "pf-stateful", 399_000),
        ("317849VIMAGE", "forwarding", 813_000),
        ("317849VIMAGE", "pf-stateful", 384_000),
    ):
        info = {"IMAGE": image, "CFG": config, "PKTGEN": "", "UNAME": UNAME}
        series(folder, f"{image}.{config}", [rate, rate + 1000, rate + 4000], info)
    (folder / "gnuplot.data").write_text("#index median minimum maximum\n317849.forwarding 816000 815000 819000\n")
    (folder / "bench.317849.forwarding.1.pmc.graph").write_text(GRAPH)
    return folder


def matrix(folder: Path) -> Path:
    """A matrix that asks what the archive can answer."""
    (folder / "pf.conf").write_text("pass all keep state\n")
    (folder / "matrix.yaml").write_text(MATRIX)
    return folder / "matrix.yaml"
