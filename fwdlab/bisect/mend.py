"""Commits with their fix-ups as commits of a repository of our own, so that the tree that is searched stays as it is.

That repository borrows the tree's objects. A mended commit has the same id every time, and so the same results.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fwdlab.bisect.git import Done, complaint, run_git, said
from fwdlab.bisect.history import History
from fwdlab.bisect.model import Commit, Skipped
from fwdlab.errors import LabError
from fwdlab.files import write_whole

_NOBODY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "fwdlab"), ("EMAIL", "fwdlab@localhost"), ("DATE", "2000-01-01T00:00:00Z"))
} | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Mended:
    """The repository of mended commits of one tree."""

    folder: Path
    history: History

    def commit(self, commit: Commit, patch: bytes) -> str | Skipped:
        """The id of the commit with the patch on top; skipped where the patch does not fit."""
        self._open()
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            index = Path(scratch).resolve() / "index"
            self._said(index, "read-tree", commit.id)
            done = self._git(index, "apply", "--cached", "--whitespace=nowarn", "-", given=patch)
            if done.returncode:
                return Skipped(commit=commit, reason=f"a fix-up does not fit ({complaint(done)}); mend the patch")
            tree = self._said(index, "write-tree")
            return self._said(index, "commit-tree", "-p", commit.id, "-m", f"{commit.subject} (mended)", tree)

    def _open(self) -> None:
        if not (self.folder / "HEAD").exists():
            done = run_git("init", "--quiet", "--bare", str(self.folder))
            if done.returncode:
                raise LabError(f"{self.folder}: cannot be made ({complaint(done)}); free space")
        write_whole(self.folder / "objects" / "info" / "alternates", f"{self.history.objects}\n")

    def _said(self, index: Path, *words: str) -> str:
        done = self._git(index, *words)
        if done.returncode:
            raise LabError(f"{self.folder}: 'git {words[0]}' failed ({complaint(done)}); remove it and search again")
        return said(done)

    def _git(self, index: Path, *words: str, given: bytes = b"") -> Done:
        ours = {"GIT_DIR": str(self.folder.resolve()), "GIT_INDEX_FILE": str(index)}
        return run_git(*words, given=given, **ours, **_NOBODY)
