"""A history that nobody measured: records of the size of real ones, for benchmarks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from fwdlab.campaign import Campaign, Member, campaigns_text
from fwdlab.records.model import Clock, Conditions, RawFile, Record, Slice, Trial
from fwdlab.records.store import record_path
from fwdlab.records.text import record_text
from fwdlab.store.entry import Entry, Kind, entry_of
from fwdlab.store.text import campaign_text

REPEATS = 5
CASES = 24  # of a campaign
_DAY = "2026-11-21T01:01:49Z"
_RAW = b"what a repeat left\n"


def many_entries(large: int) -> Iterator[Entry]:
    """So many records, five a case, in campaigns of 24 cases."""
    yield raw_entry()
    cases = -(-large // REPEATS)
    for number in range(large):
        yield one_entry(*divmod(number, REPEATS))
    for number in range(0, cases, CASES):
        members = tuple(_member(case) for case in range(number, min(number + CASES, cases)))
        yield entry_of(Kind.CAMPAIGN, campaign_text(_campaign(f"c{number // CASES}", members), 0, _DAY, "./lab run"))


def write_results(folder: Path, added: int) -> Path:
    """Results with so many records that are in no history yet."""
    members = []
    for case in range(added // REPEATS):
        for repeat in range(REPEATS):
            record = _record(10**6 + case, repeat)
            _write(folder / "records" / record_path(record), record_text(record).encode())
            _write(folder.joinpath("runs", *record.names, record.key, record.raw[0].path), _RAW)
        members.append(_member(10**6 + case))
    _write(folder / "campaigns.json", campaigns_text([_campaign("new", tuple(members))]).encode())
    return folder


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _campaign(name: str, members: tuple[Member, ...]) -> Campaign:
    return Campaign(
        name=name,
        title=name,
        question="",
        conditions=(),
        axis="revision",
        arms=("old", "new"),
        members=members,
        repeats=REPEATS,
        threshold=0.01,
    )


def _member(case: int) -> Member:
    names = ("box", "old" if case % 2 else "new", f"f{case // 2}", "none", "udp4")
    return Member(names=names, key=hashlib.sha256(str(case).encode()).hexdigest()[:12])


def raw_entry() -> Entry:
    """The raw output of all of them."""
    return Entry(kind=Kind.RAW, shelf="", sha256=hashlib.sha256(_RAW).hexdigest(), source=_RAW)


def one_entry(case: int, repeat: int, ended: str = _DAY) -> Entry:
    """One record."""
    record = _record(case, repeat, ended)
    return entry_of(Kind.RECORD, record_text(record), record.key)


def _record(case: int, repeat: int, ended: str = _DAY) -> Record:
    """A record of the size of a real one."""
    member, rate = _member(case), 9e4 + case + repeat / 10
    hops = ("dut:d0", "dut:d1", "receiver:r0", "receiver:sink", "sender:s0")
    counters = ("carrier_changes", "rx_bytes", "rx_dropped", "rx_packets", "tx_bytes", "tx_dropped", "tx_packets")
    return Record(
        names=member.names,
        key=member.key,
        trial=Trial(
            repeat=repeat + 1,
            order=0,
            intended_pps=None,
            offered_pps=rate,
            forwarded_pps=rate,
            dropped_pps=0.0,
            frame_size=64,
            flows=2000,
            duration_s=0.4,
            time=Clock.VIRTUAL,
            generator="pktgen 2.75",
            started=_DAY,
            ended=ended,
            boot_s=8.0,
            traffic_s=6.0,
        ),
        series=tuple(Slice(packets=4000, errors=0, duration_s=4000 / rate) for _ in range(10)),
        calibration=None,
        counters=tuple((hop, tuple((counter, case + repeat) for counter in counters)) for hop in hops),
        conditions=Conditions(
            kind="image",
            package="linux-image-6.1.0-56-cloud-amd64",
            package_version="6.1.192-2",
            package_sha256="e7" * 32,
            rules="",
            rules_sha256="",
            patch="",
            patch_sha256="",
            patch_options="",
            runner_sha256="9c" * 32,
            facts=tuple((f"fact_{number:02}", "a fact of a lab, as long as facts are") for number in range(20)),
            sysctls=(),
            command="./lab run",
        ),
        raw=(RawFile(path=f"repeat-{repeat + 1}/result", sha256=raw_entry().sha256, size=len(_RAW)),),
    )
