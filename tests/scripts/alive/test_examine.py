"""Labs without machines of their own are examined too; and a link's speed is read whatever the system calls it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.scripts.alive.controller import SCRIPTS, Controller

CASE = {
    "hardware.name": "box",
    "hardware.lab": "qemu",
    "hardware.arch": "x86_64",
    **{f"revision.{key}": "x" for key in ("name", "kind", "package", "version", "sha256")},
    **{f"firewall.{key}": "" for key in ("name", "rules", "sha256")},
    **{f"patch.{key}": "" for key in ("name", "file", "sha256", "options")},
    **{f"traffic.{key}": "" for key in ("name", "family", "frame_size", "flows", "load")},
    "runner.sha256": "",
}


def examined(controller: Controller, tools: str, **changed: str) -> subprocess.CompletedProcess[str]:
    """How the machine of a case is examined on a host that has these tools."""
    folder = controller.folder
    (folder / "bin").mkdir(exist_ok=True)
    for tool in tools.split():
        (folder / "bin" / tool).write_text("#!/bin/sh\n")
        (folder / "bin" / tool).chmod(0o755)
    lines = {"format": "fwdlab-case 1", **CASE, **changed}
    (folder / "a.case").write_text("".join(f"{key}\t{value}\n" for key, value in lines.items()))
    return subprocess.run(
        [*controller.shell.split(), str(SCRIPTS / "examine.sh"), str(folder / "a.case")],
        env={
            "PATH": f"{folder}/bin:/usr/bin:/bin",
            "HOME": str(folder),
            "FWDLAB_MACHINES": str(controller.leases),
            "FWDLAB_CACHE": str(folder / "cache"),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


TOOLS = "qemu-system-x86_64 depmod cpio xz zstd"


def test_a_host_of_the_virtual_lab_has_its_tools_and_room(controller: Controller) -> None:
    done = examined(controller, TOOLS)
    assert done.returncode == 0, done.stdout + done.stderr
    tools, room = done.stdout.splitlines()
    assert tools.endswith(": has qemu-system-x86_64 cpio depmod xz zstd flock setpriv")
    assert room.endswith(" MiB are free")


def test_a_fault_is_counted_kept_and_lifted_by_the_next_examination(controller: Controller) -> None:
    case = {"hardware.arch": "riscv64"}
    done = examined(controller, TOOLS, **case)
    assert done.returncode == 3
    assert "'qemu-system-riscv64' is missing; install the Debian package 'qemu-system'\n" in done.stdout
    assert done.stderr == "box: 1 fault, so it is quarantined; mend that, then './lab doctor box' again\n"
    assert "qemu-system-riscv64" in (controller.leases / "box.quarantine").read_text()
    mended = examined(controller, f"{TOOLS} qemu-system-riscv64", **case)
    assert mended.returncode == 0
    assert mended.stdout.splitlines()[-1].endswith("; lifted")
    assert list(controller.leases.iterdir()) == []


def test_a_native_host_under_load_is_told(controller: Controller) -> None:
    uptime = controller.folder / "bin/uptime"
    uptime.parent.mkdir()
    uptime.write_text("#!/bin/sh\necho ' 10:00:00 up 1 day,  load average: 999.00, 1.00, 1.00'\n")
    uptime.chmod(0o755)
    body = 'PATH={}:$PATH\nalias uptime={}\n. "$scripts/lib/examine.sh"\ncheck here has_peace 2 || true\n'
    done = controller.call(body.format(uptime.parent, uptime))
    assert "the load is 999.00, more than 2; see what else runs here, since it disturbs trials" in done.out


@pytest.mark.parametrize("words", [(), ("no-case",)])
def test_words_that_are_wrong_are_refused(controller: Controller, words: tuple[str, ...]) -> None:
    command = [*controller.shell.split(), str(SCRIPTS / "examine.sh"), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False, cwd=controller.folder)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("media", "said", "status"),
    [
        ("media: Ethernet autoselect (1000baseT <full-duplex>)", "of 1000 Mb/s\n", 0),
        ("media: Ethernet autoselect (10Gbase-SR <full-duplex,rxpause>)", "of 10000 Mb/s\n", 0),
        ("media: Ethernet autoselect (100baseTX <full-duplex>)", "", 3),
        ("media: Ethernet autoselect (none)", "whose speed it does not say\n", 0),
    ],
)
def test_the_speed_of_a_link_is_read_of_freebsds_words(
    controller: Controller, tmp_path: Path, media: str, said: str, status: int
) -> None:
    commands = tmp_path / "freebsd"
    commands.mkdir()
    for name, text in (("uname", "FreeBSD"), ("ifconfig", f"igb0: flags=8843<UP>\n\t{media}\n\tstatus: active")):
        (commands / name).write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n")
        (commands / name).chmod(0o755)
    aliases = f"alias uname={commands}/uname ifconfig={commands}/ifconfig\n" if "busybox" in controller.shell else ""
    done = subprocess.run(
        [*controller.shell.split(), "-c", f'{aliases}. "$0"', "./speed.sh", "igb0", "1000"],
        env={"PATH": f"{commands}:/usr/bin:/bin"},
        cwd=SCRIPTS / "labs/ssh/node",
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (status, said)
    if status:
        assert done.stderr == (
            "interface 'igb0' runs at 100 Mb/s, the matrix says 1000; "
            "look at its cable, the switch port and what the other end offers\n"
        )
