"""Results to put into a store, repositories with a remote, and writers in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fwdlab.campaign import Campaign, Member, campaigns_text
from fwdlab.case import Case
from fwdlab.records.model import Record
from fwdlab.records.store import Folders, make_records
from fwdlab.records.text import record_text
from fwdlab.store.entry import Entry, Kind, entry_of
from fwdlab.store.gather import Gathered, gathered
from tests.unit.records import example as recorded

ROOT = Path(__file__).parents[3]
REVISIONS = ("debian-6.1", "debian-6.12")
PERF = """\
kpktgend_0    10 [000]    34.567890:     100 cpu-clock:
\tffffffff81 ip_rcv+0x10 ([kernel.kallsyms])
\tffffffff82 net_rx_action+0x20 ([kernel.kallsyms])

"""
FLOOR = '[{"deviation": 0.0003, "hardware": "qemu-x86", "measured": "2026-11-20", "pairs": 3, "repeats": 5}]\n'


def cases() -> tuple[Case, ...]:
    return tuple(recorded.case(revision=revision) for revision in REVISIONS)


def campaign(of: Sequence[Case], name: str = "newer", title: str = "6.12 against 6.1") -> Campaign:
    return Campaign(
        name=name,
        title=title,
        question="What did it cost?",
        conditions=(),
        axis="revision",
        arms=REVISIONS,
        members=tuple(Member(names=case.names, key=case.key) for case in of),
        repeats=3,
        threshold=0.002,
    )


def write_results(folder: Path, *campaigns: Campaign, faster: int = 2, profile: str = PERF) -> Path:
    """Three repeats of one case on two revisions, the second so many times as fast, with profiles and a floor."""
    folders = Folders(results=folder)
    of = cases()
    for case, factor in zip(of, (1, faster), strict=True):
        run = recorded.write_run(folders.runs, case, repeats=0)
        for number in (1, 2, 3):
            slices = tuple(value // factor + number for value in recorded.SLICES)
            recorded.write_repeat(run, number, recorded.result_text(slices))
        (run / "profile").mkdir()
        (run / "profile" / "perf.script").write_text(profile)
        recorded.write_manifest(run)
    assert make_records(folders, [case.folder for case in of]) == ()
    (folder / "campaigns.json").write_text(campaigns_text(campaigns or [campaign(of)]))
    (folder / "floors.json").write_text(FLOOR)
    (folder / "command").write_text("./lab run\n")
    return folder


def records_again(results: Path) -> Gathered:
    """The entries of results whose runs were measured anew."""
    folders = Folders(results=results)
    assert make_records(folders, [case.folder for case in cases()]) == ()
    return gathered(results)


def made(folder: Path) -> list[Entry]:
    """The entries of such results."""
    return list(gathered(write_results(folder)).entries)


def record_entries(folder: Path, numbers: Sequence[int]) -> Iterator[Entry]:
    """A record for each number, all of one case and with the same raw output, which comes first."""
    record = recorded.record(folder)
    run = Folders(results=folder).run_of(record)
    for raw in record.raw:
        yield Entry(kind=Kind.RAW, shelf="", sha256=raw.sha256, source=run / raw.path)
    yield from (record_entry(record, number) for number in numbers)


def record_entry(record: Record, number: int, ended: str = "2026-11-21T01:01:49Z", pps: float = 91e3) -> Entry:
    """The record as that repeat, ended then, with that rate."""
    trial = replace(record.trial, repeat=number, ended=ended, forwarded_pps=pps)
    return entry_of(Kind.RECORD, record_text(replace(record, trial=trial)), record.key)


def git(folder: Path, *words: str) -> str:
    """What git says, as somebody whom no setting of this machine names."""
    command = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@t", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def repository(folder: Path, remote: Path | None = None) -> Path:
    """A clone with one commit, whose `origin` is a bare repository where one is named."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "first")
    if remote is not None:
        git(folder, "remote", "add", "origin", str(remote))
    return folder


def bare(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
    return folder


def fwdlab(*words: str, within: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command in a process and a folder of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "fwdlab", *words]
    return subprocess.run(command, cwd=within, env=environment, check=False, capture_output=True, text=True)
