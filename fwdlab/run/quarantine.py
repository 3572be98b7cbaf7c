"""Which machines no job may use: what `runner-scripts/lib/machines.sh` keeps of them on this host."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_SHARED = Path("/var/lib/fwdlab/machines")
_NO_HOME = Path("/") / "var/tmp/fwdlab"


def machines_folder(environ: Mapping[str, str]) -> Path:
    """Where leases and quarantines lie, as the runner scripts have it."""
    if given := environ.get("FWDLAB_MACHINES"):
        return Path(given)
    if _SHARED.is_dir():
        return _SHARED
    home = environ.get("HOME") or f"{_NO_HOME}-{os.getuid()}"
    own = environ.get("XDG_CACHE_HOME") or f"{home}/.cache"
    return Path(environ.get("FWDLAB_CACHE") or f"{own}/fwdlab") / "machines"


def quarantine_of(machine: str, folder: Path) -> str:
    """Why the machine is in quarantine and what lifts it, in a sentence; empty where it is not."""
    try:
        text = (folder / f"{machine}.quarantine").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    said = dict(line.partition("\t")[::2] for line in text.splitlines())
    words = f"quarantined since {said.get('since', '?')} because {said.get('why', '?')}"
    printable = "".join(letter for letter in words if letter.isprintable())
    return f"{machine}: {printable}; './lab doctor {machine}' lifts it when all is well"
