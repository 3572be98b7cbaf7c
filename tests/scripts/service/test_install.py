"""What a runner needs on its host: put in place whole, taken by sudo, systemd and rc, and brought up to date."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.service.host import SCRIPTS, Host

RC = """\
load_rc_config() { [ "$1" = fwdlab_runner ] || exit 64; fwdlab_runner_enable=YES; fwdlab_runner_machine=$MACHINE; }
err() { status=$1; shift; echo "$*" >&2; exit "$status"; }
run_rc_command() {
	[ "$rcvar" = fwdlab_runner_enable ] && [ "$command" = /usr/sbin/daemon ] && [ "$sig_stop" = QUIT ] || exit 64
	"$start_precmd"
	echo "$1 needs $required_files"
	echo "$1 looks for $procname in $pidfile"
	echo "$command $command_args"
}
"""


def files(host: Host) -> list[str]:
    return sorted(path.relative_to(host.folder).as_posix() for path in host.folder.rglob("*") if path.is_file())


def mode(host: Host, name: str) -> int:
    return (host.folder / name).stat().st_mode & 0o777


LIBEXEC = [f"usr/local/libexec/fwdlab-runner/{name}.sh" for name in ("checks", "drain", "health", "place", "register")]


def test_on_linux_it_is_a_unit_of_systemd(host: Host) -> None:
    done = host.with_command("visudo", "exit 0").call("install.sh", "apu2")
    assert done.status == 0, done.said
    assert done.out.endswith("libexec/fwdlab-runner/register.sh, then: systemctl enable --now fwdlab-runner@apu2\n")
    assert files(host) == [
        "etc/sudoers.d/fwdlab-runner",
        "etc/systemd/system/fwdlab-runner@.service",
        *LIBEXEC,
    ]
    assert mode(host, "etc/sudoers.d/fwdlab-runner") == 0o440
    assert mode(host, "etc/fwdlab-runner") == 0o700
    assert mode(host, "usr/local/libexec/fwdlab-runner/drain.sh") == 0o755
    assert (host.folder / "var/lib/fwdlab-runner/apu2").is_dir()
    assert mode(host, "var/lib/fwdlab/machines") == 0o775


def test_on_freebsd_it_is_a_script_of_rc(host: Host) -> None:
    done = host.with_command("uname", "echo FreeBSD").call("install.sh", "apu2")
    assert done.status == 0, done.said
    assert (
        "then: sysrc fwdlab_runner_enable=YES fwdlab_runner_machine=apu2 && service fwdlab_runner start\n" in done.out
    )
    assert files(host) == ["usr/local/etc/rc.d/fwdlab_runner", *LIBEXEC]
    assert mode(host, "usr/local/etc/rc.d/fwdlab_runner") == 0o555


def test_doing_it_again_brings_it_up_to_date(host: Host) -> None:
    host.registered()
    script = host.folder / "usr/local/libexec/fwdlab-runner/drain.sh"
    script.write_text("old")
    before = host.config.read_bytes()
    assert host.call("install.sh", "box").status == 0
    assert script.read_bytes() == (SCRIPTS / "drain.sh").read_bytes()
    assert host.config.read_bytes() == before


def test_what_is_installed_works_from_there(host: Host) -> None:
    host.registered()
    installed = str(host.folder / "usr/local/libexec/fwdlab-runner/drain.sh")
    assert host.call(installed, "box").out == "box: no runner is at work\n"


def test_without_sudo_it_says_who_can_drain(host: Host) -> None:
    done = host.call("install.sh", "box")
    assert done.out.startswith(
        "install.sh: there is no sudo here, so nobody but root may drain the runner or see its health\n"
    )


def test_rules_that_sudo_does_not_take_are_not_installed(host: Host) -> None:
    done = host.with_command("visudo", "echo 'line 4: syntax error' >&2; exit 1").call("install.sh", "box")
    assert done.status == 3
    assert done.said.endswith(
        "sudoers: this sudo does not take it (line 4: syntax error); install sudo 1.9.10 or later\n"
    )
    assert not (host.folder / "etc/sudoers.d").exists()


def test_wrong_words_are_told(host: Host) -> None:
    assert host.call("install.sh").said == "install.sh: expected MACHINE, got 0 words\n"
    assert host.call("install.sh", "a b").said.startswith(
        "'a b': cannot be the name of a machine that has a runner; write"
    )
    done = host.with_command("id", "echo 1000").call("install.sh", "box", DESTDIR="")
    assert (done.status, done.said) == (
        2,
        "install.sh: you are not root; call it as root, or set DESTDIR to look at what it does\n",
    )


def test_sudo_takes_the_rules() -> None:
    done = subprocess.run(["visudo", "-c", "-f", str(SCRIPTS / "sudoers")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "fwdlab-runner@.service"
    shutil.copy(SCRIPTS / unit.name, unit)
    unit.write_text(unit.read_text().replace("ExecStart=gitlab-runner", "ExecStart=/bin/true"))
    words = [
        "systemd-analyze",
        "verify",
        "--man=no",
        "--recursive-errors=no",
        str(tmp_path / "fwdlab-runner@box.service"),
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.replace("\n", "")) == (0, ""), "an unknown setting would be told"


def rc(tmp_path: Path, machine: str) -> subprocess.CompletedProcess[str]:
    """The script by a stand-in of rc.subr, whose functions look at what they are given."""
    (tmp_path / "rc.subr").write_text(RC)
    script = (SCRIPTS / "fwdlab_runner.rc").read_text().replace("/etc/rc.subr", str(tmp_path / "rc.subr"))
    words = ["dash", "-eu", "-c", script, "fwdlab_runner", "start"]
    return subprocess.run(words, env={"MACHINE": machine}, capture_output=True, text=True, check=False)


def test_rc_starts_the_runner_of_its_machine_and_stops_it_by_draining(tmp_path: Path) -> None:
    done = rc(tmp_path, "apu2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "start needs /usr/local/etc/fwdlab-runner/apu2.toml",
        "start looks for /usr/local/bin/gitlab-runner in /var/run/fwdlab_runner.pid",
        "/usr/sbin/daemon -f -S -T fwdlab_runner -p /var/run/fwdlab_runner.pid -u fwdlab "
        "/usr/local/bin/gitlab-runner run --config /usr/local/etc/fwdlab-runner/apu2.toml "
        "--working-directory /var/lib/fwdlab-runner/apu2",
    ]


@pytest.mark.parametrize("machine", ["", "../apu2", "apu2; id"])
def test_rc_without_a_machine_says_what_to_set(tmp_path: Path, machine: str) -> None:
    done = rc(tmp_path, machine)
    assert done.returncode == 3
    assert done.stderr == f"fwdlab_runner_machine: '{machine}' is no machine's name; set it in rc.conf\n"
