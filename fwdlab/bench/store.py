"""`fwdlab bench store`: nothing is lost by writers that race and are killed, and a large history keeps nobody waiting.

Writers are processes that add records batch by batch, each to the same store; at moments spread over the whole one of
them is killed with SIGKILL, and goes on where it was last told that a batch is there.
"""

from __future__ import annotations

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

from fwdlab.bench._synthetic import CASES, REPEATS, many_entries, one_entry, raw_entry, write_results
from fwdlab.errors import RecordError
from fwdlab.store.access import Store
from fwdlab.store.branch import BranchStore
from fwdlab.store.commit import Change, commit_of
from fwdlab.store.entry import MARKER, MARKER_TEXT, Entry
from fwdlab.store.folder import FolderStore
from fwdlab.store.place import store_at
from fwdlab.store.verify import verified

_ADDED = 100  # records of one addition to a large store
_LIST_S, _ADD_S = 1.0, 2.0
_CAMPAIGNS = 6  # of a site


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
    """Let writers race and be killed, in a folder and in a remote's branch; then see how long large stores take.

    Of those: the list of one campaign, an addition, and the site at first, again, and after one record more.
    """
    random.seed(seed)
    with tempfile.TemporaryDirectory(prefix="fwdlab-store-") as name:
        folder = Path(name)
        for race in (_folder_race(folder, writers), _branch_race(folder, writers)):
            click.echo(_raced(race, folder / race.title, records, batch, kills))
        click.echo(_in_large(folder, str(folder / "large"), _fill_folder, large))
        click.echo(_in_large(folder, "git:large", _fill_branch, large))
        click.echo(_rendered(folder))


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
            entries = [one_entry(self.number, number) for number in range(begin, min(begin + self.batch, self.records))]
            store.add([raw_entry(), *entries])
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
    home = fill(folder, word, many_entries(large))
    listed = _timed(home, "store", "list", word, "--campaign", "c0")
    results = write_results(folder / f"results-{home.name}", _ADDED)
    added = _timed(home, "store", "add", "--to", word, str(results))
    return (
        f"{word if word.startswith('git:') else 'folder'}, {large} records: list of one campaign {listed:.2f} s "
        f"(promised {_LIST_S:g} s), {_ADDED} records added in {added:.2f} s (promised {_ADD_S:g} s)"
    )


def _rendered(folder: Path) -> str:
    """Seconds that the site takes: at first, again, and after one record more."""
    store, count = FolderStore(root=folder / "shown"), _CAMPAIGNS * CASES * REPEATS
    store.add(many_entries(count))
    words = ("site", "--store", str(store.root), "--results", str(folder / "from"), "--public", str(folder / "public"))
    took = [_timed(folder, *words), _timed(folder, *words)]
    store.add([one_entry(0, 0, "2026-11-22T01:01:49Z")])
    took.append(_timed(folder, *words))
    first, again, more = (f"{seconds:.1f} s" for seconds in took)
    return f"site of {_CAMPAIGNS} campaigns, {count} records: {first}, again {again}, after one record more {more}"


def _timed(home: Path, *words: str) -> float:
    begin = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "fwdlab", *words]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RecordError(f"fwdlab {' '.join(words)}: ended with status {done.returncode}: {done.stderr}")
    return time.monotonic() - begin


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


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
