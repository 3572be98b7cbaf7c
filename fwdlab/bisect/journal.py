"""Where the log of a search is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import RecordError
from fwdlab.files import write_whole


@dataclass(frozen=True, kw_only=True, slots=True)
class Journal:
    """A log on disk: it grows by whole entries, or not at all."""

    path: Path

    @property
    def text(self) -> str:
        """All of it; empty where nothing was written yet."""
        try:
            return self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(f"{self.path}: cannot be read ({error}); remove it to start anew") from error

    def add(self, entry: str) -> None:
        """Add an entry, unless it is what the log ends with: a search that was called again says nothing twice."""
        text = self.text
        if not text.endswith(entry):
            write_whole(self.path, text + entry)
