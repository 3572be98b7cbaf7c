"""A management controller: OpenIPMI's simulator, on an address of loopback that is this process's own."""

from __future__ import annotations

import os
import pty
import subprocess
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PASSWORD = "secret"  # noqa: S105 - of no machine
_LAN = """\
name "dut"
chassis_control "{chassis} 0x20"
sol "{serial}" 115200
startlan 1
  addr {address} 623
  priv_limit admin
  allowed_auths_admin md5
  guid 00112233445566778899aabbccddeeff
endlan
user 2 true "admin" "{password}" admin 10 md5
"""
_CONTROLLER = """\
mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02
mc_enable 0x20
"""
# Called as CONTROLLER get NAME... or CONTROLLER set NAME VALUE...
_CHASSIS = """\
#!/bin/sh
cd '{folder}'
shift
action=$1
shift
case $action in
set)
	echo "$*" >>told
	[ "$1" != power ] || echo "$2" >power
	;;
get) for name; do [ "$name" = power ] && echo "power:$(cat power)" || echo "$name:0"; done ;;
esac
"""
_STARTS_S = 20


@dataclass(frozen=True, kw_only=True)
class Bmc:
    """Where it listens, and the folder in which its chassis keeps its state."""

    address: str
    folder: Path
    serial: int  # the DUT's end of its serial line

    @property
    def is_on(self) -> bool:
        """Whether the chassis has power."""
        return (self.folder / "power").read_text() == "1\n"

    @property
    def told(self) -> list[str]:
        """What the chassis was told to change, in order."""
        path = self.folder / "told"
        return path.read_text().splitlines() if path.exists() else []


@contextmanager
def running_bmc(folder: Path, *, on: bool) -> Iterator[Bmc]:
    """A controller whose chassis is on or off, and which knows 'admin' by PASSWORD; it ends with the block."""
    folder.mkdir()
    number = os.getpid()
    serial, other_end = pty.openpty()
    tty.setraw(serial)
    bmc = Bmc(
        serial=serial, address=f"127.{64 + (number >> 16) % 64}.{number >> 8 & 255}.{number & 255}", folder=folder
    )
    chassis = folder / "chassis"
    chassis.write_text(_CHASSIS.format(folder=folder))
    chassis.chmod(0o755)
    (folder / "power").write_text(f"{on:d}\n")
    lan = _LAN.format(chassis=chassis, serial=os.ttyname(other_end), address=bmc.address, password=PASSWORD)
    (folder / "lan.conf").write_text(lan)
    (folder / "commands").write_text(_CONTROLLER)
    command = ["ipmi_sim", "-n", "-c", str(folder / "lan.conf"), "-f", str(folder / "commands"), "-s", str(folder)]
    with (folder / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as simulator:
        try:
            _wait_until_it_answers(bmc)
            yield bmc
        finally:
            simulator.terminate()
            os.close(serial)
            os.close(other_end)


def _wait_until_it_answers(bmc: Bmc) -> None:
    ends = time.monotonic() + _STARTS_S
    ping = [
        "ipmitool",
        "-I",
        "lanplus",
        "-C",
        "3",
        "-H",
        bmc.address,
        "-U",
        "admin",
        "-P",
        PASSWORD,
        "-N",
        "1",
        "-R",
        "1",
    ]
    while subprocess.run([*ping, "chassis", "status"], capture_output=True, check=False).returncode:
        assert time.monotonic() < ends, (bmc.folder / "log").read_text()
