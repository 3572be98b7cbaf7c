"""Entries on their way into a branch: files in one folder of the repository, until a commit with them is taken."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import LabError, RecordError
from fwdlab.files import put_in_place
from fwdlab.store.entry import SETTLED_S, Entry, checked, is_entry

_APART = ","  # for the slashes of a path: one folder, nothing to clear away but files
_UNFINISHED = ".new-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spool:
    """What waits in a folder. It need not outlive a crash of the machine: nobody was told that it is kept."""

    folder: Path

    def put(self, entry: Entry) -> None:
        """Let an entry wait."""
        place = self._place(entry.path)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            put_in_place(place, entry.content(), self.folder, _UNFINISHED, mode=0o644, durable=False)
        except OSError as error:
            raise LabError(f"{place}: cannot be written ({error.strerror}); free space and add again") from error

    def waiting(self) -> list[str]:
        """The paths of the entries that wait, sorted; one that a crash has cut off waits no longer."""
        if not self.folder.is_dir():
            return []
        paths = sorted(path for path in (_path(place) for place in self.folder.iterdir()) if is_entry(path))
        cut = [path for path in paths if not self._is_sound(path)]
        self.clear(cut)
        return sorted(set(paths) - set(cut))

    def read(self, path: str) -> bytes:
        """The bytes of an entry that waits."""
        place = self._place(path)
        try:
            return checked(path, place.read_bytes(), str(place))
        except OSError as error:
            raise LabError(f"{place}: cannot be read ({error.strerror}); add the results again") from error

    def clear(self, paths: Collection[str]) -> None:
        """Let these wait no longer."""
        for path in paths:
            self._place(path).unlink(missing_ok=True)

    def tidy(self) -> int:
        """Remove what dead writers left; how many files."""
        left = [
            place for place in self.folder.glob(f"{_UNFINISHED}*") if time.time() - place.stat().st_mtime > SETTLED_S
        ]
        for place in left:
            place.unlink(missing_ok=True)
        return len(left)

    def _is_sound(self, path: str) -> bool:
        try:
            return bool(checked(path, self._place(path).read_bytes(), path) or True)
        except (OSError, RecordError):
            return False

    def _place(self, path: str) -> Path:
        return self.folder / path.replace("/", _APART)


def _path(place: Path) -> str:
    return place.name.replace(_APART, "/")
