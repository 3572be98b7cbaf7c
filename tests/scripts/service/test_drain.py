"""A runner is drained: its job ends as it would have, and whoever waits is told what for."""

from __future__ import annotations

import signal
import subprocess

import pytest

from tests.scripts.service.host import Host
from tests.unit.run.processes import until


def ready(host: Host) -> Host:
    """The runner of the host is in the list of processes, and its job too, if it has one."""
    until(
        lambda: (
            str(host.config)
            in subprocess.run(["ps", "axww", "-o", "args="], capture_output=True, text=True, check=True).stdout
        ),
        20,
        "a runner",
    )
    return host


def test_without_a_runner_there_is_nothing_to_wait_for(host: Host) -> None:
    done = host.registered().call("drain.sh", "box")
    assert (done.status, done.out, done.said) == (0, "box: no runner is at work\n", "")


def test_an_idle_runner_ends_at_once(host: Host) -> None:
    with host.registered().runner() as process:
        done = ready(host).call("drain.sh", "box", "30")
        assert (done.status, process.wait(timeout=5)) == (0, 0)
    assert done.out.splitlines()[-1] == "box: no runner is at work"


def test_a_job_is_waited_for_and_named(host: Host) -> None:
    with host.registered().runner(job_s=4) as process:
        done = ready(host).call("drain.sh", "box", "30")
        assert (done.status, process.wait(timeout=5)) == (0, 0)
    assert done.out.splitlines()[0].startswith("box: takes no more jobs, waits for https://lab.example/-/jobs/7 (")


def test_who_waits_too_long_is_told_and_the_job_goes_on(host: Host) -> None:
    with host.registered().runner(job_s=60) as process:
        done = ready(host).call("drain.sh", "box", "1")
        assert done.status == 3
        assert done.said.startswith("box: still at work after ")
        assert done.said.endswith("s: https://lab.example/-/jobs/7; wait longer, or cancel it at GitLab\n")
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)


def test_the_runner_of_another_machine_is_left_alone(host: Host) -> None:
    host.registered()
    (host.config.parent / "boxer.toml").write_text(host.config.read_text())
    with host.runner() as process:
        assert ready(host).call("drain.sh", "boxer").out == "boxer: no runner is at work\n"
        assert process.poll() is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "drain.sh: expected MACHINE and perhaps SECONDS, got 0 words\n"),
        (("box", "1", "2"), "drain.sh: expected MACHINE and perhaps SECONDS, got 3 words\n"),
        (("box", "1h"), "drain.sh: '1h' is not a whole number of seconds\n"),
        (("box", ""), ""),
        (("../box",), "'../box': cannot be the name of a machine that has a runner; write the one of the matrix\n"),
        (("-x",), "'-x': cannot be the name of a machine that has a runner; write the one of the matrix\n"),
        (("apu2",), "/etc/fwdlab-runner/apu2.toml: is not there; register the runner of 'apu2' first\n"),
    ],
)
def test_wrong_words_are_told(host: Host, words: tuple[str, ...], said: str) -> None:
    done = host.registered().call("drain.sh", *words)
    assert done.status == (2 if said else 0)
    assert done.said.removeprefix(str(host.folder)) == said
