"""`fwdlab build` against a lab of fakes: each kernel once, the others go on, and what is said of those that failed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.run.example import FAKE_LAB
from tests.unit.run.fakelab import MATRIX, ROOT, FakeLab
from tests.unit.run.processes import until
from tests.unit.run.test_try_command import TEXT, patch

PATCHES = ("wins", "unfit", "homeless", "offset", "idle")
ENTRIES = "".join(f"  {word}: {{file: {word}.patch}}\n" for word in PATCHES)
UNFIT = "unfit.patch: hunk 2 of net/a.c (line 7) does not fit src; read x.log, and write it anew"
HOMELESS = "box: 'gcc' is missing; install the Debian package 'gcc'"


@pytest.fixture
def lab(lab: FakeLab) -> FakeLab:
    """A lab of fakes whose matrix has two revisions that are built, and patches that come out as their names say."""
    for word in PATCHES:
        patch(lab, word, f"{word}.patch")
    return lab.write(TEXT.replace("  none: {}\n", f"  none: {{}}\n{ENTRIES}"))


def words(lab: FakeLab, *more: str) -> list[str]:
    """The command line, without the program."""
    places = ("-m", str(lab.folder / "matrix.yaml"), "--results", str(lab.results))
    return ["build", *more, *places, "--runner-scripts", str(FAKE_LAB)]


def build(lab: FakeLab, *more: str) -> Result:
    return CliRunner(env=lab.variables).invoke(main, words(lab, *more))


def printed(*patches: str, revision: str = "src") -> list[str]:
    """The lines of the kernels with these patches."""
    return [f"box/{revision}/{name}\t/kernels/box/{revision}-{name}" for name in patches]


def test_a_line_for_each_kernel_and_its_folder(lab: FakeLab) -> None:
    done = build(lab, "*/src/forwarding/[nwi]*")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == printed("none", "wins", "idle")


def test_each_kernel_is_asked_for_once_whatever_is_in_front_of_it(lab: FakeLab) -> None:
    done = build(lab, "*/none/*")
    assert done.stdout.splitlines() == [*printed("none"), *printed("none", revision="later")]
    assert len(lab.calls) == 2
    assert not any("/old/" in call or "/new/" in call for call in lab.calls), "they come built"


def test_kernels_that_fail_are_told_and_the_others_go_on(lab: FakeLab) -> None:
    done = build(lab, "*/src/*")
    assert done.exit_code == 2
    assert done.stdout.splitlines() == printed("none", "wins", "offset", "idle")
    assert done.stderr.splitlines() == [
        "offset.patch: applies to src with offsets (hunk 1 of net/a.c by 3 lines); see x.log",
        f"box/src/forwarding/unfit/udp4: {UNFIT}",
        f"box/src/forwarding/homeless/udp4: {HOMELESS}",
    ]


@pytest.mark.parametrize(("pattern", "status", "said"), [("*/unfit/*", 2, UNFIT), ("*/homeless/*", 3, HOMELESS)])
def test_the_status_is_of_whoever_is_at_fault(lab: FakeLab, pattern: str, status: int, said: str) -> None:
    done = build(lab, f"*/src/forwarding{pattern[1:]}")
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr.endswith(f": {said}\n")


def test_without_its_script_every_kernel_says_so(lab: FakeLab, tmp_path: Path) -> None:
    scripts = shutil.copytree(FAKE_LAB, tmp_path / "scripts")
    (scripts / "build.sh").unlink()
    done = CliRunner(env=lab.variables).invoke(main, [*words(lab, "*/none/*"), "--runner-scripts", str(scripts)])
    assert done.exit_code == 3
    assert done.stderr == f"{scripts}/build.sh: cannot be run; mend the checkout, or --runner-scripts\n" * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("*/old/*",), "the kernels of these cases come built; give a revision 'source' or 'git'"),
        (("nothing",), "CASE 'nothing': no case has that name; "),
        (("--quick",), "the kernels of these cases come built; give a revision 'source' or 'git'"),
    ],
)
def test_what_asks_for_no_kernel_is_refused(lab: FakeLab, words: tuple[str, ...], said: str) -> None:
    done = build(lab, *words)
    assert (done.exit_code, done.stdout, lab.calls) == (2, "", [])
    assert said in done.stderr


def test_a_matrix_in_which_nothing_is_built_is_told(lab: FakeLab) -> None:
    lab.write(MATRIX)
    done = build(lab)
    assert (done.exit_code, done.stderr) == (
        2,
        f"{lab.folder}/matrix.yaml: the kernels of these cases come built; give a revision 'source' or 'git'\n",
    )


def test_nothing_is_measured(lab: FakeLab) -> None:
    build(lab)
    assert {call.split()[0] for call in lab.calls} == {"build.sh"}
    assert not (lab.results / "runs").exists()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_is_stopped_ends_at_once(lab: FakeLab, sent: int) -> None:
    environment = {**os.environ, **lab.variables, "PYTHONPATH": str(ROOT), "FAKE_SECONDS": "60"}
    command = [sys.executable, "-m", "fwdlab", *words(lab)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, cwd=lab.folder, stdout=pipe, stderr=pipe, text=True) as process:
        until(lab.sleepers, 20, "a build begins")
        begin = time.monotonic()
        process.send_signal(sent)
        _, said = process.communicate(timeout=10)
    assert time.monotonic() - begin < 3
    assert process.returncode == 130
    assert said == "stopped; what is compiled is kept, and the same command goes on from there\n"
    until(lambda: not lab.sleepers(), 5, "it is gone")
