"""What this host lacks, or the case gets wrong, is one sentence and the status of whose fault it is."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripts.netns.host import Host, commands_but

PACKAGES = {
    "cc": "gcc",
    "unshare": "util-linux",
    "setpriv": "util-linux",
    "taskset": "util-linux",
}


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("command", PACKAGES)
def test_a_command_that_is_missing_is_named_with_its_package(host: Host, tmp_path: Path, command: str) -> None:
    done = host.call("prepare.sh", PATH=commands_but(tmp_path / "bin", command))
    assert done.status == 3
    assert (
        done.last == f"{os.uname().nodename}: '{command}' is missing; install the Debian package '{PACKAGES[command]}'"
    )


@pytest.mark.usefixtures("alone")
def test_a_compiler_without_its_headers_is_told(host: Host, tmp_path: Path) -> None:
    path = commands_but(tmp_path / "bin", "cc")
    (tmp_path / "bin/cc").write_text('#!/bin/sh\necho "x.c:1:10: fatal error: stdio.h: No such file" >&2\nexit 1\n')
    (tmp_path / "bin/cc").chmod(0o755)
    done = replace(host, cache=tmp_path / "cache").call("prepare.sh", PATH=path)
    assert done.status == 3
    assert "live-frames.c: does not compile (x.c:1:10: fatal error: stdio.h: No such file); install" in done.last


def test_a_host_without_namespaces_is_told(host: Host, tmp_path: Path) -> None:
    path = commands_but(tmp_path / "bin", "unshare")
    (tmp_path / "bin/unshare").write_text(
        '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n'
    )
    (tmp_path / "bin/unshare").chmod(0o755)
    done = host.call("prepare.sh", PATH=path)
    assert done.status == 3
    assert (
        "no network namespace may be made (unshare: unshare failed: Operation not permitted); run as root" in done.last
    )


def test_a_processor_that_is_not_there_is_told(host: Host) -> None:
    done = host.with_settings(processor="4095").call("prepare.sh")
    assert done.status == 3
    assert "processor 4095 is not there, or not ours (ours are " in done.last


def test_another_kernel_than_the_planned_one_is_not_measured(host: Host) -> None:
    done = host.with_case(revision=replace(host.case.revision, version="6.1.0-1")).call("prepare.sh")
    assert done.status == 3
    assert f"'{os.uname().release}' runs, planned was '6.1.0-1'; boot it, or plan again" in done.last


def test_another_build_of_the_planned_kernel_is_not_measured(host: Host) -> None:
    done = host.with_case(revision=replace(host.case.revision, sha256="0" * 64)).call("prepare.sh")
    assert done.status == 3
    assert "another build of " in done.last


def test_a_time_that_is_no_number_is_the_cases_fault(host: Host) -> None:
    done = host.with_settings(**{"trial.slice_ms": "1s"}).call("prepare.sh")
    assert done.status == 2
    assert "'hardware.trial.slice_ms' is '1s', not a whole number" in done.last


def test_patience_that_is_no_number_is_refused(host: Host) -> None:
    done = host.call("prepare.sh", FWDLAB_LOCK_PATIENCE_S="long")
    assert done.status == 2
    assert done.last == "FWDLAB_LOCK_PATIENCE_S: 'long' is not a whole number of seconds"


@pytest.mark.usefixtures("alone")
def test_a_family_nobody_has_is_refused(host: Host) -> None:
    traffic = replace(host.case.traffic, family="ipx")  # type: ignore[arg-type]
    done = host.with_case(traffic=traffic).call("prepare.sh")
    assert done.status == 2
    assert "family 'ipx' is neither inet nor inet6; mend the traffic entry" in done.last


@pytest.mark.usefixtures("alone")
def test_a_sender_nobody_has_is_refused(host: Host) -> None:
    done = host.with_settings(sender="carrier-pigeon").call("prepare.sh")
    assert done.status == 2
    assert "sender 'carrier-pigeon' is not known; mend the hardware entry" in done.last


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("sender", ["bpf", "trafgen"])
def test_a_sender_that_cannot_be_told_a_load_refuses_it(host: Host, sender: str) -> None:
    told = host.with_settings(sender=sender)
    done = told.with_case(traffic=replace(told.case.traffic, load="50000")).call("prepare.sh")
    assert done.status == 2
    assert f"sender '{sender}' offers the most it can, of one size; write 'load: max', or 'sender: packet'" in done.last
