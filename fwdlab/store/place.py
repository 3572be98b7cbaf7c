"""How a command line names a store: a folder, or a branch with or without its remote."""

from __future__ import annotations

from pathlib import Path

from fwdlab.errors import MatrixError
from fwdlab.store.access import Store
from fwdlab.store.branch import BranchStore, folder_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.git import Git
from fwdlab.store.lines import Line, LocalLine, RemoteLine

_GIT = "git:"
DEADLINE_S = 120.0


def store_at(word: str, deadline_s: float = DEADLINE_S) -> Store:
    """The store that FOLDER or git:BRANCH[@REMOTE] stands for; the repository is that of the working directory."""
    if not word.startswith(_GIT):
        return FolderStore(root=Path(word))
    branch, at, remote = word.removeprefix(_GIT).partition("@")
    git = Git(folder=Path())
    common = git.common_folder()
    if branch.startswith("-") or git.call("check-ref-format", f"refs/heads/{branch}").status:
        raise MatrixError(
            f"{_GIT}{branch}: '{branch}' is no name of a branch; write it like 'git:fwdlab-records@origin'"
        )
    if at and (not remote or remote.startswith("-")):
        raise MatrixError(f"{_GIT}{branch}: '{remote}' is no remote; write it like 'git:fwdlab-records@origin'")
    line: Line = RemoteLine(git=git, branch=branch, remote=remote) if remote else LocalLine(git=git, branch=branch)
    return BranchStore(line=line, folder=folder_of(common, line), deadline_s=deadline_s)
