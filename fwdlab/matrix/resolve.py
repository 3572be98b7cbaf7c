"""From moving revisions to exact packages, and from runner scripts to the hash that stands for them.

The lab's own script knows its package archive: `labs/LAB/resolve.sh KIND PACKAGE VERSION ARCH` (image, x86_64), called
in the folder of the matrix, prints one line, `package<TAB>version<TAB>sha256`; it exits with 2 where there is no such
package or version and with 3 where the archive cannot be reached, a sentence on standard error. Of a git repository
the version is the commit, and the hash is empty.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.case import Case, Kind, Lab, Revision
from fwdlab.errors import Fault, LabError, MatrixError
from fwdlab.files import sha256_of
from fwdlab.matrix.expand import Pins, Runners, expand, pairs
from fwdlab.matrix.model import Arch, Machine, Matrix, Source
from fwdlab.matrix.words import quoted

_PATIENCE_S = 600  # a package may have to be fetched before its hash is known
_AT_A_TIME = 8  # an archive is asked by this many scripts side by side
_ANSWER = re.compile(r"([^\t\n]+)\t([A-Za-z0-9][A-Za-z0-9.+:~_-]*)\t([0-9a-f]{64}|)\n?")
_SHARED = ("lib", "generators", "profilers")  # folders of the runner scripts that every lab uses, where they exist
_BORROWED = {  # a lab that has the programs of another, or builds by its steps
    Lab.SSH: ("labs/netns", "labs/qemu/build.sh", "labs/qemu/compile.sh", "labs/qemu/patch.sh", "labs/qemu/source.sh")
}


@dataclass(frozen=True, slots=True)
class _Question:
    """What one call of a resolve script is asked; machines with the same question share the answer."""

    lab: Lab
    kind: Kind
    package: str
    version: str
    arch: Arch | None


def resolved_cases(matrix: Matrix, runner_scripts: Path) -> tuple[Case, ...]:
    """Every case with its exact package and the state of the runner scripts: what a lab measures."""
    return tuple(expand(matrix, resolve(matrix, runner_scripts), runner_hashes(matrix, runner_scripts)))


def resolve(matrix: Matrix, runner_scripts: Path) -> Pins:
    """The exact package of each revision on each machine; MatrixError that names every revision there is not."""
    booted = list(pairs(matrix))
    questions = dict.fromkeys(_question(machine, source) for machine, source in booted)
    with ThreadPoolExecutor(max_workers=_AT_A_TIME) as pool:
        replies = dict(
            zip(questions, pool.map(lambda asked: _ask(asked, runner_scripts, matrix.folder), questions), strict=True)
        )
    answered = [(machine, source, replies[_question(machine, source)]) for machine, source in booted]
    _refuse(matrix, [(source, reply) for _, source, reply in answered])
    return {
        (machine.name, source.name): replace(reply, name=source.name)
        for machine, source, reply in answered
        if isinstance(reply, Revision)
    }


def _question(machine: Machine, source: Source) -> _Question:
    return _Question(machine.lab, source.kind, source.package_for(machine.arch), source.version, machine.arch)


def _ask(question: _Question, runner_scripts: Path, folder: Path) -> Revision | MatrixError | LabError:
    """The script's answer; an error is handed back, since those of the other calls are to be told with it."""
    script = runner_scripts / "labs" / question.lab / "resolve.sh"
    command = [str(script.resolve()), question.kind, question.package, question.version, question.arch or "-"]
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return LabError(f"{script}: no answer for {quoted(question.package)} after {_PATIENCE_S} s; check the archive")
    except OSError as error:
        return LabError(f"{script}: cannot be run ({error.strerror}); check --runner-scripts")
    said, complaint = done.stdout.decode(errors="replace"), _last_line(done.stderr)
    answer = _ANSWER.fullmatch(said)
    if done.returncode == 0 and answer:
        return Revision(name="", kind=question.kind, package=answer[1], version=answer[2], sha256=answer[3])
    if done.returncode == 2:
        return MatrixError(complaint or f"package {quoted(question.package)} has no version {quoted(question.version)}")
    if done.returncode == 0:
        complaint = f"answered {quoted(said.strip())} for {quoted(question.package)}; run it by hand"
    return LabError(f"{script}: {complaint or f'ended with status {done.returncode}; run it by hand'}")


def _last_line(complaint: bytes) -> str:
    lines = complaint.decode(errors="replace").split("\n")
    written = [line.strip() for line in lines if line.strip()]
    return "".join(char for char in written[-1] if char.isprintable()) if written else ""


def _refuse(matrix: Matrix, replies: Sequence[tuple[Source, Revision | MatrixError | LabError]]) -> None:
    """Raise what was wrong with the replies: the matrix's faults first, since no retry helps them."""
    for source, reply in replies:
        if isinstance(reply, MatrixError) and not source.line:
            raise reply
    faults = {
        Fault(path=matrix.origin, line=source.line, column=source.column, message=f"revision '{source.name}': {reply}")
        for source, reply in replies
        if isinstance(reply, MatrixError)
    }
    if faults:
        raise MatrixError.of_faults(faults)
    broken = dict.fromkeys(str(reply) for _, reply in replies if isinstance(reply, LabError))
    if broken:
        raise LabError("\n".join(broken))


def runner_hashes(matrix: Matrix, runner_scripts: Path) -> Runners:
    """The state of the runner scripts for each lab of the matrix."""
    return {lab: runner_sha256(lab, runner_scripts) for lab in {machine.lab for machine in matrix.machines}}


def runner_sha256(lab: Lab, runner_scripts: Path) -> str:
    """SHA-256 over names and bytes of the scripts a case of that lab runs; rule files have their own in the case."""
    own = runner_scripts / "labs" / lab
    if not own.is_dir():
        raise LabError(f"{own}: no such folder; check --runner-scripts")
    folders = [own, *(runner_scripts / name for name in (*_SHARED, *_BORROWED.get(lab, ())))]
    paths = [*runner_scripts.glob("*.sh"), *folders, *(path for folder in folders for path in folder.rglob("*"))]
    digest = hashlib.sha256()
    for name, path in sorted(_scripts(paths, runner_scripts).items()):
        digest.update(f"{name}\0{sha256_of(path)}\n".encode())
    return digest.hexdigest()


def _scripts(paths: Iterable[Path], root: Path) -> Mapping[str, Path]:
    """The files among the paths by their name below `root`; what editors hide beside them is no script."""
    return {path.relative_to(root).as_posix(): path for path in paths if path.is_file() and path.name[0] != "."}
