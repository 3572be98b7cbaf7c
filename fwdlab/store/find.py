"""The entry that somebody means by the first digits of its hash."""

from __future__ import annotations

import re

from fwdlab.errors import MatrixError
from fwdlab.store.access import Reader
from fwdlab.store.entry import Kind, sha256_in

DIGITS = 12  # that a list shows
_FEWEST = 6
_MEANT = (Kind.RECORD, Kind.CAMPAIGN, Kind.FLOOR, Kind.NOTE)


def found(reader: Reader, word: str) -> str:
    """The path of the entry whose hash begins so; MatrixError where none does, or several do."""
    if not re.fullmatch(rf"[0-9a-f]{{{_FEWEST},64}}", word):
        raise MatrixError(
            f"'{word[:64]}': is no hash; give at least {_FEWEST} digits as 'fwdlab store list' prints them"
        )
    paths = [path for path in reader.names(*_MEANT) if sha256_in(path).startswith(word)]
    if not paths:
        raise MatrixError(f"'{word}': no record, campaign, floor or note of the store begins so; 'fwdlab store list'")
    if len(paths) > 1:
        raise MatrixError(f"'{word}': begins {len(paths)} entries, such as '{paths[0]}'; give more digits")
    return paths[0]
