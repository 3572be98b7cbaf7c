"""`fwdlab bench store`: nothing is lost by writers that race and are killed, and a large history keeps nobody waiting.

Writers are processes that add records batch by batch, each to the same store; at moments spread over the whole one of
them is killed with SIGKILL, and goes on where it was last told that a batch is there.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from fwdlab.campaign import Campaign, Member, campaigns_text
from fwdlab.errors import RecordError
from fwdlab.records.model import Clock, Conditions, RawFile, Record, Slice, Trial
from fwdlab.records.store import record_path
from fwdlab.records.text import record_text
from fwdlab.store.access import Store
from fwdlab.store.branch import BranchStore
from fwdlab.store.commit import Change, commit_of
from fwdlab.store.entry import MARKER, MARKER_TEXT, Entry, Kind, entry_of
from fwdlab.store.place import store_at
from fwdlab.store.text import campaign_text
from fwdlab.store.verify import verified

_RAW = b"what a repeat left\n"
_REPEATS = 5
_CASES = 24  # of a campaign
_ADDED = 100  # records of one addition to a large store
_LIST_S, _ADD_S = 1.0, 2.0
_DAY = "2026-11-21T01:01:49Z"


@click.command("store")
@click.option("--writers", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--records", type=click.IntRange(min=1), default=200, show_default=True, help="Of each writer.")
@click.option("--batch", type=click.IntRange(min=1), default=10, show_default=True, help="Records of one addition.")
@click.option("--kills", type=click.IntRange(min=0), default=20, show_default=True)
@click.option(
    "--large", type=click.IntRange(min=_ADDED), default=100_000, show_default=True, help="Records in a large one."
)
@click.option("--seed", type=int, default=1, show_default=True)
def command(writers: int, records: int, batch: int, kills: int, large: int, seed: int) -> None:
    """Let writers race and be killed, in a folder and in a remote's branch; then list and add in a large store."""
    random.seed(seed)
    with tempfile.TemporaryDirectory(prefix="fwdlab-store-") as name:
        folder = Path(name)
        for race in (_folder_race(folder, writers), _branch_race(folder, writers)):
            click.echo(_raced(race, folder / race.title, records, batch, kills))
        click.echo(_in_large(folder, str(folder / "large"), _fill_folder, large))
        click.echo(_in_large(folder, "git:large", _fill_branch, large))


@dataclass(frozen=True, kw_only=True, slots=True)
class Race:
    """The store, as each writer names it from a folder of its own."""

    title: str
    word: str
    homes: tuple[Path, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Writer:
    """One process that adds its records, and what it has been told."""

    number: int
    race: Race
    told: Path
    records: int
    batch: int

    def work(self) -> None:
        """Add what has not been acknowledged yet."""
        random.seed()  # a fork would pause as all others do
        os.chdir(self.race.homes[self.number])
        store = store_at(self.race.word, 600)
        for begin in range(len(self.acknowledged()), self.records, self.batch):
            entries = [_entry(self.number, number) for number in range(begin, min(begin + self.batch, self.records))]
            store.add([_raw(), *entries])
            with self.told.open("a", encoding="utf-8") as stream:
                stream.write("".join(f"{entry.path}\n" for entry in entries))

    def acknowledged(self) -> list[str]:
        """The paths it was told are there."""
        return self.told.read_text(encoding="utf-8").splitlines() if self.told.exists() else []


def _folder_race(folder: Path, writers: int) -> Race:
    return Race(title="folder", word=str(folder / "raced"), homes=(folder,) * writers)


def _branch_race(folder: Path, writers: int) -> Race:
    """A bare remote, and a clone for each writer."""
    _git(folder, "init", "--quiet", "--bare", "remote.git")
    homes = tuple(folder / f"clone-{number}" for number in range(writers))
    for home in homes:
        _git(folder, "init", "--quiet", home.name)
        _git(home, "remote", "add", "origin", "../remote.git")
    return Race(title="branch of a remote", word="git:raced@origin", homes=homes)


def _raced(race: Race, told: Path, records: int, batch: int, kills: int) -> str:
    """What a race came to; RecordError where a promise was broken."""
    told.mkdir()
    writers = [
        Writer(number=number, race=race, told=told / str(number), records=records, batch=batch)
        for number in range(len(race.homes))
    ]
    begin = time.monotonic()
    killed = _run(writers, kills)
    took = time.monotonic() - begin
    os.chdir(race.homes[0])
    reader = store_at(race.word, 600).opened()
    acknowledged = [path for writer in writers for path in writer.acknowledged()]
    lost = set(acknowledged) - set(reader.names("records"))
    whole = verified(reader)
    if lost or whole.faults or len(acknowledged) != len(writers) * records:
        raise RecordError(f"{race.title}: {len(lost)} records lost; {'; '.join(whole.faults) or 'all entries whole'}")
    return (
        f"{race.title}: {len(writers)} writers x {records} records, {batch} at a time, {killed} killed: all "
        f"{len(acknowledged)} acknowledged records there once, verify clean; {took:.0f} s"
    )


def _run(writers: Sequence[Writer], kills: int) -> int:
    """All writers to their end; how often one was killed on the way, no more often than asked for."""
    context = multiprocessing.get_context("fork")
    running = {writer: context.Process(target=writer.work) for writer in writers}
    for process in running.values():
        process.start()
    total = sum(writer.records for writer in writers)
    moments = [total * place // (kills + 1) for place in range(kills)]
    killed = 0
    while alive := [writer for writer, process in running.items() if process.is_alive()]:
        time.sleep(random.uniform(0, 0.05))  # noqa: S311 - so that a kill falls anywhere in an addition
        if moments and sum(len(writer.acknowledged()) for writer in writers) >= moments[0]:
            moments.pop(0)
            victim = random.choice(alive)  # noqa: S311
            running[victim].kill()
            running[victim].join()
            killed += running[victim].exitcode == -signal.SIGKILL
            running[victim] = context.Process(target=victim.work)
            running[victim].start()
    if failed := [process.exitcode for process in running.values() if process.exitcode]:
        raise RecordError(f"{len(failed)} writers ended with status {failed[0]}; see what they said above")
    return killed


def _in_large(folder: Path, word: str, fill: Callable[[Path, str, Iterator[Entry]], Path], large: int) -> str:
    """Seconds of one list and one addition in a store of that many records."""
    home = fill(folder, word, _many(large))
    listed = _timed(home, "store", "list", word, "--campaign", "c0")
    results = _write_results(folder / f"results-{home.name}")
    added = _timed(home, "store", "add", "--to", word, str(results))
    return (
        f"{word if word.startswith('git:') else 'folder'}, {large} records: list of one campaign {listed:.2f} s "
        f"(promised {_LIST_S:g} s), {_ADDED} records added in {added:.2f} s (promised {_ADD_S:g} s)"
    )


def _timed(home: Path, *words: str) -> float:
    begin = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "fwdlab", *words]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RecordError(f"fwdlab {' '.join(words)}: ended with status {done.returncode}: {done.stderr}")
    return time.monotonic() - begin


def _many(large: int) -> Iterator[Entry]:
    """So many records, five a case, in campaigns of 24 cases."""
    yield _raw()
    cases = -(-large // _REPEATS)
    for number in range(large):
        yield _entry(*divmod(number, _REPEATS))
    for number in range(0, cases, _CASES):
        members = tuple(_member(case) for case in range(number, min(number + _CASES, cases)))
        yield entry_of(Kind.CAMPAIGN, campaign_text(_campaign(f"c{number // _CASES}", members), 0, _DAY, "./lab run"))


def _fill_folder(folder: Path, word: str, entries: Iterator[Entry]) -> Path:
    """Files as an addition leaves them, without its care for the disk."""
    for path, content in ((MARKER, MARKER_TEXT.encode()), *((entry.path, entry.content()) for entry in entries)):
        place = Path(word) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return folder


def _fill_branch(folder: Path, word: str, entries: Iterator[Entry]) -> Path:
    """All of them in one commit."""
    _git(folder, "init", "--quiet", "large-clone")
    os.chdir(folder / "large-clone")
    store: Store = store_at(word)
    assert isinstance(store, BranchStore)  # noqa: S101 - by its word
    contents = {entry.path: entry.content() for entry in entries}
    tip = store.line.tip(time.monotonic() + 600)
    commit = commit_of(tip, Change(added=list(contents), removed=()), contents.__getitem__)
    store.line.advance(tip, commit, time.monotonic() + 600)
    return folder / "large-clone"


def _write_results(folder: Path) -> Path:
    """Results with a hundred records nobody has seen yet."""
    members = []
    for case in range(_ADDED // _REPEATS):
        for repeat in range(_REPEATS):
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
        repeats=_REPEATS,
        threshold=0.01,
    )


def _member(case: int) -> Member:
    names = ("box", "old" if case % 2 else "new", f"f{case // 2}", "none", "udp4")
    return Member(names=names, key=hashlib.sha256(str(case).encode()).hexdigest()[:12])


def _raw() -> Entry:
    return Entry(kind=Kind.RAW, shelf="", sha256=hashlib.sha256(_RAW).hexdigest(), source=_RAW)


def _entry(case: int, repeat: int) -> Entry:
    record = _record(case, repeat)
    return entry_of(Kind.RECORD, record_text(record), record.key)


def _record(case: int, repeat: int) -> Record:
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
            ended=_DAY,
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
        raw=(RawFile(path=f"repeat-{repeat + 1}/result", sha256=_raw().sha256, size=len(_RAW)),),
    )


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
