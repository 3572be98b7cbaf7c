"""A real Linux DUT: a machine with its own kernels, power switch and console, among nodes that are namespaces.

It is an emulator's, so its numbers say nothing; what boots it, proves it, loses it and brings it back is what real
machines have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.case import Kind, Revision
from fwdlab.records.model import Record
from tests.e2e.machine import Guest, laid_out, on_ground

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(3600)]  # the first time, two kernels are built from nothing

ID = "od -An -v -t x1 /sys/kernel/notes | tr -d ' \\n'"
PANIC = """\
#!/bin/sh
kexec -l /srv/image --command-line='root=/dev/none console=ttyS0'
"""


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """The laboratory, its DUT running what it starts by itself."""
    with on_ground() as ground, laid_out(ground) as made:
        yield made


def doubts(record: Record) -> list[str]:
    """What is wrong with the trial, but for what a busy host does to the sender."""
    return [fault for fault in faults_of(record) if not fault.startswith("sender offered")]


def conditions(record: Record) -> dict[str, str]:
    return dict(record.conditions.facts)


def boot(guest: Guest) -> str:
    return guest.bed.by_ssh("dut", "cat /proc/sys/kernel/random/boot_id").strip()


def test_each_repeat_is_of_another_boot(guest: Guest) -> None:
    asked = guest.running.with_settings(reboot="repeat")
    seen = [boot(guest)]
    record = asked.measure()
    assert doubts(record) == []
    assert record.trial.boot_s
    assert record.trial.boot_s > 1
    assert conditions(record)["kernel_release"] == guest.release
    assert boot(guest) not in seen


def test_a_kernel_with_a_patch_is_booted_by_kexec_and_proven(guest: Guest) -> None:
    asked = guest.patched
    record = asked.measure()
    assert doubts(record) == []
    facts = conditions(record)
    assert facts["booted_by"] == "kexec"
    assert facts["kernel_build_id"] == guest.build_id("patched") != guest.build_id("plain")
    assert facts["kernel_build_id"] in guest.bed.by_ssh("dut", ID)
    assert (asked.run / "prepare/patch").read_text() == (asked.folder / "longer.patch").read_text()
    guest.power("cycle")
    guest.wait()
    assert guest.build_id("plain") in guest.bed.by_ssh("dut", ID), "what it starts by itself is what it was"
    again = asked.measure("2")
    assert doubts(again) == []
    assert guest.build_id("patched") in guest.bed.by_ssh("dut", ID)


def test_a_package_of_the_nodes_own_archive_is_booted_once(guest: Guest) -> None:
    asked = guest.packaged
    record = asked.measure()
    assert doubts(record) == []
    assert conditions(record)["booted_by"] == "kexec"
    assert guest.build_id("patched") in guest.bed.by_ssh("dut", ID)
    assert guest.bed.by_ssh("dut", "dpkg -l 'linux-image*' 2>/dev/null || echo none").strip() == "none"
    missing = asked.with_case(revision=replace(asked.case.revision, version="9.9"))
    done = missing.call("prepare.sh")
    assert done.status == 2
    assert "dut 10.0.0.12: its apt has no package 'linux-image-small' in version '9.9' (" in done.last


def test_another_revision_than_the_planned_is_told(guest: Guest) -> None:
    asked = guest.running
    done = asked.with_case(revision=replace(asked.case.revision, version="6.1.0-49-amd64")).call("prepare.sh")
    assert done.status == 3
    assert "planned was '6.1.0-49-amd64'; look at what it boots from, or mend 'version' in the matrix" in done.last


def test_a_kernel_that_panics_leaves_its_console_and_the_machine_comes_back(guest: Guest) -> None:
    (guest.bed.folder / "panic.sh").write_text(PANIC)
    revision = Revision(name="panic", kind=Kind.COMMAND, package="panic.sh", version=guest.release, sha256="")
    asked = guest.running.with_case(revision=revision)
    done = asked.call("prepare.sh", FWDLAB_RESTART_DEADLINE_S="200")
    assert done.status == 3
    assert "is power-cycled\n" in done.said
    assert "Kernel panic - not syncing" in (asked.run / "failed/prepare.1/console").read_text()
    assert "panicked" in (asked.run / "failed/prepare.1/reason").read_text()
    assert "answers again after" in done.said
    guest.power("cycle")
    guest.wait()
    assert guest.build_id("plain") in guest.bed.by_ssh("dut", ID)
