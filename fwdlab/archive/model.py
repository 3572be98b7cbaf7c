"""A folder of archived logs as values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Info:
    """What an archive's `.info` says of a series; empty where it does not say."""

    image: str
    config: str
    pktgen: str
    uname: str
    started: str  # UTC, ISO 8601
    ended: str

    @property
    def host(self) -> str:
        """The DUT's own name."""
        return self._word(1)

    @property
    def release(self) -> str:
        """The release it booted, as `uname -r` gives it."""
        return self._word(2)

    @property
    def version(self) -> str:
        """The version line of its kernel, as `uname -v` gives it, and the machine's kind."""
        return " ".join(self.uname.split()[3:])

    def _word(self, place: int) -> str:
        return dict(enumerate(self.uname.split())).get(place, "")


NOTHING_SAID = Info(image="", config="", pktgen="", uname="", started="", ended="")


@dataclass(frozen=True, kw_only=True, slots=True)
class Logs:
    """The logs of one repeat."""

    number: int
    sender: Path | None
    receiver: Path
    graph: Path | None  # of a profile


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """The repeats of one case under the name the archive has for them."""

    name: str
    info_file: Path | None
    info: Info
    logs: tuple[Logs, ...]  # by their numbers
    listed: Path | None  # one rate a line
    tables: tuple[Path, ...]  # of the folder, with median and extremes of a series in a line

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file the series is made of, sorted."""
        logged = (path for item in self.logs for path in (item.sender, item.receiver, item.graph))
        return tuple(sorted(path for path in (self.info_file, self.listed, *logged) if path))


@dataclass(frozen=True, kw_only=True, slots=True)
class Archive:
    """A folder of archived logs."""

    folder: Path
    series: tuple[Series, ...]  # by their names
    doubts: tuple[str, ...]  # a sentence for each file that belongs to nothing, or says nothing
