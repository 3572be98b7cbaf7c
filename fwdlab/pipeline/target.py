"""The cases of another commit: what a change is held against."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fwdlab.case import Case
from fwdlab.errors import FwdlabError
from fwdlab.matrix.expand import as_written, expand, quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix, Names
from fwdlab.matrix.resolve import runner_hashes
from fwdlab.matrix.words import quoted

_NO_COMMIT = "0" * 40  # what GitLab says of a branch that has none before


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Where the matrix and the runner scripts lie in a working tree."""

    matrix: Path
    runner_scripts: Path
    quick: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Before:
    """The cases of a commit, or a sentence on why they are not known."""

    cases: Mapping[Names, Case]
    doubt: str


def as_declared(declared: Matrix, runner_scripts: Path) -> tuple[Case, ...]:
    """The cases of a matrix with revisions as it has them: two commits differ by what was written alone."""
    return tuple(expand(declared, as_written(declared), runner_hashes(declared, runner_scripts)))


def cases_at(commit: str, asked: Asked) -> Before:
    """The cases that the same matrix file has in another commit; nothing is checked out."""
    if commit in {"", _NO_COMMIT}:
        return _unknown("there is no commit before this one")
    with tempfile.TemporaryDirectory(prefix="fwdlab-target-") as folder:
        tree = Path(folder) / "tree"
        try:
            top = Path(_git(asked.matrix.parent, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
            _write_tree(top, commit, tree)
        except _GitError as error:
            return _unknown(
                f"{quoted(commit)} cannot be read ({error}); fetch it, or name another commit with --against"
            )
        try:
            return Before(cases=_cases_in(tree, top, asked), doubt="")
        except (FwdlabError, OSError) as error:
            said = str(error).replace(f"{tree}/", "").splitlines()[0]
            return _unknown(f"{quoted(commit)} cannot be expanded ({said})")


def _write_tree(top: Path, commit: str, folder: Path) -> None:
    """Put the files of a commit into a folder; git itself sees to it that none lands beside it."""
    index = {"GIT_INDEX_FILE": f"{folder}.index"}
    _git(top, "read-tree", f"{commit}^{{tree}}", **index)
    _git(top, "checkout-index", "--all", f"--prefix={folder}/", **index)


def _cases_in(folder: Path, top: Path, asked: Asked) -> dict[Names, Case]:
    declared = load_matrix(folder / asked.matrix.resolve().relative_to(top))
    scripts = asked.runner_scripts.resolve()
    ours = folder / scripts.relative_to(top) if scripts.is_relative_to(top) else scripts
    cases = as_declared(quick_of(declared) if asked.quick else declared, ours)
    return {case.names: case for case in cases}


def _unknown(why: str) -> Before:
    return Before(cases={}, doubt=f"every case counts as changed: {why}")


class _GitError(Exception):
    """What git complained of."""


def _git(folder: Path, *words: str, **settings: str) -> bytes:
    command = ["git", "-C", str(folder), *words]
    try:
        done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, check=False)
    except OSError as error:
        raise _GitError(str(error.strerror)) from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise _GitError(lines[-1] if lines else f"git ended with status {done.returncode}")
    return done.stdout
