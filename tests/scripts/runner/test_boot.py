"""A boot that does not end well: whose fault it was, in a sentence, with everything kept that was said."""

from __future__ import annotations

import time
from dataclasses import replace
from platform import node

import pytest

from tests.scripts.runner.bench import Bench

SLUG = "qemu-x86/old/nft/none/udp4"
WORDS = "(last words '[2J[    0.1] virtio: a channel')"  # what moves a cursor is left out
CONSOLE = "{run}/failed/{name}.1/console.log"
ENDS = {
    "panic": "qemu-x86: the guest stopped with 'Kernel panic - not syncing: VFS: Unable to mount root fs'; read "
    + CONSOLE,
    "hang": f"qemu-x86: the guest was not done after 1 s {WORDS}; read {CONSOLE}, or raise FWDLAB_BOOT_DEADLINE_S",
    "killed": "qemu-x86: qemu-system-x86_64 was killed; run again",
    "broken": "qemu-x86: qemu-system-x86_64 ended with status 1 (qemu-system: out of luck); "
    "read {run}/failed/{name}.1/emulator.log",
    "cut": f"qemu-x86: the result is cut off after 1 lines {WORDS}; read {CONSOLE}",
    "empty": f"qemu-x86: the result is cut off after 0 lines (last words ''); read {CONSOLE}",
    "stranger": "qemu-x86: the guest booted '5.10.0-1', planned was '6.1.0-9-fake'; empty {kernel}",
    "lab": f"{SLUG}: pktgen stopped in phase 'measured' {WORDS}",
    "refuse": f"{SLUG}: rules/one.nft:4:2-9: Error: syntax error; nft refuses it, mend the rule file",
}
ends = pytest.mark.parametrize("end", ENDS)


def sentence(bench: Bench, end: str, name: str) -> str:
    (kernel,) = bench.cache.glob("kernels/linux-image*[!k]")
    return ENDS[end].format(run=bench.run, name=name, kernel=kernel)


def fail(bench: Bench, step: str, end: str) -> str:
    """Call a step whose guest ends that way; returns what was said last."""
    done = bench.step(step, GUEST=end, FWDLAB_BOOT_DEADLINE_S="1" if end == "hang" else "60")
    assert done.status == (2 if end == "refuse" else 3), done.said
    return done.last


@ends
def test_a_repeat_that_fails_says_why_and_stays_as_evidence(ready: Bench, shell: str, end: str) -> None:
    bench = replace(ready, interpreter=shell)
    expected = sentence(bench, end, "repeat-1")
    assert fail(bench, "traffic", end) == expected
    assert bench.failed("repeat-1.1") == f"{2 if end == 'refuse' else 3}\t{expected}\n"
    kept = {path.name for path in (bench.run / "failed/repeat-1.1").iterdir()}
    assert kept == {"command", "console.log", "emulator.log", "facts", "messages", "reason", "result"}
    assert not (bench.run / "repeat-1").exists()
    assert not list(bench.run.glob("*.partial"))


@ends
def test_a_profile_that_fails_says_why_and_the_manifest_is_written(ready: Bench, end: str) -> None:
    assert ready.traffic().status == 0
    assert fail(ready, "collect", end) == sentence(ready, end, "profile")
    listed = (ready.run / "manifest").read_text()
    assert "  failed/profile.1/reason\n" in listed
    assert "  repeat-1/result\n" in listed
    assert ready.collect().status == 0
    assert "  profile/perf.script\n" in (ready.run / "manifest").read_text()


def test_an_empty_profile_is_none(ready: Bench, shell: str) -> None:
    ready.traffic()
    done = replace(ready, interpreter=shell).collect(GUEST="idle")
    assert done.status == 3
    assert done.last.startswith(f"{SLUG}: the profile is empty (last words '")
    assert done.last.endswith(f"'); read {ready.run}/failed/profile.1/console.log")
    assert not (ready.run / "profile").exists()
    assert ready.collect().status == 0


@ends
def test_whole_repeats_stay_and_a_second_attempt_works(ready: Bench, end: str) -> None:
    ready.traffic("2")
    whole = {name: (ready.run / name).read_bytes() for name in ready.files() if name.startswith("repeat-2/")}
    fail(ready, "traffic", end)
    evidence = {name: (ready.run / name).read_bytes() for name in ready.files() if name.startswith("failed/")}
    assert ready.traffic().status == 0
    assert {name: (ready.run / name).read_bytes() for name in (*whole, *evidence)} == whole | evidence
    assert {"repeat-1/result", "repeat-2/result"} <= set(ready.files())


def test_each_failed_attempt_is_kept_beside_the_others(ready: Bench) -> None:
    for end in ("panic", "cut", "killed"):
        fail(ready, "traffic", end)
    reasons = [ready.failed(f"repeat-1.{number}") for number in (1, 2, 3)]
    assert ["Kernel panic" in reasons[0], "cut off" in reasons[1], "was killed" in reasons[2]] == [True, True, True]
    assert "failed/repeat-1.2/console.log" in reasons[1]


def test_what_the_guest_said_is_kept_byte_for_byte(ready: Bench) -> None:
    fail(ready, "traffic", "panic")
    console = (ready.run / "failed/repeat-1.1/console.log").read_bytes()
    assert console.startswith(b"\x1b[2J[    0.1] virtio: a channel\r\n\x1b[2J[    0.1] Kernel panic")


def test_an_emulator_that_does_not_listen_is_late_not_killed(ready: Bench) -> None:
    started = time.monotonic()
    done = ready.traffic(GUEST="deaf", FWDLAB_BOOT_DEADLINE_S="1")
    assert done.last == sentence(ready, "hang", "repeat-1")
    assert time.monotonic() - started < 20


def test_no_emulator_is_named_with_its_package(ready: Bench, shell: str) -> None:
    done = replace(ready, interpreter=shell).without("qemu-system-x86_64").traffic()
    expected = f"{node()}: 'qemu-system-x86_64' is missing; install the Debian package 'qemu-system-x86'"
    assert (done.status, done.last) == (3, expected)
    assert ready.failed("repeat-1.1") == f"3\t{expected}\n"
    assert ready.traffic().status == 0


@pytest.mark.parametrize("deadline", ["soon", "1.5", "-1", "$(touch x)"])
def test_a_deadline_is_whole_seconds(ready: Bench, shell: str, deadline: str) -> None:
    done = replace(ready, interpreter=shell).traffic(FWDLAB_BOOT_DEADLINE_S=deadline)
    assert (done.status, done.did) == (2, [])
    assert done.last == f"FWDLAB_BOOT_DEADLINE_S: '{deadline}' is not a whole number of seconds"


def test_a_boot_is_told_what_was_asked_for(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    assert bench.traffic("3").status == 0
    words = bench.diary.with_suffix(".words").read_text().splitlines()
    command = (bench.run / "repeat-3/command").read_text().splitlines()
    assert command == ["qemu-system-x86_64", *words]
    assert words[words.index("-m") + 1] == "64M"
    assert words[words.index("-icount") + 1] == "shift=0,sleep=off"
    facts = dict(line.split("\t") for line in (bench.run / "repeat-3/facts").read_text().splitlines())
    assert float(facts["boot_s"]) >= 0
    assert float(facts["traffic_s"]) >= 0
