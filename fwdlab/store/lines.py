"""Where the commits of a store go: a branch of the repository itself, or one of a remote."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Protocol

from fwdlab.errors import LabError, MatrixError, RecordError
from fwdlab.store.git import Git, without_secrets
from fwdlab.store.snapshot import Snapshot

_SHOWN = 12  # digits of a commit


class Line(Protocol):
    """A branch that is only ever added to."""

    @property
    def title(self) -> str:
        """The store, as a message names it."""

    def tip(self, until: float) -> Snapshot:
        """Its last commit as it is now; of none where there is no such branch."""

    def advance(self, base: Snapshot, commit: str, until: float) -> str:
        """Move it from `base` on to `commit`; empty, or what was said where that was refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalLine:
    """A branch of this repository."""

    git: Git
    branch: str

    @property
    def title(self) -> str:
        """The store, as a message names it."""
        return f"git:{self.branch}"

    def tip(self, until: float) -> Snapshot:  # noqa: ARG002 - nobody is waited for
        """Its last commit; MatrixError where a work tree has the branch checked out."""
        if f"branch refs/heads/{self.branch}" in self.git.said("worktree", "list", "--porcelain").splitlines():
            raise MatrixError(f"{self.title}: is checked out, and a store has no work tree; name a branch of its own")
        return Snapshot(git=self.git, title=self.title, commit=_commit(self.git, f"refs/heads/{self.branch}"))

    def advance(self, base: Snapshot, commit: str, until: float) -> str:
        """Move the branch, if it is still where it was."""
        old = base.commit or "0" * len(commit)
        words = ("update-ref", "-m", "fwdlab store", f"refs/heads/{self.branch}", commit, old)
        done = self.git.call(*words, until=until)
        return done.said or "git update-ref failed" if done.status else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteLine:
    """A branch of a remote; the last commit seen is remembered in a ref of our own."""

    git: Git
    branch: str
    remote: str

    @property
    def title(self) -> str:
        """The store, as a message names it."""
        return without_secrets(f"git:{self.branch}@{self.remote}")

    @property
    def memory(self) -> str:
        """The ref that remembers."""
        return f"refs/fwdlab/{hashlib.sha256(self.title.encode()).hexdigest()[:_SHOWN]}"

    def tip(self, until: float) -> Snapshot:
        """The remote's last commit, fetched; RecordError where entries seen before are gone from the branch."""
        self._check_remote()
        seen = self._snapshot(_commit(self.git, self.memory))
        found = self._snapshot(self._asked(until))
        if found.commit != seen.commit:
            if found.commit and not _has(self.git, found.commit):
                self._fetch(found.commit, until)
            self._check_kept(seen, found)
            self._remember(found.commit)
        return found

    def advance(self, base: Snapshot, commit: str, until: float) -> str:  # noqa: ARG002 - the remote compares
        """Push without force: a branch that moved meanwhile refuses."""
        words = ("push", "--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
        done = self.git.call(*words, "--", self.remote, f"{commit}:refs/heads/{self.branch}", until=until)
        if done.status:
            return done.said or "git push failed"
        self._remember(commit)
        return ""

    def _check_remote(self) -> None:
        if not {"/", ":"} & set(self.remote):
            known = self.git.said("remote").split()
            if self.remote not in known:
                there = ", ".join(f"'{name}'" for name in known) or "none"
                raise MatrixError(f"{self.title}: there is no remote '{self.remote}'; the repository has {there}")

    def _asked(self, until: float) -> str:
        """The commit the remote has."""
        done = self.git.call("ls-remote", "--quiet", "--", self.remote, f"refs/heads/{self.branch}", until=until)
        if done.status:
            raise LabError(f"{self.title}: the remote cannot be read ({done.said}); look at network and access")
        return done.out.partition("\t")[0].strip()

    def _fetch(self, commit: str, until: float) -> None:
        """Take the branch's objects over; what else a fetch may do, it does not."""
        words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--recurse-submodules=no")
        done = self.git.call(*words, "--", self.remote, f"refs/heads/{self.branch}", until=until)
        if done.status or not _has(self.git, commit):
            said = done.said or "the branch moved back"
            raise LabError(f"{self.title}: cannot be fetched ({said}); look at network and access, then try again")

    def _check_kept(self, seen: Snapshot, found: Snapshot) -> None:
        """A branch that was written anew may still have everything; what it lost is no accident to pass over."""
        if not seen.commit or (found.commit and _is_ancestor(self.git, seen.commit, found.commit)):
            return
        if lost := sorted(set(seen.names("")) - set(found.names(""))):
            raise RecordError(
                f"{self.title}: somebody rewrote the branch, and {len(lost)} entries that were there are gone, such as "
                f"'{lost[0]}'; ask who. 'git branch saved {seen.commit[:_SHOWN]}' keeps them for 'fwdlab store add', "
                f"'git update-ref -d {self.memory}' accepts the branch as it is"
            )

    def _remember(self, commit: str) -> None:
        """Only the next fetch and the next look for lost entries use it, so it is no matter if it fails."""
        self.git.call("update-ref", self.memory, commit) if commit else self.git.call("update-ref", "-d", self.memory)

    def _snapshot(self, commit: str) -> Snapshot:
        return Snapshot(git=self.git, title=self.title, commit=commit)


def _commit(git: Git, ref: str) -> str:
    """The commit a ref stands for; empty where there is no such ref."""
    return git.call("rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}").out.strip()


def _has(git: Git, commit: str) -> bool:
    return git.call("cat-file", "-e", f"{commit}^{{commit}}").status == 0


def _is_ancestor(git: Git, old: str, new: str) -> bool:
    return git.call("merge-base", "--is-ancestor", old, new).status == 0
