"""Real faults on the real lab: each ends its case with a sentence, nothing is left behind, and the next run goes on."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest

from tests.e2e.lab import SLUG, Workplace
from tests.unit.run.processes import all_gone, until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1500)]


def test_rules_that_nft_refuses_are_told_in_its_own_words_and_with_2(workplace: Workplace) -> None:
    (workplace.folder / "nft-stateful.nft").write_text("table inet filter {\n\tchain forward { typ filter }\n}\n")
    done = workplace.run("--only", "qemu-x86/debian-6.12/nft-stateful/none/udp4-64", "--repeats", "1")
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("qemu-x86/debian-6.12/nft-stateful/none/udp4-64: repeat 1: ")
    assert "nft-stateful.nft" in last
    assert "syntax error" in last
    (failed,) = (workplace.results / "runs").rglob("failed/repeat-1.1")
    assert "syntax error" in (failed / "console.log").read_text(errors="replace")
    assert not list(workplace.results.rglob("repeat-1"))


def test_an_emulator_that_is_killed_twice_gives_its_case_up_with_3(workplace: Workplace) -> None:
    run = workplace.start("--only", SLUG, "--repeats", "1", "--jobs", "1")
    for _ in range(2):
        (guest,) = workplace.booted(1)
        os.kill(guest, signal.SIGKILL)
        until(partial(workplace.is_gone, guest), 5, "it ends")
    _, said = run.communicate(timeout=60)
    assert run.returncode == 3
    assert f"{SLUG}: repeat 1: qemu-x86: qemu-system-x86_64 was killed; run again" in said
    assert len(workplace.reasons()) == 2
    assert all("was killed" in reason for reason in workplace.reasons())


def test_a_guest_that_takes_too_long_is_ended_with_3(workplace: Workplace) -> None:
    done = workplace.run("--only", SLUG, "--repeats", "1", FWDLAB_BOOT_DEADLINE_S="1")
    assert done.returncode == 3
    assert "qemu-x86: the guest was not done after 1 s" in done.stderr.splitlines()[-1]
    assert len(workplace.reasons()) == 2, "once and once again"


def test_a_guest_that_panics_is_told_in_its_own_words(workplace: Workplace) -> None:
    workplace.write("memory: 512M", "memory: 96M")  # less than its first file system unpacks to
    done = workplace.run("--only", SLUG, "--repeats", "1", FWDLAB_BOOT_DEADLINE_S="60")
    assert done.returncode == 3
    assert "qemu-x86: the guest stopped with 'Kernel panic - not syncing: " in done.stderr.splitlines()[-1]


def test_a_stopped_run_leaves_nothing_but_whole_repeats(workplace: Workplace) -> None:
    run = workplace.start("--only", SLUG, "--repeats", "1")
    workplace.booted(1)
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=10) == 130
    all_gone(str(workplace.folder))
    (folder,) = (path.parent for path in workplace.results.rglob("case"))
    assert sorted(path.name for path in folder.iterdir()) == ["case", "prepare"]
