"""A store in a folder. Writers need no lock: a name is a content, so two can only ever write the same bytes there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from fwdlab.errors import LabError, MatrixError, RecordError
from fwdlab.files import put_in_place
from fwdlab.store.access import Added, Reader
from fwdlab.store.entry import MARKER, MARKER_TEXT, SETTLED_S, Entry, is_entry, rank

_TEMPORARY = "tmp"
_SIDE_BY_SIDE = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class FolderStore:
    """Entries as files below `root`."""

    root: Path

    @property
    def title(self) -> str:
        """The store, as a message names it."""
        return str(self.root)

    def opened(self) -> FolderStore:
        """The store to read from; MatrixError where the folder is none, RecordError where it is of another format."""
        try:
            said = (self.root / MARKER).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise MatrixError(
                f"{self.root}: is no store ({error.strerror}); make one with 'fwdlab store add'"
            ) from error
        check_marker(said, self.title)
        return self

    def add(self, entries: Iterable[Entry]) -> Added:
        """Write those that are not there; each is whole or not there at all, whenever this ends.

        Entries of one kind in a row are written side by side: a disk takes many at once as fast as one.
        """
        self._found()
        new, given, touched = 0, 0, set[Path]()
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
            for _, alike in groupby(entries, key=lambda entry: entry.kind):
                row = list(alike)
                written = [folders for folders in pool.map(self._written, _distinct(row)) if folders]
                new, given, touched = new + len(written), given + len(row), touched.union(*written)
            list(pool.map(_sync_folder, touched))
        return Added(new=new, present=given - new)

    def remove(self, choose: Callable[[Reader], Collection[str]]) -> int:
        """Take away the entries chosen, referring ones first; how many."""
        chosen = choose(self.opened())
        for path in sorted(chosen, key=rank, reverse=True):
            try:
                (self.root / path).unlink(missing_ok=True)
            except OSError as error:
                raise LabError(
                    f"{self.root / path}: cannot be removed ({error.strerror}); look at its owner"
                ) from error
        return len(chosen)

    def tidy(self) -> int:
        """Remove what dead writers left; how many files."""
        left = [path for path in self._below(self.root / _TEMPORARY) if self._age_s(path) > SETTLED_S]
        for path in left:
            path.unlink(missing_ok=True)
        return len(left)

    def names(self, *folders: str) -> list[str]:
        """The paths of all entries below these folders of the store, sorted."""
        found = (path for folder in folders for path in self._below(self.root / folder))
        return sorted(path for path in map(self._relative, found) if is_entry(path))

    def contents(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """The bytes at each path; None where there are none to be read."""
        for path in paths:
            try:
                yield path, None if (self.root / path).is_symlink() else (self.root / path).read_bytes()
            except OSError:
                yield path, None

    def strays(self) -> list[str]:
        """Files that are no entries, sorted; those of writers at work aside."""
        paths = map(self._relative, self._below(self.root))
        return sorted(path for path in paths if path != MARKER and not is_entry(path) and not path.startswith("tmp/"))

    def settled(self, paths: Collection[str]) -> set[str]:
        """Those of the paths that no writer is about to refer to."""
        return {path for path in paths if self._age_s(self.root / path) > SETTLED_S}

    def _found(self) -> None:
        """Make the folder a store where it is empty or not there; MatrixError where it holds anything else."""
        marker = self.root / MARKER
        if marker.exists():
            self.opened()
            return
        try:
            held = {path.name for path in self.root.iterdir()} if self.root.exists() else set()
            # Another writer may have made it a store since; one does so before it adds anything.
            if held - {MARKER, _TEMPORARY} and not marker.exists():
                raise MatrixError(f"{self.root}: holds files and is no store; name a new or an empty folder")
        except OSError as error:
            raise MatrixError(
                f"{self.root}: is no folder to keep a store in ({error.strerror}); name another"
            ) from error
        self._put(marker, MARKER_TEXT.encode())

    def _written(self, entry: Entry) -> set[Path]:
        """Put the entry where it is not there, or damaged; the folders that changed."""
        path, content = self.root / entry.path, entry.content()
        return set() if _holds(path, content) else self._put(path, content)

    def _put(self, path: Path, content: bytes) -> set[Path]:
        """Write a whole file; gives back the folders that changed with it."""
        way = self.root / _TEMPORARY
        try:
            way.mkdir(parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            put_in_place(path, content, way, "", mode=0o444)
        except OSError as error:
            raise LabError(
                f"{path}: cannot be written ({error.strerror}); free space or choose another store"
            ) from error
        return {folder for folder in path.parents if folder == self.root or self.root in folder.parents}

    def _below(self, folder: Path) -> Iterator[Path]:
        for parent, folders, files in os.walk(folder, onerror=self._unreadable):
            yield from (Path(parent) / name for name in files)
            yield from (Path(parent) / name for name in folders if (Path(parent) / name).is_symlink())

    def _unreadable(self, error: OSError) -> None:
        """A folder that is not there has no entries; one that cannot be read may have some."""
        if not isinstance(error, FileNotFoundError):
            raise RecordError(f"{error.filename}: cannot be read ({error.strerror}); look at its owner") from error

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _age_s(self, path: Path) -> float:
        try:
            return time.time() - path.lstat().st_mtime
        except OSError:
            return 0.0  # gone meanwhile, or not ours to judge


def _distinct(entries: Iterable[Entry]) -> Iterable[Entry]:
    return {entry.path: entry for entry in entries}.values()


def check_marker(said: str, title: str) -> None:
    """RecordError where what a store says of itself is not known here."""
    if said != MARKER_TEXT:
        found, known = said[:40].strip(), MARKER_TEXT.strip()
        raise RecordError(f"{title}: is a store of format '{found}', and '{known}' is known here; take a newer fwdlab")


def _holds(path: Path, content: bytes) -> bool:
    """Whether the file is there and whole: one that a disk has damaged is written again."""
    try:
        return not path.is_symlink() and path.read_bytes() == content
    except OSError:
        return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
