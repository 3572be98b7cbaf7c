"""Records the tests of gates and samples share: a trial of the virtual lab that passes every gate."""

from __future__ import annotations

from dataclasses import replace

from fwdlab.case import Kind
from fwdlab.records.model import Clock, Conditions, Label, Method, Record, Searched, Slice, Trial, TriedLoad

NAMES = ("qemu-x86", "debian-6.12", "forwarding", "none", "udp4-64")
KEY = "0123456789ab"
SLICES, PACKETS = 10, 4000  # a slice
SENT = SLICES * PACKETS
RELEASE = "6.12.117+deb12-cloud-amd64"
HOPS = ("sender:s0", "dut:d0", "dut:d1", "receiver:r0")

Counters = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


def counters(*, received: int = SENT, dropped: int = 0, at_dut: int = SENT, on: int = SENT) -> Counters:
    """What the hops counted: frames that reached the DUT, went on, were received or dropped; and no link change."""
    counted = {hop: {"carrier_changes": 0} for hop in HOPS}
    counted["dut:d0"]["rx_packets"] = at_dut
    counted["dut:d1"]["tx_packets"] = on
    counted["dut:cpu"] = {"softnet_dropped": dropped}
    counted["receiver:sink"] = {"rx_packets": received}
    return tuple((hop, tuple(sorted(values.items()))) for hop, values in sorted(counted.items()))


def record(pps: float = 120_000.0, repeat: int = 1, names: tuple[str, ...] = NAMES, key: str = KEY) -> Record:
    """A valid trial of so many packets a second."""
    duration_s = PACKETS / pps
    trial = Trial(
        repeat=repeat,
        order=repeat,
        intended_pps=None,
        offered_pps=pps,
        forwarded_pps=pps,
        dropped_pps=0.0,
        frame_size=64,
        flows=2000,
        duration_s=SLICES * duration_s,
        time=Clock.VIRTUAL,
        generator="pktgen 2.75",
        started="2025-11-21T10:00:00Z",
        ended="2025-11-21T10:00:09Z",
        boot_s=2.0,
        traffic_s=3.0,
    )
    conditions = Conditions(
        kind=Kind.IMAGE,
        package="linux-image-6.12-cloud-amd64",
        package_version="6.12.117-1",
        package_sha256="0" * 64,
        rules="",
        rules_sha256="",
        patch="",
        patch_sha256="",
        patch_options="",
        runner_sha256="0" * 64,
        facts=(("kernel_release", RELEASE), ("planned_release", RELEASE)),
        sysctls=(),
        command="./lab run",
    )
    return Record(
        names=names,
        key=key,
        trial=trial,
        series=(Slice(packets=PACKETS, errors=0, duration_s=duration_s),) * SLICES,
        calibration=None,
        counters=counters(),
        conditions=conditions,
        raw=(),
    )


def with_slice(found: Record, **changes: float) -> Record:
    """The record with its third slice changed."""
    changed = replace(found.series[2], **changes)  # type: ignore[arg-type]
    return replace(found, series=(*found.series[:2], changed, *found.series[3:]))


def with_trial(found: Record, **changes: object) -> Record:
    """The record with its trial changed."""
    return replace(found, trial=replace(found.trial, **changes))  # type: ignore[arg-type]


def with_facts(found: Record, **facts: str) -> Record:
    """The record with these facts alone."""
    return replace(found, conditions=replace(found.conditions, facts=tuple(sorted(facts.items()))))


def searched(irregular: str = "", label: Label = Label.NDR, goal: str = "loss goal 0 %") -> Record:
    """The record of a search that ended with bounds around 120 000 pps."""
    tried = tuple(
        TriedLoad(intended_pps=load, duration_s=1.0, offered_pps=load, forwarded_pps=min(load, 12e4), loss_ratio=loss)
        for load, loss in ((120_000.0, 0.0), (120_600.0, 0.005))
    )
    return replace(
        with_trial(record(), intended_pps=120_000.0),
        method=Method(label=label, rule=f"a search: {goal}", kept=None, left_out=None),
        searched=Searched(goal=goal, lower_pps=120_000.0, upper_pps=120_600.0, irregular=irregular, trials=tried),
    )
