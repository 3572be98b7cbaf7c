"""Patches that do not do what their author meant: each is refused in a sentence that says where, and names the log."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripts.runner.bench import Bench
from tests.scripts.runner.builds import (
    FORWARD,
    NAME,
    OPTIONS,
    SLOWER,
    diff,
    differences,
    edit,
    folder,
    git,
    log_of,
    of_package,
    patched,
    slower,
    with_options,
)
from tests.scripts.runner.packages import LINUX

TEXT = (LINUX / FORWARD).read_text()
ANEW = "and write it anew for this source"


@pytest.fixture
def host(bench: Bench) -> Bench:
    """A host that is asked for a kernel from a source package."""
    return of_package(bench)


def refused(bench: Bench, text: str | bytes, **settings: str) -> str:
    """What is said of a patch that is refused, its log's place as LOG; that log is there, and the next patch builds."""
    done = patched(bench, text).build(**settings)
    assert (done.status, done.out) == (2, ""), done.said
    log = log_of(bench)
    said = done.last.replace(str(log), "LOG")
    assert said.startswith("a.patch: ")
    assert log.stat().st_size
    folder(patched(bench, slower(log.stat().st_mtime_ns % 1000 + 9), "b.patch").build())
    assert differences(bench) == [FORWARD]
    return said


def from_another_version(passage: str, new: str, path: str = FORWARD) -> str:
    """A patch of a file whose other version has another line beside the passage."""
    text = (LINUX / path).read_text()
    assert text.count(passage) == 1
    other = text.replace(passage, f"/* as it was once */\n{passage}")
    return diff(path, other, other.replace(passage, new))


def test_a_hunk_that_does_not_fit_is_told_with_its_file_and_line(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    text = from_another_version("static void decrease", "static inline void decrease")
    assert refused(bench, text) == f"a.patch: hunk 1 of {FORWARD} (line 13) does not fit {NAME}; read LOG, {ANEW}"
    assert "while searching for:" in log_of(bench).read_text()


def test_of_many_hunks_the_first_that_does_not_fit_is_told(host: Bench, shell: str) -> None:
    other = TEXT.replace("\treturn 1;\n", "\treturn 1; /* sent */\n")
    new = other.replace("int forwarded;", "long forwarded;").replace("sent", "gone")
    text = edit("#define FRAME 64", "#define FRAME 65", "include/kernel.h") + diff(FORWARD, other, new)
    said = refused(replace(host, interpreter=shell), text)
    assert said == f"a.patch: hunk 2 of {FORWARD} (line 26) does not fit {NAME}; read LOG, {ANEW}"


def test_what_a_hunk_holds_is_not_read_as_a_header(host: Bench) -> None:
    text = (LINUX / "net/idle.c").read_text()
    other = text.replace("\treturn 0;\n", "\treturn 0; /* none */\n")
    new = other.replace("-- not even the one beside it.\n", "++ b/mm/heap.c\n").replace("none", "nothing")
    said = refused(host, diff("net/idle.c", other, new, context=1))
    assert said == f"a.patch: hunk 2 of net/idle.c (line 7) does not fit {NAME}; read LOG, {ANEW}"


def test_a_file_with_a_space_in_its_name_has_its_hunk_named(host: Bench) -> None:
    new = diff("net/a file.c", "", "one\ntwo\n").replace("+++ b/net/a file.c", "+++ b/net/a file.c\t2020-01-01")
    text = new + diff("net/a file.c", "three\n", "four\n")
    assert refused(host, text) == f"a.patch: hunk 1 of net/a file.c (line 1) does not fit {NAME}; read LOG, {ANEW}"


NOT_FOR_IT = {
    "a file that is not there": (diff("net/gone.c", "a\n", "b\n"), "net/gone.c: does not exist in index"),
    "a new file that is there": (diff(FORWARD, "", "a\n"), f"{FORWARD}: already exists in index"),
    "a rename of none": ("diff --git a/q b/w\nrename from q\nrename to w\n", "q: does not exist in index"),
    "another depth": (
        edit("used += size", "used -= size", "mm/heap.c").replace("mm/", ""),
        "heap.c: does not exist in index",
    ),
    "a way out": (diff("../../hurt", "", "a\n"), "invalid path '../../hurt'"),
    "a way out by a file": (diff("../../index", "a\n", "b\n"), "../../index: does not exist in index"),
    "git's own folder": (
        diff(".git/hooks/post-checkout", "", "#!/bin/sh\n"),
        "invalid path '.git/hooks/post-checkout'",
    ),
    "cut in a hunk": (slower()[:-40], "corrupt patch at line"),
    "a hunk's length is wrong": (slower().replace("@@ -25,6", "@@ -25,9"), "corrupt patch at line"),
    "a hunk without a file": (
        slower().partition("+++")[2].partition("\n")[2],
        "patch fragment without header at line 1",
    ),
}


@pytest.mark.parametrize("what", NOT_FOR_IT)
def test_a_patch_that_is_not_for_this_source_is_told_in_gits_words(host: Bench, what: str) -> None:
    text, words = NOT_FOR_IT[what]
    said = refused(host, text)
    assert said.startswith(f"a.patch: does not apply to {NAME} ({words}")
    assert said.endswith(f"); read LOG, {ANEW}")
    assert not list(host.workspace.rglob("hurt"))


def test_an_absolute_path_stays_within_the_tree(host: Bench) -> None:
    text = "--- /dev/null\n+++ /etc/hurt\n@@ -0,0 +1 @@\n+hurt\n"
    assert "changes nothing" in refused(host, text)
    assert not Path("/etc/hurt").exists()


def test_a_link_leads_no_patch_out_of_the_tree(host: Bench) -> None:
    link = f"diff --git a/out b/out\nnew file mode 120000\n--- /dev/null\n+++ b/out\n@@ -0,0 +1 @@\n+{host.workspace}\n"
    said = refused(host, f"{link}\\ No newline at end of file\n{diff('out/hurt', '', 'x' + chr(10))}")
    assert "beyond a symbolic link" in said
    assert not (host.workspace / "hurt").exists()


@pytest.mark.parametrize(
    "text", ["", "\n", "a fine day\n", b"\x7fELF" + bytes(range(256)) * 9, "diff --git a/x b/x\n", "\0" * 4096]
)
def test_what_is_no_patch_is_told(host: Bench, shell: str, text: str | bytes) -> None:
    said = refused(replace(host, interpreter=shell), text)
    assert said.startswith("a.patch: holds no change that git can read; read LOG") or "does not apply" in said
    assert said.endswith(ANEW)


def test_line_ends_of_another_system_are_told(host: Bench, shell: str) -> None:
    said = refused(replace(host, interpreter=shell), slower().replace("\n", "\r\n"))
    assert said == (
        f"a.patch: hunk 1 of {FORWARD} (line 25) does not fit {NAME}, and its lines end in CR LF; read LOG, {ANEW}"
    )


def test_a_binary_patch_is_a_patch(host: Bench, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "repository")
    (tmp_path / "repository/firmware.bin").write_bytes(bytes(range(256)))
    git(tmp_path / "repository", "add", ".")
    text = f"{git(tmp_path / 'repository', 'diff', '--cached', '--binary')}\n\n"
    assert "GIT binary patch" in text
    folder(patched(host, text + slower()).build())
    assert differences(host) == ["firmware.bin", FORWARD]


def test_what_moves_a_terminals_cursor_is_left_out_of_sentences(host: Bench) -> None:
    said = refused(host, diff("net/\x1b[2Jgone.c", "a\n", "b\n"))
    assert "\x1b" not in said
    said = refused(host, edit(SLOWER, f'{SLOWER}\tthere_is_no("\x1b[2J\x07");\n#error \x1b[2J\n'))
    assert not re.search("[\x00-\x1f\x7f]", said)


def test_a_patch_that_fits_elsewhere_builds_and_is_told_wherever_it_is_measured(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    earlier = f"/* one */\n/* two */\n{TEXT}"
    text = diff(FORWARD, earlier, earlier.replace(SLOWER, SLOWER.replace("++", " += 2")))
    heap = (LINUX / "mm/heap.c").read_text()
    text += diff("mm/heap.c", f"\n{heap}", f"\n{heap}".replace("return used;", "return used + 1;"))
    bench = patched(bench, text)
    offsets = f"hunk 1 of {FORWARD} by -2 lines, hunk 1 of mm/heap.c by -1 line"
    for run in ("one", "two"):
        done = bench.call("prepare.sh", str(bench.case_file), str(bench.run.with_name(run)))
        kernel = folder(bench.build())
        assert (done.status, done.last) == (
            0,
            f"a.patch: applies to {NAME} with offsets ({offsets}); "
            f"see {kernel}/build.log whether these are the places that were meant",
        )
        assert f"patch_offsets\t{offsets}\n" in (bench.run.with_name(run) / "prepare/facts").read_text()
    assert "Hunk #1 succeeded at" in (kernel / "build.log").read_text()


def test_a_patch_that_fits_its_place_has_no_offsets(host: Bench) -> None:
    assert patched(host, slower()).prepare().said == ""
    assert "patch_offsets" not in (host.run / "prepare/facts").read_text()


def test_white_space_counts(host: Bench) -> None:
    assert " does not fit " in refused(host, slower().replace(" \tdecrease", "  decrease"))


def test_a_mail_with_a_patch_in_it_is_a_patch(host: Bench) -> None:
    mail = "From 0 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nSubject: [PATCH] net\n\nWhy.\n---\n a | 2 +-\n\n"
    folder(patched(host, f"{mail}{slower()}-- \n2.39.5\n").build())


BREAKS = edit(SLOWER, SLOWER.replace("forwarded++", "frowarded++"))


def test_a_patch_that_breaks_the_build_is_told_in_the_compilers_words(host: Bench, shell: str) -> None:
    bench = patched(replace(host, interpreter=shell), BREAKS)
    done = bench.build()
    assert done.status == 2
    words = f"{FORWARD}:28:9: error: 'frowarded' undeclared (first use in this function); did you mean 'forwarded'?"
    assert done.last == f"a.patch: {NAME} with it does not build ({words}); read {log_of(bench)}"
    assert words in log_of(bench).read_text()


def test_after_a_patch_that_broke_the_build_only_what_differs_is_compiled(host: Bench) -> None:
    host.build()
    patched(host, BREAKS).build()
    kernel = folder(patched(host, slower()).build())
    assert "mm/heap.o" not in (kernel / "build.log").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (edit("\tforwarded++;\n", "\tforwarded += nowhere;\n"), "error: 'nowhere' undeclared"),
        (edit("int forwarded;", "extern int forwarded;"), "undefined reference to `forwarded'"),
        (edit("release := ", "$(error release: none) x := ", "Makefile"), r"\*\*\* release: none"),
        (edit("objects-y := ", "objects-y := net/none.o ", "Makefile"), r"\*\*\* No rule to make target"),
        (edit('#include "kernel.h"', '#include "colonel.h"', "init/main.c"), "error: colonel.h: No such file"),
    ],
    ids=["compiler", "linker", "make", "rule", "header"],
)
def test_whoever_complains_is_heard(host: Bench, text: str, words: str) -> None:
    assert re.search(words, refused(host, text))


def test_options_that_break_the_build_are_the_patchs_fault(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    bench = patched(bench, diff("net/extra.c", (LINUX / "net/extra.c").read_text(), ""), options=OPTIONS)
    done = bench.build()
    assert (done.status, done.last.partition(" (")[0]) == (2, f"a.patch: {NAME.partition(' (')[0]}")
    assert "does not build (make[1]: *** No rule to make target" in done.last


def test_a_patch_that_changes_nothing_is_refused(host: Bench, shell: str) -> None:
    said = refused(replace(host, interpreter=shell), edit("return 0;", "return 1;", "net/idle.c"))
    assert said == (
        f"a.patch: changes nothing, the kernel of {NAME} is the same without it, octet by octet; "
        "read LOG, and name kernel options that build net/idle.c under 'options' of the patch"
    )


def test_of_many_files_that_change_nothing_three_are_named(host: Bench) -> None:
    text = "".join(diff(f"net/{name}.c", "", "int x;\n") for name in "abcd")
    assert "that build net/a.c, net/b.c, net/c.c under" in refused(host, text)


def test_options_that_are_set_already_are_refused(host: Bench, shell: str) -> None:
    done = with_options(replace(host, interpreter=shell), "CONFIG_NET=y").build()
    assert (done.status, done.last) == (
        2,
        f"patch 'more': changes nothing, the kernel of {NAME} is the same without it, octet by octet; "
        "name options that are not set like this already",
    )


@pytest.mark.parametrize(
    "text", [BREAKS, slower().replace(" \tdecrease", " \tincrease"), edit("0;", "1;", "net/idle.c")]
)
def test_a_run_keeps_the_log_of_a_kernel_that_could_not_be_made(host: Bench, shell: str, text: str) -> None:
    bench = patched(replace(host, interpreter=shell), text)
    done, evidence = bench.prepare(), bench.run / "failed/prepare.1"
    assert done.status == 2
    assert f"read {evidence}/build.log" in done.last
    assert (evidence / "build.log").read_bytes() == log_of(bench).read_bytes()
    assert (evidence / "reason").read_text() == f"2\t{done.last}\n"
    folder(patched(bench, slower(3)).build())


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("panic", "the guest stopped with 'Kernel panic"),
        ("hang", "the guest was not done after 1 s"),
        ("cut", "the result is cut off after 1 lines"),
        ("lab", "pktgen stopped in phase 'measured'"),
    ],
)
def test_a_guest_that_a_patch_broke_is_its_authors(host: Bench, shell: str, end: str, words: str) -> None:
    bench = patched(replace(host, interpreter=shell), slower())
    assert bench.prepare().status == 0
    done = bench.traffic(GUEST=end, FWDLAB_BOOT_DEADLINE_S="1" if end == "hang" else "60")
    assert (done.status, words in done.last) == (2, True), done.last
    assert (bench.run / "failed/repeat-1.1/console.log").exists()


def test_a_guest_of_the_unpatched_kernel_is_the_labs(host: Bench, shell: str) -> None:
    bench = replace(host, interpreter=shell)
    assert [bench.prepare().status, bench.traffic(GUEST="panic").status, bench.traffic(GUEST="lab").status] == [0, 3, 3]


def test_a_killed_guest_is_the_labs_with_any_kernel(host: Bench) -> None:
    bench = patched(host, slower())
    assert [bench.prepare().status, bench.traffic(GUEST="killed").status] == [0, 3]
