"""Kernels built on the host of the runner's tests: their cases, patches, trees, and what is left of a build."""

from __future__ import annotations

import difflib
import hashlib
import os
import subprocess
from pathlib import Path

from fwdlab.case import Kind, Patch, Revision
from tests.scripts.runner.bench import Bench, Done
from tests.scripts.runner.packages import LINUX, SOURCE

VERSION = "9.9.1-1"
NAME = f"src ({SOURCE} {VERSION})"  # the source, as messages call it
FORWARD = "net/forward.c"
SLOWER = "\tdecrease(packet);\n\tforwarded++;\n"  # a passage of it that can be made slower
OPTIONS = "CONFIG_NET_EXTRA=y"


def of_package(bench: Bench, version: str = VERSION, package: str = SOURCE) -> Bench:
    """The same host, asked for a kernel built from a source package."""
    digest = bench.archive.sources.get(version, "")
    revision = Revision(name="src", kind=Kind.SOURCE, package=package, version=version, sha256=digest)
    return bench.with_case(revision=revision)


def of_commit(bench: Bench, repository: str, commit: str) -> Bench:
    """The same host, asked for a kernel built from a commit."""
    return bench.with_case(revision=Revision(name="tree", kind=Kind.GIT, package=repository, version=commit, sha256=""))


def patched(bench: Bench, text: str | bytes, name: str = "a.patch", options: str = "") -> Bench:
    """The same host, asked for that kernel with a patch."""
    data = text if isinstance(text, bytes) else text.encode()
    path = bench.workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    patch = Patch(name="slower", file=name, sha256=hashlib.sha256(data).hexdigest(), options=options)
    return bench.with_case(patch=patch)


def with_options(bench: Bench, options: str) -> Bench:
    """The same host, asked for that kernel with other options."""
    return bench.with_case(patch=Patch(name="more", file="", sha256="", options=options))


def diff(path: str, old: str, new: str, context: int = 3) -> str:
    """What `git diff` says of a file that changed, appeared (`old` empty) or went."""
    names = (f"a/{path}" if old else "/dev/null", f"b/{path}" if new else "/dev/null")
    kind = "" if old and new else f"{'deleted' if old else 'new'} file mode 100644\n"
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), *names, n=context)
    return f"diff --git a/{path} b/{path}\n{kind}{''.join(lines)}"


def edit(old: str, new: str, path: str = FORWARD) -> str:
    """The patch that replaces a passage of a file of the source."""
    text = (LINUX / path).read_text()
    assert text.count(old) == 1
    return diff(path, text, text.replace(old, new))


def slower(times: int = 1) -> str:
    """A patch that costs, each number of times another one."""
    return edit(SLOWER, SLOWER.replace("++", f" += {times + 1}"))


def folder(done: Done) -> Path:
    """The kernel that a build printed the folder of."""
    assert done.status == 0, done.said
    path = Path(done.out.removesuffix("\n"))
    assert (path / "release").read_text() == "6.1.0-9-fake\n"
    return path


def compiled(kernel: Path) -> list[str]:
    """The files that were compiled for a kernel."""
    lines = (kernel / "build.log").read_text().splitlines()
    return [line.split()[1] for line in lines if line.startswith("  CC ")]


def image(kernel: Path) -> str:
    """A kernel's bytes in short."""
    return hashlib.sha256((kernel / "image").read_bytes()).hexdigest()


def tree(bench: Bench) -> Path:
    """The work tree of the one source that the host has."""
    (found,) = bench.cache.glob("sources/*/tree")
    return found


def differences(bench: Bench, source: Path = LINUX) -> list[str]:
    """The files of the work tree that are not as in the source."""
    sides = [
        {path.relative_to(side): path.read_bytes() for path in side.rglob("*") if path.is_file()}
        for side in (source, tree(bench))
    ]
    return sorted(str(path) for path in sides[0].keys() | sides[1].keys() if sides[0].get(path) != sides[1].get(path))


def log_of(bench: Bench) -> Path:
    """The log of the build that failed last."""
    logs = [path for path in bench.cache.glob("kernels/built-*.log") if not path.with_suffix("").exists()]
    return max(logs, key=lambda path: path.stat().st_mtime_ns)


def git(repository: Path, *words: str, **settings: str) -> str:
    """What git says in a repository of ours, with nobody's configuration."""
    own = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "LC_ALL": "C", **settings}
    command = ["git", "-C", str(repository), "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
    return subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=True).stdout.strip()
