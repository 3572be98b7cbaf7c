"""A disk without room: the lab's fault, told in a sentence, and once there is room again nothing stands in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripts.runner.bench import Bench, Done

OWN_MOUNTS = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
DISK = "/mnt"


def may_mount() -> bool:
    done = subprocess.run([*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", DISK], capture_output=True, check=False)
    return done.returncode == 0


pytestmark = pytest.mark.skipif(not may_mount(), reason="this host lets nobody mount a small disk")

# The run folder lies on a disk of its own; what is left of it at the end is copied out, to be looked at.
SCENE = """
	set -eu
	mount -t tmpfs -o "size=$SIZE,nr_inodes=$INODES" none "$DISK"
	[ ! -e "$RUN" ] || cp -r "$RUN" "$DISK/run"
	head -c "$FILLED" /dev/zero >"$DISK/filled" 2>/dev/null || true
	status=0
	"$@" || status=$?
	rm -rf "$KEPT"
	cp -r "$DISK/run" "$KEPT"
	exit "$status"
"""


def on_small_disk(bench: Bench, script: str, *words: str, filled: int = 0, **settings: str) -> Done:
    """Call a script whose run folder lies on a small disk."""
    command = [*bench.command(script), str(bench.case_file), f"{DISK}/run", *words]
    scene = {
        "SIZE": "400k",
        "FILLED": str(filled),
        "INODES": "1000",
        "DISK": DISK,
        "RUN": str(bench.run),
        "KEPT": str(bench.workspace / "kept"),
    }
    host = replace(bench, commands=with_mount(bench))
    return host.do(
        [shutil.which("unshare") or "", *OWN_MOUNTS[1:], "sh", "-c", SCENE, "sh", *command], **scene | settings
    )


def with_mount(bench: Bench) -> Path:
    commands = bench.workspace / "with-mount"
    shutil.copytree(bench.commands, commands, symlinks=True)
    (commands / "mount").symlink_to(shutil.which("mount") or "")
    return commands


def kept(bench: Bench) -> list[str]:
    """The files of the run folder as it was left."""
    folder = bench.workspace / "kept"
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def grow(bench: Bench, octets: int) -> None:
    """Make the guest's first file system that large."""
    (base,) = bench.cache.glob("userland/*/base.cpio")
    base.write_bytes(bytes(octets))


def test_no_room_for_the_guests_first_file_system(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    grow(bench, 1_000_000)
    done = on_small_disk(bench, "traffic.sh", "1")
    expected = f"{DISK}/run/repeat-1.partial: the guest's first file system cannot be written; free space"
    assert (done.status, done.last, done.did) == (3, expected, [])
    reason = (bench.workspace / "kept/failed/repeat-1.1/reason").read_text()
    assert reason == f"3\t{expected}\n"
    names = {path.name for path in (bench.workspace / "kept/failed/repeat-1.1").iterdir()}
    assert names == {"facts", "messages", "reason"}, "what is large makes room again"
    assert bench.traffic().status == 0


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (200_000, f"{DISK}/run/repeat-1.partial: the disk is full; free space, then run again"),
        (1_000, f"{DISK}/run: cannot be written to; free space or mend the rights, then run again"),
    ],
    ids=["room when the first file system is gone", "none even then"],
)
def test_the_disk_fills_while_the_guest_runs(ready: Bench, shell: str, octets: int, expected: str) -> None:
    bench = replace(ready, interpreter=shell)
    grow(bench, octets)
    done = on_small_disk(bench, "traffic.sh", "1", GUEST="full")
    assert (done.status, done.last) == (3, expected)
    assert not any(name.startswith("repeat-1/") for name in kept(bench))
    assert "failed/repeat-1.1/console.log" in kept(bench)


@pytest.mark.parametrize("step", ["prepare", "traffic", "collect"])
def test_a_disk_that_is_full_from_the_start(ready: Bench, shell: str, step: str) -> None:
    bench = replace(ready, interpreter=shell)
    if step == "prepare":
        shutil.rmtree(bench.run / "prepare")
    words = ["1"] if step == "traffic" else []
    done = on_small_disk(bench, f"{step}.sh", *words, filled=1_000_000)
    assert done.status == 3
    assert "free space" in done.last
    before = {name for name in bench.files() if step != "prepare" or not name.startswith("prepare")}
    assert before <= set(kept(bench)), "what was there stays"
    assert bench.step(step).status == 0
