"""Commits with their fix-ups as commits of a repository of our own, so that the tree that is searched stays as it is.

That repository borrows the tree's objects. A mended commit has the same id every time, and so the same results.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fwdlab.bisect.model import Commit, Skipped, safe
from fwdlab.errors import LabError, MatrixError

_NOBODY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "fwdlab"), ("EMAIL", "fwdlab@localhost"), ("DATE", "2000-01-01T00:00:00Z"))
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Mended:
    """The repository of mended commits of one tree."""

    folder: Path
    tree: Path

    def commit(self, commit: Commit, patch: bytes) -> str | Skipped:
        """The id of the commit with the patch on top; skipped where the patch does not fit."""
        self._open()
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            index = Path(scratch) / "index"
            self._said(index, "read-tree", commit.id)
            done = self._git(index, "apply", "--cached", "--whitespace=nowarn", "-", given=patch)
            if done.returncode:
                return Skipped(commit=commit, reason=f"a fix-up does not fit ({_complaint(done)}); mend the patch")
            tree = self._said(index, "write-tree")
            return self._said(index, "commit-tree", "-p", commit.id, "-m", f"{commit.subject} (mended)", tree)

    def _open(self) -> None:
        objects = self._said(None, "-C", str(self.tree), "rev-parse", "--path-format=absolute", "--git-path", "objects")
        if not (self.folder / "HEAD").exists():
            self._said(None, "init", "--quiet", "--bare", str(self.folder))
        (self.folder / "objects" / "info" / "alternates").write_text(f"{objects}\n", encoding="utf-8")

    def _said(self, index: Path | None, *words: str) -> str:
        done = self._git(index, *words)
        if done.returncode:
            raise MatrixError(f"{self.tree}: 'git {words[0]}' failed ({_complaint(done)}); is it whole? try 'git fsck'")
        return done.stdout.decode(errors="replace").strip()

    def _git(self, index: Path | None, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        ours = {} if index is None else {"GIT_DIR": str(self.folder.resolve()), "GIT_INDEX_FILE": str(index.resolve())}
        try:
            return subprocess.run(
                ["git", *words],
                input=given,
                env={
                    **own,
                    **ours,
                    **_NOBODY,
                    "GIT_CONFIG_GLOBAL": os.devnull,
                    "GIT_CONFIG_NOSYSTEM": "1",
                    "LC_ALL": "C",
                },
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise LabError(f"git: cannot be run ({error.strerror}); install the package 'git'") from error


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """The first thing git said."""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return safe(said[0] if said else f"status {done.returncode}")
