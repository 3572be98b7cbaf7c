"""A store in a branch: every addition is one commit on top of the last, made without a checkout.

Writers race: who comes second finds the branch moved, takes what is there now, and puts the same entries on top of
that. Entries wait in a spool folder inside the repository until a commit with them has been taken, so those of a failed
addition go with the next one, and those of several writers in one clone go together.
"""

from __future__ import annotations

import fcntl
import hashlib
import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import LabError, MatrixError, RecordError
from fwdlab.store.access import Added, Reader
from fwdlab.store.commit import Change, commit_of
from fwdlab.store.entry import Entry
from fwdlab.store.lines import Line
from fwdlab.store.snapshot import Snapshot
from fwdlab.store.spool import Spool

_REFUSALS = 3  # in a row while nobody else moved the branch: then it is the remote that does not want
_SHORTEST_S, _LONGEST_S = 0.02, 2.0  # pauses between tries


@dataclass(frozen=True, kw_only=True, slots=True)
class BranchStore:
    """Entries as files of a branch's last commit."""

    line: Line
    folder: Path  # inside the repository's own, for the spool and the lock
    deadline_s: float  # of one call

    @property
    def title(self) -> str:
        """The store, as a message names it."""
        return self.line.title

    @property
    def spool(self) -> Spool:
        """Entries on their way."""
        return Spool(folder=self.folder / "spool")

    def opened(self) -> Snapshot:
        """The store as it is now; MatrixError where there is no such branch."""
        found = self._tip(self._until())
        if not found.commit:
            raise MatrixError(f"{self.title}: there is no such branch; make one with 'fwdlab store add'")
        return found

    def add(self, entries: Iterable[Entry]) -> Added:
        """Put those that are lacking into one commit; they and what waited in the spool are there, or LabError."""
        until = self._until()
        asked = {entry.path: entry for entry in entries}
        try:
            lacking = self._lacking(asked, until)
            for path in lacking:
                self.spool.put(asked[path])
            now = self._advanced(self._spooled, until)
        except LabError as error:
            waiting = f"{len(self.spool.waiting())} entries wait in {self.spool.folder} and go with the next addition"
            raise LabError(f"{error}; {waiting}") from error
        if lost := now.lacking(sorted(lacking)):
            raise RecordError(f"{self.title}: '{min(lost)}' did not reach it; somebody changed the spool: add again")
        return Added(new=len(lacking), present=len(asked) - len(lacking))

    def _lacking(self, asked: Mapping[str, Entry], until: float) -> set[str]:
        """Those that are not there; where nobody answers they all wait."""
        try:
            return self._tip(until).lacking(list(asked))
        except LabError:
            for entry in asked.values():
                self.spool.put(entry)
            raise

    def remove(self, choose: Callable[[Reader], Collection[str]]) -> int:
        """A commit without what is chosen of the store as it is then; earlier commits keep it."""
        self.opened()
        removed: Collection[str] = ()

        def change(tip: Snapshot) -> Change:
            nonlocal removed
            removed = choose(tip)
            return Change(added=(), removed=removed)

        self._advanced(change, self._until())
        return len(removed)

    def tidy(self) -> int:
        """Remove what dead writers left in the spool; how many files."""
        return self.spool.tidy()

    def _until(self) -> float:
        return time.monotonic() + self.deadline_s

    def _tip(self, until: float) -> Snapshot:
        found = self.line.tip(until)
        if found.commit:
            found.check()
        return found

    def _spooled(self, tip: Snapshot) -> Change:
        """What waits and is not there."""
        return Change(added=sorted(tip.lacking(self.spool.waiting())), removed=())

    def _advanced(self, change_of: Callable[[Snapshot], Change], until: float) -> Snapshot:
        """The store after that change has been taken, however often others were faster."""
        refused = 0
        with self._turn(until):
            tip = self._tip(until)
            for pause in _pauses():
                change = change_of(tip)
                if not change:
                    self._clear(tip)
                    return tip
                commit = commit_of(tip, change, self.spool.read)
                said = self.line.advance(tip, commit, until)
                if not said:
                    after = Snapshot(git=tip.git, title=self.title, commit=commit)
                    self._clear(after)
                    return after
                time.sleep(pause + refused)
                before, tip = tip, self._tip(until)
                refused = refused + 1 if tip.commit == before.commit else 0
                if refused == _REFUSALS or time.monotonic() > until:
                    break
        raise LabError(f"{self.title}: did not take the entries ({said}); look at what the branch allows")

    def _clear(self, tip: Snapshot) -> None:
        """Empty the spool of what has arrived."""
        waiting = self.spool.waiting()
        self.spool.clear(set(waiting) - tip.lacking(waiting))

    @contextmanager
    def _turn(self, until: float) -> Iterator[None]:
        """One writer of this clone at a time: racing ones would only undo each other's work. Ends with the process."""
        path = self.folder / "lock"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            stream = path.open("a")
        except OSError as error:
            raise LabError(f"{path}: cannot be written ({error.strerror}); look at its owner") from error
        with stream:
            for pause in _pauses():
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError as error:
                    if time.monotonic() + pause > until:
                        raise LabError(f"{self.title}: other writers were at it for {self.deadline_s:.0f} s") from error
                    time.sleep(pause)
            yield


def folder_of(common: Path, line: Line) -> Path:
    """Where a clone keeps what belongs to that store."""
    return common / "fwdlab" / hashlib.sha256(line.title.encode()).hexdigest()[:12]


def _pauses() -> Iterator[float]:
    """Longer each time, and never the same for two writers."""
    longest = _SHORTEST_S
    while True:
        yield random.uniform(_SHORTEST_S / 2, longest)  # noqa: S311 - nothing secret
        longest = min(_LONGEST_S, 2 * longest)
