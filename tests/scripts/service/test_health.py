"""The health of a runner and its host: a sentence for each fault, and the exit status of its family."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.scripts.service.host import Host

FIND = """\
case $* in
*' -prune '*) exec /usr/bin/find "$1" -prune ! -perm -700 ;;
*-user*) ;; # all is of whoever asks: the user of jobs is not there
*) exec /usr/bin/find "$@" ;;
esac"""


@pytest.fixture
def well(host: Host) -> Host:
    """A host whose runner waits for a job."""
    return host.registered().with_fakes("ps", "df", "uptime").with_command("id", "echo fwdlab")


def processes(host: Host, *more: str) -> str:
    """A list of processes: the runner's, and others."""
    ours = f"40 1 fwdlab -|/usr/bin/gitlab-runner run --config {host.config} --working-directory /var/lib"
    lines = ["1 0 root -|/sbin/init", *([] if "none" in more else [ours]), *(line for line in more if line != "none")]
    return str(host.file("processes", "".join(f"{line}\n" for line in lines)))


def health(host: Host, *more: str, **settings: str) -> tuple[int, str]:
    done = host.call("health.sh", "box", PROCESSES=processes(host, *more), **settings)
    assert done.out == ""
    return done.status, done.said.replace(str(host.folder), "")


JOB = ("50 40 fwdlab -|sh -l", "51 50 fwdlab CI_JOB_URL=https://lab.example/-/jobs/7|/bin/sh job.sh traffic")


@pytest.mark.parametrize("more", [(), JOB])
def test_nothing_is_said_where_all_is_well(well: Host, more: tuple[str, ...]) -> None:
    well.with_command("find", FIND)
    assert health(well, *more) == (0, "")
    assert health(well, *more, FREEBSD="1", AHEAD="none") == (0, "")


def test_a_load_is_a_fault_where_no_job_makes_it(well: Host) -> None:
    well.with_command("find", FIND)
    assert health(well, *JOB, LOAD="7.50") == (0, "")
    for system in ({}, {"FREEBSD": "1"}):
        status, said = health(well, LOAD="1.50", **system)
        assert status == 3
        assert ": the load is 1.50 and no job is at work; see what else runs here, since it disturbs trials\n" in said


def no_runner(_: Host) -> tuple[str, ...]:
    return ("none",)


def two_runners(host: Host) -> tuple[str, ...]:
    return (f"60 1 root -|gitlab-runner run --config {host.config}",)


def open_config(host: Host) -> tuple[str, ...]:
    host.config.chmod(0o640)
    return ()


def no_token(host: Host) -> tuple[str, ...]:
    host.config.write_text(host.config.read_text().replace("glrt-", "").replace("t1_0123456789abcdefghij", ""))
    return ()


def no_folder(host: Host) -> tuple[str, ...]:
    host.home.rmdir()
    return ()


def closed_folder(host: Host) -> tuple[str, ...]:
    host.home.chmod(0o555)
    return ()


def strays(_: Host) -> tuple[str, ...]:
    dead = "72 1 fwdlab -|[sh] <defunct>"
    return (*JOB, "70 1 fwdlab -|sleep 300", "71 70 fwdlab -|sleep 300", dead, "73 1 root -|sshd")


@pytest.mark.parametrize(
    ("fault", "settings", "status", "said"),
    [
        (no_runner, {}, 3, "box: no runner is at work; start its service, and read its log if it ends\n"),
        (
            two_runners,
            {},
            3,
            "box: more than one runner is at work (processes 40 60), so jobs may run side by side; stop all",
        ),
        (
            open_config,
            {},
            2,
            "/etc/fwdlab-runner/box.toml: others may read the token; chmod 600 it, and register it with a new",
        ),
        (no_token, {}, 2, "/etc/fwdlab-runner/box.toml: has no token; register the runner\n"),
        (
            None,
            {"VERIFY": "refused"},
            2,
            "box.toml: GitLab at https://gitlab.example.org does not know the token any more; make",
        ),
        (
            None,
            {"VERIFY": "down"},
            3,
            "https://gitlab.example.org: does not answer the runner (dial tcp: connection refused); look",
        ),
        (
            None,
            {"FREE": "2097152"},
            3,
            "/box: only 2048 MiB are free, 5120 are needed; delete old checkouts below builds/\n",
        ),
        (
            no_folder,
            {},
            3,
            "/var/lib/fwdlab-runner/box: is not there, or user 'fwdlab' is not; run install.sh for this",
        ),
        (
            closed_folder,
            {},
            3,
            "/var/lib/fwdlab-runner/box: jobs may not write there; give it to 'fwdlab', and chmod u+rwx it\n",
        ),
        (strays, {}, 3, ": processes of 'fwdlab' outlived their jobs (70 71); look what they are, then kill them\n"),
    ],
)
def test_each_fault_has_its_sentence(
    well: Host, fault: Callable[[Host], tuple[str, ...]] | None, settings: dict[str, str], status: int, said: str
) -> None:
    well.with_command("find", FIND)
    found = health(well, *(fault(well) if fault else ()), **settings)
    assert said in found[1]
    assert found[0] == status, found[1]


@pytest.mark.parametrize(("ahead", "off"), [("69", r"-6\d"), ("-3600", r"360\d")])
def test_a_clock_that_is_wrong_is_told(well: Host, ahead: str, off: str) -> None:
    well.with_command("find", FIND)
    status, said = health(well, AHEAD=ahead)
    assert status == 3
    assert re.search(rf": the clock is {off} s from GitLab's; set it, and see that NTP keeps it\n", said), said


def test_a_lab_at_fault_outweighs_what_somebody_wrote(well: Host) -> None:
    well.config.chmod(0o640)
    assert health(well, "none", VERIFY="refused")[0] == 3


def test_a_machine_that_is_not_registered_is_told(host: Host) -> None:
    done = host.call("health.sh", "box")
    assert (done.status, done.said) == (2, f"{host.config}: is not there; register the runner of 'box' first\n")
    assert host.call("health.sh").said == "health.sh: expected MACHINE, got 0 words\n"
