"""A run folder as the virtual lab leaves it, and records, for tests to bend."""

from __future__ import annotations

import hashlib
from pathlib import Path

from fwdlab.case import Case, Family, Firewall, Hardware, Kind, Lab, Patch, Revision, Traffic, case_text
from fwdlab.records.make import records_of
from fwdlab.records.model import Record

HOPS = ("sender:s0", "dut:d0", "dut:d1", "receiver:r0")
SLICES = (43929, 43952, 43947, 43976, 43977, 43938, 43959, 43948, 43935, 43950)  # microseconds for 4000 packets
PREPARED = {
    "host": "Linux 6.18.44 x86_64",
    "host_cpu": "AMD EPYC",
    "emulator": "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)",
    "kernel_sha256": "51" * 32,
    "cpu": "max",
    "time": "virtual",
}
FACTS = {
    "kernel_release": "6.1.0-56-cloud-amd64",
    "kernel_version": "#1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-11-16)",
    "kernel_command_line": "console=ttyS0 nolapic panic=-1 quiet fwdlab.mode=measure",
    "nft": "nftables v1.0.6 (Lester Gooch #5)",
    "generator": "pktgen 2.75",
}


def case(
    hardware: str = "qemu-x86", revision: str = "debian-6.1", firewall: str = "nft-stateful", lab: Lab = Lab.QEMU
) -> Case:
    settings = (("arch", "x86_64"), ("memory", "512M"), ("trial.warmup", "4000"), ("trial.samples", "10"))
    return Case(
        hardware=Hardware(name=hardware, lab=lab, settings=(*settings, ("trial.packets", "4000"))),
        revision=Revision(
            name=revision,
            kind=Kind.IMAGE,
            package="linux-image-6.1.0-56-cloud-amd64",
            version="6.1.192-2",
            sha256="e7" * 32,
        ),
        firewall=Firewall(name=firewall, rules="rules.nft", sha256="de" * 32),
        patch=Patch(name="none", file="", sha256="", options=""),
        traffic=Traffic(name="udp4-64", family=Family.INET, frame_size=64, flows=2000, load="max"),
        runner_sha256="9c" * 32,
    )


def result_text(slices: tuple[int, ...] = SLICES) -> str:
    """What a guest prints: facts, settings, warm-up, counters around the measured slices, calibration."""
    rows: list[tuple[str, ...]] = [("fact", *pair) for pair in FACTS.items()]
    rows += [("sysctl", "net/ipv4/ip_forward", "1"), ("sysctl", "net/core/netdev_budget", "300")]
    rows += [("sample", "warmup", "4000", "0", "46740"), *_counters("before", 4004)]
    rows += [("sample", "measured", "4000", "0", str(elapsed)) for elapsed in slices]
    rows += [*_counters("after", 4004 + 4000 * len(slices)), ("sample", "calibration", "4000", "0", "16326")]
    return "".join("\t".join(row) + "\n" for row in [*rows, ("end", "ok")])


def _counters(moment: str, packets: int) -> list[tuple[str, ...]]:
    counted = {"tx_packets": packets, "tx_bytes": packets * 60, "rx_packets": packets, "rx_bytes": packets * 60}
    rows = [("counter", moment, hop, name, str(value)) for hop in HOPS for name, value in counted.items()]
    sink = ("counter", moment, "receiver:sink", "rx_packets", str(packets - 3))
    return [*rows, ("counter", moment, "dut:cpu", "softnet_dropped", "0"), sink]


def facts_text(facts: dict[str, str]) -> str:
    return "".join(f"{name}\t{value}\n" for name, value in facts.items())


def write_repeat(run: Path, number: int, text: str | None = None) -> Path:
    """One whole repeat of a run folder."""
    folder = run / f"repeat-{number}"
    folder.mkdir(parents=True)
    begin, end = f"2026-11-21T01:{number:02}:34Z", f"2026-11-21T01:{number:02}:49Z"
    facts = {"repeat": str(number), "order": str(number + 3), "started": begin, "boot_s": "8.276", "traffic_s": "6.440"}
    (folder / "facts").write_text(facts_text({**facts, "ended": end}))
    (folder / "result").write_text(text or result_text(tuple(value + number for value in SLICES)))
    (folder / "console.log").write_text("guest: trial.sh ended with status 0\r\n")
    return folder


def write_run(runs: Path, of: Case, repeats: int = 3) -> Path:
    """A whole run folder of that case below `runs`, collected."""
    run = runs / of.folder
    (run / "prepare").mkdir(parents=True)
    (run / "case").write_text(case_text(of))
    (run / "prepare" / "facts").write_text(facts_text(PREPARED))
    (run / "prepare" / "kernel.config").write_text("CONFIG_NET=y\n")
    for number in range(1, repeats + 1):
        write_repeat(run, number)
    write_manifest(run)
    return run


def write_manifest(run: Path) -> None:
    paths = sorted(path for path in run.rglob("*") if path.is_file() and path.name != "manifest")
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(run).as_posix()}\n" for path in paths)
    (run / "manifest").write_text("".join(lines))


def record(tmp: Path, of: Case | None = None) -> Record:
    """The record of a whole repeat."""
    (made,) = records_of(write_run(tmp / "runs", of or case(), repeats=1))
    assert isinstance(made, Record), made
    return made
