"""Kernels built from source: once for each key, only what differs, the same bytes anywhere, and a clean tree."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.case import Patch, case_text
from tests.scripts.runner.bench import Bench, Done
from tests.scripts.runner.builds import (
    FORWARD,
    OPTIONS,
    SLOWER,
    compiled,
    diff,
    differences,
    edit,
    folder,
    image,
    of_package,
    patched,
    slower,
    tree,
    with_options,
)
from tests.scripts.runner.packages import LATER, LINUX

GCC_99 = 'case $* in --version) echo "gcc 99" ;; *) exec {real} "$@" ;; esac\n'
ALL = ["init/main.o", "mm/heap.o", "net/forward.o"]


@pytest.fixture
def host(bench: Bench) -> Bench:
    """A host that is asked for a kernel from a source package, and has built none yet."""
    return of_package(bench)


def test_a_kernel_comes_with_its_symbols_configuration_and_log(host: Bench, shell: str) -> None:
    done = replace(host, interpreter=shell).build()
    kernel = folder(done)
    assert done.said == ""
    assert {path.name for path in kernel.iterdir()} == {
        *("image", "vmlinux", "modules.cpio", "config", "release", "build.log")
    }
    assert "CONFIG_NET=y\n# CONFIG_NET_EXTRA is not set\n" in (kernel / "config").read_text()
    assert b"is_alive" not in (kernel / "image").read_bytes()
    assert b"forwarded" in (kernel / "vmlinux").read_bytes()
    assert sorted(compiled(kernel)) == ALL


def test_a_kernel_is_built_once(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    kernel = folder(bench.build())
    before = {path: path.stat().st_mtime_ns for path in (*kernel.iterdir(), tree(bench) / FORWARD)}
    again = bench.without("make").build(APT="away")
    assert (again.status, again.out, again.said, again.did) == (0, f"{kernel}\n", "", [])
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_patch_has_only_the_files_compiled_that_it_touches(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    plain = folder(bench.build())
    kernel = folder(patched(bench, slower()).build())
    assert compiled(kernel) == ["net/forward.o"]
    assert image(kernel) != image(plain)
    assert (kernel / "patch").read_text() == slower()


def test_what_includes_a_patched_header_is_compiled_too(host: Bench) -> None:
    host.build()
    kernel = folder(patched(host, edit("#define FRAME 64", "#define FRAME 65", "include/kernel.h")).build())
    assert sorted(compiled(kernel)) == ALL


def test_a_patch_alone_has_the_kernel_without_it_built_first(host: Bench) -> None:
    kernel = folder(patched(host, slower()).build())
    plain, both = folder(host.with_case(patch=host.case.patch).build()), list(host.cache.glob("kernels/*/release"))
    assert plain != kernel
    assert len(both) == 2


def test_the_next_build_keeps_nothing_of_a_patch(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    host.build()
    patched(bench, slower(1)).build()
    assert differences(bench) == [FORWARD]
    second = folder(patched(bench, edit("\treturn used;", "\treturn used + 1;", "mm/heap.c")).build())
    assert differences(bench) == ["mm/heap.c"]
    assert sorted(compiled(second)) == ["mm/heap.o", "net/forward.o"]
    later = folder(of_package(bench, "9.9.2-1").build())
    assert (tree(bench) / FORWARD).read_bytes() == (LINUX / FORWARD).read_bytes() + LATER
    assert sorted(compiled(later)) == ["mm/heap.o", "net/forward.o"]


def test_a_kernel_is_the_same_whatever_was_built_before_it(host: Bench, tmp_path: Path) -> None:
    for times in (1, 2):
        patched(host, slower(times)).build()
    with_options(host, OPTIONS).build()
    among = folder(patched(host, slower(3)).build())
    alone = folder(patched(of_package(moved(host, tmp_path / "alone")), slower(3)).build())
    assert image(among) == image(alone)


def moved(host: Bench, workspace: Path) -> Bench:
    """The same host with nothing built and all its folders elsewhere."""
    workspace.mkdir()
    return replace(host, workspace=workspace)


def test_the_same_source_gives_the_same_bytes_in_any_cache_by_any_shell(host: Bench, tmp_path: Path) -> None:
    other = replace(moved(host, tmp_path / "elsewhere"), interpreter="bash --posix")
    made = [folder(one.build(TZ=zone)) for one, zone in ((host, "UTC"), (other, "Asia/Tokyo"))]
    assert made[0].name == made[1].name, "its key"
    assert image(made[0]) == image(made[1])
    assert b"Linux fwdlab@fwdlab 2000-01-01 00:00:00 UTC" in (made[0] / "image").read_bytes()


def test_a_cache_that_was_moved_goes_on(host: Bench) -> None:
    plain = folder(host.build())
    host.cache.rename(host.workspace / "moved")
    elsewhere = host.build(FWDLAB_CACHE="moved")
    assert folder(elsewhere) == host.workspace / "moved/kernels" / plain.name
    kernel = folder(patched(host, slower()).build(FWDLAB_CACHE=str(host.workspace / "moved")))
    assert "net/forward.o" in compiled(kernel)


def test_a_patch_may_make_and_remove_files(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    extra, idle = "net/more.c", "net/idle.c"
    text = diff(extra, "", '#include "kernel.h"\n\nint more(void)\n{\n\treturn 7;\n}\n')
    text += diff(idle, (LINUX / idle).read_text(), "")
    text += edit("net/forward.o\n", "net/forward.o net/more.o\n", "Makefile")
    kernel = folder(patched(bench, text).build())
    assert "net/more.o" in compiled(kernel)
    assert differences(bench) == ["Makefile", idle, extra]
    folder(patched(bench, slower()).build())
    assert differences(bench) == [FORWARD]


def test_options_take_effect_and_leave_with_their_case(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    plain, more = folder(bench.build()), folder(with_options(bench, f"{OPTIONS} CONFIG_HZ=1000").build())
    assert "CONFIG_HZ=1000\nCONFIG_NET=y\nCONFIG_NET_EXTRA=y\n" in (more / "config").read_text()
    assert "net/extra.o" in compiled(more)
    assert image(more) != image(plain)
    assert "CONFIG_NET_EXTRA=y" not in (folder(patched(bench, slower()).build()) / "config").read_text()


def test_a_patch_and_its_options_come_together(host: Bench) -> None:
    text = edit("\treturn forwarded;", "\treturn forwarded + 1;", "net/extra.c")
    kernel = folder(patched(host, text, options=OPTIONS).build())
    assert "net/extra.o" in compiled(kernel)


@pytest.mark.parametrize(
    ("option", "comes"), [("CONFIG_NO_SUCH=y", "n"), ("CONFIG_NET_DEEP=y", "n"), ("CONFIG_NO_SUCH=0x10", "n")]
)
def test_an_option_without_effect_is_refused(host: Bench, shell: str, option: str, comes: str) -> None:
    done = with_options(replace(host, interpreter=shell), f"{OPTIONS} {option}").build()
    assert (done.status, done.out) == (2, "")
    assert done.last == (
        f"patch 'more': option '{option}' has no effect in src (linux-source-9.9 9.9.1-1), it comes out as '{comes}'; "
        "name the options it depends on too"
    )


def test_an_option_may_be_taken_away_that_is_not_there(host: Bench) -> None:
    assert with_options(host, f"{OPTIONS} CONFIG_NO_SUCH=n").build().status == 0


@pytest.mark.parametrize(
    "options", ["CONFIG_X=m", "NET=n", "CONFIG_X=$(touch${IFS}hurt)", "CONFIG_X/e;=y", "CONFIG_NET=n  CONFIG_X=y", "*"]
)
def test_only_options_become_patterns(host: Bench, shell: str, options: str) -> None:
    bench = with_options(replace(host, interpreter=shell), options)
    done = bench.build()
    assert (done.status, (bench.cache / "sources").exists()) == (2, False)
    assert (
        done.last == f"patch 'more': options '{options}' are not such as 'CONFIG_NET_NS=n'; mend 'options' of the patch"
    )


ODD = 'patches/it\'s, a "$HOME" `x` \\n %s ü'


def test_a_patch_may_have_any_name(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    assert compiled(folder(patched(bench, slower(), f"{ODD}.patch").build()))
    for text, words in {"no diff\n": "holds no change", edit("forwarded++", "broken++"): "src (linux"}.items():
        done = patched(bench, text, f"{ODD}-2.patch").build()
        assert (done.status, done.last.startswith(f"{ODD}-2.patch: {words}")) == (2, True), done.last


def test_a_patch_that_changed_since_the_plan_is_refused(host: Bench, shell: str) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    assert bench.case_file.exists()
    (bench.workspace / "a.patch").write_text(slower(2))
    done = bench.build()
    assert (done.status, done.last) == (2, "a.patch: has changed since the case was planned; plan again")
    (bench.workspace / "a.patch").unlink()
    done = bench.build()
    assert (done.status, done.last) == (2, "a.patch: patch cannot be read; mend the patch entry of the matrix")


def test_two_scripts_at_once_build_a_kernel_once(host: Bench, shell: str) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    assert bench.case_file.exists()
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(bench.build) for _ in range(3)]
    kernels = {folder(call.result()) for call in calls}
    assert len(kernels) == 1
    assert sum("download" in line for line in bench.log() if "linux-source" in line) == 1
    assert compiled(kernels.pop()) == ["net/forward.o"]


def test_patches_of_one_source_take_turns(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    cases = [bench.workspace / f"{times}.case" for times in (1, 2, 3)]
    for times, path in enumerate(cases, 1):
        path.write_text(case_text(patched(bench, slower(times), f"{times}.patch").case))
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(bench.call, "build.sh", str(path)) for path in cases]
    made = [folder(call.result()) for call in calls]
    assert len({image(kernel) for kernel in made}) == 3
    for kernel in made:
        alone = folder(patched(of_package(moved_to(bench, kernel.name)), (kernel / "patch").read_text()).build())
        assert image(alone) == image(kernel)


def moved_to(bench: Bench, name: str) -> Bench:
    return moved(bench, bench.workspace / name)


def test_a_kernel_of_the_other_instruction_set_has_its_own_objects(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell).with_own_commands()
    for tool in ("gcc", "ld"):
        (bench.commands / f"aarch64-linux-gnu-{tool}").symlink_to(bench.commands / tool)
    settings = tuple(
        ("arch", "aarch64") if key == "arch" else (key, value) for key, value in bench.case.hardware.settings
    )
    plain = folder(bench.build())
    other = folder(bench.with_case(hardware=replace(bench.case.hardware, settings=settings)).build())
    assert sorted(compiled(other)) == sorted(compiled(plain)) == ALL
    assert (other / "image").read_bytes()[:4] != b"\x7fELF", "what such a machine boots is no ELF file"
    assert [path.name.rpartition("-")[0] for path in objects(bench)] == ["build-aarch64", "build-x86_64"]


def objects(bench: Bench) -> list[Path]:
    """The folders of what was compiled from the host's sources."""
    return sorted(bench.cache.glob("sources/*/build-*"))


def test_objects_that_no_build_used_for_long_go_when_another_builds(host: Bench) -> None:
    folder(host.build())
    (unused,) = objects(host)
    os.utime(unused, (0, 0))
    folder(host.with_command("gcc", GCC_99).build())
    (left,) = objects(host)
    os.utime(left, (0, 0))
    folder(patched(host.with_command("gcc", GCC_99), slower()).build())
    assert objects(host) == [left], "a build used it"
    assert left != unused


def prepared(bench: Bench) -> Done:
    shutil.rmtree(bench.run, ignore_errors=True)
    return bench.prepare()


def test_a_run_keeps_what_its_kernel_was_built_with(host: Bench, shell: str) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    done = prepared(bench)
    assert (done.status, done.said) == (0, "")
    kernel = folder(bench.build())
    for name, kept in {"build.log": "build.log", "patch": "patch", "config": "kernel.config"}.items():
        assert (bench.run / "prepare" / kept).read_bytes() == (kernel / name).read_bytes()
    facts = dict(line.split("\t") for line in (bench.run / "prepare/facts").read_text().splitlines())
    assert facts["kernel_sha256"] == image(kernel)
    assert facts["compiler"].startswith("gcc ")
    assert ", GNU ld " in facts["compiler"]
    assert facts["planned_release"] == "6.1.0-9-fake"


def test_a_kernel_that_is_built_is_measured(host: Bench, shell: str) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    assert [prepared(bench).status, bench.traffic().status, bench.collect().status] == [0, 0, 0]


@pytest.mark.parametrize("step", ["traffic", "collect"])
def test_a_kernel_that_is_not_the_one_that_was_prepared_is_told(host: Bench, shell: str, step: str) -> None:
    bench = replace(host, interpreter=shell)
    prepared(bench)
    other = bench.with_command("gcc", GCC_99)
    done = other.with_command("strip", 'cp "$3" "$2"\n').step(step)
    assert done.status == 3
    assert done.last == (
        "qemu-x86/src/nft/none/udp4: the kernel is not the one that was prepared, "
        f"since the compiler or the cache changed; remove {bench.run}"
    )
    assert bench.step(step).status == 0


def test_another_compiler_makes_another_kernel_of_objects_of_its_own(host: Bench) -> None:
    first = folder(host.build())
    other = folder(host.with_command("gcc", GCC_99).build())
    assert other != first
    assert sorted(compiled(other)) == ALL
    assert len(objects(host)) == 2
    linker = host.with_command("ld", GCC_99.replace("gcc", "ld"))
    assert folder(linker.build()) != first


def test_a_kernel_that_comes_built_takes_no_patch(bench: Bench, shell: str) -> None:
    patch = Patch(name="slower", file="a.patch", sha256="0" * 64, options="")
    done = replace(bench, interpreter=shell).with_case(patch=patch).build()
    assert (done.status, done.last) == (
        2,
        "qemu-x86/old/nft/slower/udp4: revision 'old' comes built, and a patch needs its source; mend the matrix",
    )


def test_build_prints_a_kernel_that_comes_built_as_well(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).build()
    assert (done.status, done.said) == (0, "")
    assert (Path(done.out.rstrip("\n")) / "image").is_file()


LEAKS = {
    "MAKEFLAGS": "-n",
    "GNUMAKEFLAGS": "-n",
    "MAKEFILES": "/dev/null/none",
    "KCFLAGS": "-O3 -funroll-all-loops -DFRAME=9000",
    "CROSS_COMPILE": "sparc64-linux-gnu-",
    "ARCH": "sparc64",
    "KBUILD_OUTPUT": "/nonexistent",
    "KBUILD_BUILD_USER": "somebody",
    "LOCALVERSION": "-leaked",
    "O": "/nonexistent",
    "CPATH": "{hurt}",
    "TMPDIR": "/nonexistent",
    "CCACHE_DISABLE": "1",
    "CCACHE_DIR": "/nonexistent",
    "CCACHE_PREFIX": "/nonexistent",
    "CCACHE_RECACHE": "1",
    "CCACHE_READONLY": "1",
    "LANGUAGE": "de",
    "LC_ALL": "C.UTF-8",
    "GIT_DIR": "/nonexistent",
    "GIT_WORK_TREE": "/nonexistent",
    "GIT_INDEX_FILE": "/nonexistent",
    "GIT_OBJECT_DIRECTORY": "/nonexistent",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nonexistent",
    "GIT_NAMESPACE": "elsewhere",
    "GIT_PREFIX": "net/",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.attributesFile",
    "GIT_CONFIG_VALUE_0": "{hurt}/attributes",
    "GIT_CONFIG_PARAMETERS": "'core.attributesFile'='{hurt}/attributes'",
    "GIT_DEFAULT_HASH": "sha256",
    "GIT_TEMPLATE_DIR": "/nonexistent",
}


def test_nothing_of_the_callers_environment_reaches_a_kernel(host: Bench, shell: str, tmp_path: Path) -> None:
    bench = replace(host, interpreter=shell)
    (bench.workspace / "include").mkdir()
    (bench.workspace / "include/kernel.h").write_text("#error from the caller's CPATH\n")
    (bench.workspace / "include/attributes").write_text("* text eol=crlf\n")
    other = moved(of_package(bench), tmp_path / "leaks")
    leaks = {name: value.replace("{hurt}", str(bench.workspace / "include")) for name, value in LEAKS.items()}
    made = [folder(patched(one, slower()).build(**given)) for one, given in ((bench, {}), (other, leaks))]
    assert made[0].name == made[1].name
    assert image(made[0]) == image(made[1])
    assert compiled(made[1]) == ["net/forward.o"]
    assert differences(other) == [FORWARD]
    assert any((other.cache / "ccache").iterdir())


def test_what_git_says_is_read_in_any_language(host: Bench, shell: str) -> None:
    text = edit(SLOWER, SLOWER.replace("++", " += 2")).replace(" \tdecrease", " \tincrease")
    done = patched(replace(host, interpreter=shell), text).build(LC_ALL="C.UTF-8", LANGUAGE="de:fr")
    assert done.status == 2
    assert f"a.patch: hunk 1 of {FORWARD} (line " in done.last
