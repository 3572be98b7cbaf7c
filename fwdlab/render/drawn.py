"""Figures drawn once: kept by everything they are drawn from, so that a site that grows draws only what is new."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from fwdlab.files import sha256_of, write_whole

_SUMS = "sums"  # written last: without it the files beside it are not all there
_PACKAGE = Path(__file__).parents[1]

Files = Mapping[str, bytes]


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawings:
    """Figures in a folder that may be removed at any time; None keeps nothing."""

    folder: Path | None
    wanted: set[str]  # by this site

    def files(self, drawn_from: object, draw: Callable[[], Files]) -> Files:
        """The files of one figure, drawn now where they are not there as they were, from what `drawn_from` tells."""
        if self.folder is None:
            return draw()
        key = hashlib.sha256(f"{_drawer()}\n{drawn_from!r}".encode(errors="surrogatepass")).hexdigest()
        self.wanted.add(key)
        found = _read(self.folder / key)
        if found is None:
            found = draw()
            _write(self.folder / key, found)
        return found

    def forget_others(self) -> None:
        """Remove the figures that are on no page of this site."""
        for place in self.folder.iterdir() if self.folder is not None and self.folder.is_dir() else ():
            if place.name not in self.wanted:
                shutil.rmtree(place, ignore_errors=True)


NOT_KEPT = Drawings(folder=None, wanted=set())


@cache
def _drawer() -> str:
    """What draws: every line of this package, and the library."""
    sums = (f"{path.relative_to(_PACKAGE)} {sha256_of(path)}" for path in sorted(_PACKAGE.rglob("*.py")))
    return "\n".join((version("matplotlib"), *sums))


def _read(place: Path) -> Files | None:
    """The files, if every one of them is what it was."""
    try:
        lines = (place / _SUMS).read_text(encoding="utf-8").splitlines()
        found = {name: (place / name).read_bytes() for _, _, name in (line.partition("  ") for line in lines)}
    except (OSError, ValueError):
        return None
    return found if found and _sums(found) == "".join(f"{line}\n" for line in lines) else None


def _write(place: Path, files: Files) -> None:
    for name, content in files.items():
        write_whole(place / name, content)
    write_whole(place / _SUMS, _sums(files))


def _sums(files: Files) -> str:
    return "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
