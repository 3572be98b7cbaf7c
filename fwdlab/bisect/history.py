"""A git tree as the search reads it. Only its objects are: nothing is checked out, and no file of it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fwdlab.bisect.git import Done, complaint, run_git, said
from fwdlab.bisect.model import Commit, safe
from fwdlab.errors import MatrixError
from fwdlab.matrix.words import listed, quoted

_SUSPECT = re.compile(r"(?P<id>[0-9a-f]{40,64}) \((?:.*, )?dist=(?P<apart>\d+)\)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspect:
    """A commit that may be the one, and how many suspects its measurement clears at least."""

    id: str
    apart: int  # 0: the last suspect itself, which is known to have the change


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """The commits of one git tree, or of a bare repository."""

    tree: Path
    first_parent: bool  # merges count as one commit: what they bring in is not looked into

    def refuse_changed(self) -> None:
        """MatrixError where files of the tree differ from its last commit: no commit would have those changes."""
        if self._said("rev-parse", "--is-bare-repository") == "true":
            return
        changed = self._said("status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames").split("\0")
        if names := [line[3:] for line in changed if line]:
            raise MatrixError(f"{self.tree}: local changes in {listed(names)}; commit them or put them aside")

    def commit(self, revision: str) -> Commit:
        """The commit a revision names; MatrixError where it names none."""
        asked = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        done = self._git(*asked)
        if done.returncode:
            raise MatrixError(f"{self.tree}: {quoted(revision)} is no commit of it; 'git log' lists those there are")
        return self.at(said(done))

    def at(self, commit: str) -> Commit:
        """The commit with that id."""
        shown = self._said("log", "--max-count=1", "--no-show-signature", "--format=%H%x00%s%x00%aI", commit)
        whole, subject, date = shown.split("\0")
        return Commit(id=whole, subject=safe(subject), date=date)

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether one commit contains another, or is it."""
        done = self._git("merge-base", "--is-ancestor", older, newer)
        if done.returncode not in {0, 1}:
            raise self._broken("merge-base", done)
        return done.returncode == 0

    def merge_bases(self, one: str, other: str) -> tuple[str, ...]:
        """The best common ancestors of two commits."""
        done = self._git("merge-base", "--all", one, other)
        if done.returncode not in {0, 1}:
            raise self._broken("merge-base", done)
        return tuple(said(done).split())

    def parents(self, commit: str) -> tuple[Commit, ...]:
        """The parents of a commit, or only the first where merges count as one commit."""
        ids = self._said("rev-list", "--parents", "--max-count=1", commit).split()[1:]
        return tuple(self.at(parent) for parent in (ids[:1] if self.first_parent else ids))

    def suspects(self, bad: str, goods: Sequence[str]) -> tuple[Suspect, ...]:
        """The commits that `bad` contains and no good one does, the best to measure next first, as git ranks them."""
        found = [_SUSPECT.fullmatch(line) for line in self._range("--bisect-all", bad, goods)]
        return tuple(Suspect(id=match["id"], apart=int(match["apart"])) for match in found if match)

    def oldest_first(self, bad: str, goods: Sequence[str]) -> tuple[Commit, ...]:
        """The same commits, none before its parents."""
        return tuple(self.at(commit) for commit in reversed(self._range("--topo-order", bad, goods)))

    def _range(self, order: str, bad: str, goods: Sequence[str]) -> list[str]:
        along = ("--first-parent",) if self.first_parent else ()
        return self._said("rev-list", order, *along, bad, "--not", *goods).splitlines()

    @property
    def objects(self) -> Path:
        """The folder of the tree's objects."""
        return Path(self._said("rev-parse", "--path-format=absolute", "--git-path", "objects"))

    def _said(self, *words: str) -> str:
        done = self._git(*words)
        if done.returncode:
            raise self._broken(words[0], done)
        return said(done)

    def _broken(self, word: str, done: Done) -> MatrixError:
        return MatrixError(
            f"{self.tree}: 'git {word}' ended with status {done.returncode} ({complaint(done)}); is it a git tree?"
        )

    def _git(self, *words: str) -> Done:
        return run_git("-C", str(self.tree), *words)
