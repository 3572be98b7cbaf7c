"""What the DUT's console shows during a step lies with the step: its end, printable, and no more than has a use."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.scripts.alive.bmc import PASSWORD, running_bmc
from tests.scripts.alive.controller import Controller, Done, make_controller
from tests.unit.run.processes import until

pytestmark = pytest.mark.timeout(90)

STEP = """\
step=repeat-1
mkdir -p "$run_folder/$step.partial"
start_console
sleep 1
[ ! -e "$ssh_folder/console.command" ] || cat "$ssh_folder/console.command"
lab_close
"""


SOL_STEP = """\
step=repeat-1
mkdir -p "$run_folder/$step.partial"
start_console
looks=0
until grep -q panic "$ssh_folder/console/newer" 2>/dev/null || [ "$((looks += 1))" -gt 300 ]; do sleep 0.1; done
lab_close
"""


def shown(controller: Controller, program: str) -> tuple[Done, bytes]:
    """What is kept of the console that this program shows."""
    command = controller.folder / "console"
    command.write_text(f"#!/bin/sh\n{program}\n")
    command.chmod(0o755)
    controller.access(console=str(command))
    done = controller.call(STEP)
    assert done.status == 0, done.said
    return done, (controller.folder / "run/repeat-1.partial/console").read_bytes()


def test_what_is_shown_is_kept_until_the_step_ends(controller: Controller) -> None:
    done, text = shown(controller, "echo 'panic: mbuf'; printf 'db> '; cat; echo its input ended")
    assert text == b"panic: mbuf\ndb> \n"
    until(lambda: not running(done), 5, "the console command went on")


def running(done: Done) -> bool:
    try:
        with open(f"/proc/{int(done.out)}/stat", encoding="ascii") as stat:  # noqa: PTH123
            return stat.read().split(") ")[1][0] != "Z"
    except OSError:
        return False


def test_what_would_move_a_cursor_is_left_out(controller: Controller) -> None:
    _, text = shown(controller, r"printf '\033[2J\000\351login:\r\n\tok\n'")
    assert text == b"[2Jlogin:\n\tok\n"


def test_of_much_the_end_is_kept(controller: Controller) -> None:
    _, text = shown(controller, "yes 0123456789abcdef0123456789abcdef | head -n 6000; echo last")
    assert len(text) <= 128 * 1024
    assert text.endswith(b"def\nlast\n")


def test_a_line_without_end_is_cut(controller: Controller) -> None:
    _, text = shown(controller, "head -c 200000 /dev/zero | tr '\\0' x")
    assert 1000 <= len(text) <= 128 * 1024


def test_a_command_that_cannot_be_run_leaves_its_words_and_stops_nothing(controller: Controller) -> None:
    controller.access(console="/no/console --port 3")
    done = controller.call(STEP)
    assert done.status == 0, done.said
    assert "/no/console" in (controller.folder / "run/repeat-1.partial/console").read_text()


def test_by_ipmi_it_is_shown_again_though_the_session_of_a_killed_step_is_left(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may listen on IPMI's port, 623")
    controller = make_controller(tmp_path, "dash")
    (tmp_path / "password").write_text(PASSWORD)
    with running_bmc(tmp_path / "bmc", on=True) as bmc:
        words = f"-I lanplus -C 3 -H {bmc.address} -U admin -f {tmp_path}/password sol activate"
        controller.access(console=f"ipmitool {words}")
        for _ in range(2):
            step = controller.start(SOL_STEP)
            while step.poll() is None:
                os.write(bmc.serial, b"panic: mbuf\r\n")
                time.sleep(0.3)
            assert step.communicate() == ("", "")
            assert "\npanic: mbuf\n" in (tmp_path / "run/repeat-1.partial/console").read_text()


def test_a_machine_without_a_console_keeps_none(controller: Controller) -> None:
    assert controller.call(STEP).status == 0
    assert not (controller.folder / "run/repeat-1.partial/console").exists()
