"""A build that lacks a tool, is killed, or has no room: the lab's fault, and the next one comes to what it should."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from platform import node

import pytest

from tests.scripts.runner.bench import Bench
from tests.scripts.runner.builds import (
    FORWARD,
    NAME,
    compiled,
    differences,
    edit,
    folder,
    git,
    image,
    log_of,
    of_package,
    patched,
    slower,
)
from tests.scripts.runner.test_disk import DISK, OWN_MOUNTS, may_mount, with_mount
from tests.scripts.runner.test_folders import members, started, wait_until


@pytest.fixture
def host(bench: Bench) -> Bench:
    """A host that is asked for a kernel from a source package."""
    return of_package(bench)


# Tools.


@pytest.mark.parametrize(
    ("tool", "package"),
    [("gcc", "gcc"), ("ld", "binutils"), ("git", "git")]
    + [(tool, tool) for tool in ("make", "flex", "bison", "bc", "ccache")],
)
def test_a_host_that_lacks_a_tool_hears_which_package_has_it(host: Bench, tool: str, package: str) -> None:
    done = patched(host.without(tool), slower()).build()
    assert (done.status, done.out) == (3, "")
    assert done.last == f"{node()}: '{tool}' is missing; install the Debian package '{package}'"
    assert not (host.cache / "sources").exists()


def for_arm(host: Bench, *tools: str) -> Bench:
    """A host with these tools for the other instruction set, asked for a kernel of it."""
    bench = host.with_own_commands()
    for tool in tools:
        (bench.commands / f"aarch64-linux-gnu-{tool}").symlink_to(bench.commands / tool)
    settings = tuple(("arch", "aarch64") if key == "arch" else (key, of) for key, of in bench.case.hardware.settings)
    return bench.with_case(hardware=replace(bench.case.hardware, settings=settings))


@pytest.mark.parametrize(
    ("tools", "lacks", "package"),
    [
        ((), "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
        (("gcc",), "aarch64-linux-gnu-ld", "binutils-aarch64-linux-gnu"),
    ],
)
def test_a_host_that_lacks_a_cross_compiler_hears_it(
    host: Bench, shell: str, tools: tuple[str, ...], lacks: str, package: str
) -> None:
    done = for_arm(replace(host, interpreter=shell), *tools).build()
    assert (done.status, done.last) == (3, f"{node()}: '{lacks}' is missing; install the Debian package '{package}'")


def test_a_cross_compiler_alone_builds_no_kernel(host: Bench) -> None:
    bench = for_arm(host)
    for tool in ("gcc", "ld"):
        (bench.commands / f"aarch64-linux-gnu-{tool}").symlink_to((bench.commands / tool).readlink())
    done = bench.without("gcc").build()
    assert (done.status, done.last) == (3, f"{node()}: 'gcc' is missing; install the Debian package 'gcc'")


def test_a_header_that_is_missing_is_named_with_its_package(host: Bench, shell: str) -> None:
    without = replace(host, interpreter=shell).with_command(
        "gcc", 'case $* in "-E -") exit 1 ;; *) exec {real} "$@" ;; esac\n'
    )
    done = without.build()
    assert (done.status, done.last) == (
        3,
        f"{node()}: 'libelf.h' is missing; install the Debian package 'libelf-dev'",
    )


@pytest.mark.parametrize("name", ["with space", "a:b", "a\tb"])
def test_a_folder_that_make_cannot_take_is_told_before_anything_is_fetched(host: Bench, shell: str, name: str) -> None:
    place = host.workspace / name
    done = replace(host, interpreter=shell).build(FWDLAB_CACHE=str(place))
    assert (done.status, done.last) == (
        3,
        f"{place}: make takes no folder with a space or colon; set FWDLAB_CACHE to another one",
    )
    assert not (place / "sources").exists()


@pytest.mark.parametrize(
    "words", ["gcc: fatal error: Killed signal terminated program cc1", "cc1: out of memory: Cannot allocate memory"]
)
def test_a_compiler_without_memory_is_not_the_patchs_fault(host: Bench, shell: str, words: str) -> None:
    host.build()
    bench = patched(replace(host, interpreter=shell), slower())
    compiler = f'case $* in *forward.c*) echo "{words}" >&2; exit 1 ;; esac\nexec {{real}} "$@"\n'
    done = bench.with_command("gcc", compiler).build()
    assert (done.status, done.last) == (
        3,
        f"{node()}: the compiler was killed, as when memory runs out; read {log_of(bench)}, then run again",
    )
    assert compiled(folder(bench.build()))


def test_a_compiler_that_does_not_work_is_the_labs_fault(host: Bench, shell: str) -> None:
    broken = 'case $* in --version | "-E -") exec {real} "$@" ;; *) echo "gcc: error: no cc1" >&2; exit 1 ;; esac\n'
    bench = replace(host, interpreter=shell)
    done = bench.with_command("gcc", broken).build()
    assert (done.status, done.last) == (
        3,
        f"{NAME}: does not build (gcc: error: no cc1); read {log_of(bench)}, and mend the lab's tools",
    )
    assert bench.build().status == 0


# Interruptions.

SLOW = """case $* in
*" -c "*forward.c*)
	printf half >"$(echo "$*" | sed "s/.* -o //; s/ .*//")"
	: >"{mark}"
	{sleep}
	;;
esac
exec {real} "$@"
"""


@contextmanager
def hanging(bench: Bench, command: str, script: str) -> Iterator[int]:
    """A build in which one command has begun and does not end; yields the pid of its script."""
    mark = bench.workspace / "begun"
    mark.unlink(missing_ok=True)
    host = bench.with_command(command, script.replace("{mark}", str(mark)).replace("{sleep}", "exec sleep 60"))
    with started(host, "build.sh", str(host.case_file)) as process:
        assert wait_until(60, mark.exists)
        yield process.pid
        process.wait(30)


def undisturbed(bench: Bench, tmp_path: Path) -> str:
    """What the kernel of the bench's case is where nothing went wrong."""
    (tmp_path / "undisturbed").mkdir()
    shutil.copytree(
        bench.workspace, tmp_path / "undisturbed", ignore=shutil.ignore_patterns("cache"), dirs_exist_ok=True
    )
    return image(folder(replace(bench, workspace=tmp_path / "undisturbed", interpreter="dash").build()))


def at_work_in(place: Path) -> list[str]:
    """What still runs in a folder or below it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").readlink().is_relative_to(place) and " Z " not in (entry / "stat").read_text():
                found.append((entry / "cmdline").read_bytes().decode().replace("\0", " "))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda sent: sent.name)
def test_a_script_that_ends_takes_its_compilers_with_it(
    host: Bench, shell: str, sent: signal.Signals, tmp_path: Path
) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    with hanging(bench, "gcc", SLOW) as script:
        assert at_work_in(bench.cache / "sources")
        os.kill(script, sent)
        assert wait_until(10, lambda: not at_work_in(bench.cache)), at_work_in(bench.cache)
    assert list(bench.cache.glob("sources/*/build-*/unfinished"))
    assert image(folder(bench.build())) == undisturbed(bench, tmp_path)
    assert not list(bench.cache.glob("sources/*/build-*/unfinished"))
    assert not list(bench.cache.glob("kernels/*.work"))


def test_what_a_killed_compiler_left_is_compiled_again(host: Bench, shell: str, tmp_path: Path) -> None:
    bench = replace(host, interpreter=shell)
    bench.build()
    bench = patched(bench, slower())
    with hanging(bench, "ccache", SLOW) as script:
        os.kill(script, signal.SIGKILL)
    left = next(bench.cache.glob("sources/*/build-x86_64-*/net/forward.o"))
    assert left.read_bytes() == b"half"
    kernel = folder(bench.build())
    assert len(compiled(kernel)) == 3
    assert image(kernel) == undisturbed(bench, tmp_path)


GIT_STOPS = 'case " $* " in *" {words} "*) {before}; : >"{mark}"; {sleep} ;; esac\nexec {real} "$@"\n'


def stopping_git(words: str, before: str = ":") -> str:
    return GIT_STOPS.replace("{words}", words).replace("{before}", before)


HALF_A_PATCH = 'printf half >net/forward.c; echo x >net/more.c; rm mm/heap.c; : >"$GIT_INDEX_FILE.lock"'


@pytest.mark.parametrize(
    "words", ["init", "add -A", "write-tree", "read-tree --reset", "clean -ffdxq", "apply --index"]
)
def test_git_that_is_killed_leaves_nothing_in_the_way(host: Bench, shell: str, words: str, tmp_path: Path) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    before = ": >$GIT_INDEX_FILE.lock" if words.partition(" ")[0] in {"add", "read-tree"} else ":"
    if words == "apply --index":
        before = f'cd "$2"; {HALF_A_PATCH}; cd - >/dev/null'
    with hanging(bench, "git", stopping_git(words, before)) as script:
        os.kill(script, signal.SIGKILL)
        assert wait_until(10, lambda: not members(script))
    assert image(folder(bench.build())) == undisturbed(bench, tmp_path)
    assert differences(bench) == [FORWARD]


def test_a_download_that_is_killed_is_begun_again(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    with started(bench, "build.sh", str(bench.case_file), APT="slow") as script:
        assert wait_until(60, lambda: any("download linux-source" in line for line in bench.log()))
        script.kill()
        script.wait(10)
        assert wait_until(10, lambda: not members(script.pid))
    folder(bench.build())


def test_one_that_waits_goes_on_where_a_killed_one_was(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    with hanging(bench, "gcc", SLOW) as script:  # noqa: SIM117
        with started(bench, "build.sh", str(bench.case_file)) as waiting:
            time.sleep(0.5)
            assert waiting.poll() is None, "it waits for the lock"
            os.kill(script, signal.SIGKILL)
            assert waiting.wait(60) == 0
    folder(bench.build())


# Disks.

disks = pytest.mark.skipif(not may_mount(), reason="this host lets nobody mount a small disk")

# The cache lies on a disk of its own; there is room for it only after the first call.
SCENE = """
	set -eu
	mount -t tmpfs -o "size=$SIZE" none "$DISK"
	cp -r "$CACHE/." "$DISK"
	left=$(($(stat -f -c %a "$DISK") * $(stat -f -c %S "$DISK") - $ROOM))
	[ "$left" -le 0 ] || head -c "$left" /dev/zero >"$DISK/filled"
	status=0
	"$@" >&2 || status=$?
	rm -f "$DISK/filled"
	"$@" || status="$status, then $?"
	cp -r "$DISK/kernels" "$KEPT"
	[ "$status" = 3 ] || echo "first: $status" >&2
	[ "$status" = 3 ]
"""


def on_small_disk(bench: Bench, room: int) -> str:
    """Build with the cache on a disk that has so many octets left, then with room enough; what is said at first."""
    bench.cache.mkdir(exist_ok=True)
    assert bench.case_file.exists()
    scene = {
        "SIZE": "60m",
        "ROOM": str(room),
        "DISK": DISK,
        "CACHE": str(bench.cache),
        "KEPT": str(bench.workspace / "kept"),
    }
    host = replace(bench, commands=with_mount(bench))
    command = [*bench.command("build.sh"), str(bench.case_file)]
    words = [shutil.which("unshare") or "", *OWN_MOUNTS[1:], "sh", "-c", SCENE, "sh", *command]
    done = host.do(words, **scene, FWDLAB_CACHE=DISK)
    assert done.status == 0, done.said
    assert len(list((bench.workspace / "kept").glob("built-*/release"))) == 2
    return done.last


FULL = f"{DISK}: the disk is full; read {DISK}/kernels/built-[0-9a-f]{{12}}.log, free space, then run again"


@disks
@pytest.mark.parametrize("room", range(0, 7 << 15, 1 << 15))
def test_a_disk_that_fills_at_any_time_is_the_labs_fault(host: Bench, room: int) -> None:
    bench = patched(host, slower())
    assert "free space" in on_small_disk(bench, room)


@disks
def test_a_disk_that_fills_while_a_kernel_is_compiled_is_not_the_patchs_fault(host: Bench, shell: str) -> None:
    host.build()
    large = edit("int forwarded;", "const char large[8000000] = { 1 };\nint forwarded;")
    bench = patched(replace(host, interpreter=shell), large)
    said = on_small_disk(bench, 2 << 20)
    assert re.fullmatch(
        f"{DISK}: the disk is full; read {DISK}/kernels/built-[0-9a-f]{{12}}.log, free space, then run again", said
    )


@disks
def test_a_disk_that_fills_while_a_patch_is_applied_is_not_the_patchs_fault(host: Bench, shell: str) -> None:
    host.build()
    git(host.workspace, "init", "-q", "repository")
    (host.workspace / "repository/zeros").write_bytes(bytes(8_000_000))
    git(host.workspace / "repository", "add", ".")
    zeros = git(host.workspace / "repository", "diff", "--cached", "--binary")
    bench = patched(replace(host, interpreter=shell), f"{zeros}\n\n{slower()}")
    said = on_small_disk(bench, 2 << 20)
    assert re.fullmatch(
        f"{DISK}: the disk is full; read {DISK}/kernels/built-[0-9a-f]{{12}}.log, free space, then run again", said
    )
