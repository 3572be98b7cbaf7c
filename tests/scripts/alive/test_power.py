"""A hung DUT is turned off and on by what the matrix names; where that cannot be done a sentence says why."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripts.alive.bmc import PASSWORD, Bmc, running_bmc
from tests.scripts.alive.controller import Controller

FILE = "power_password_file"
SAY = 'power {action} || echo "$power_said"\n'
LOOK = "look at the power controller, its address and its password"


@pytest.fixture
def bmc(tmp_path: Path) -> Iterator[Bmc]:
    """A management controller whose chassis is on."""
    if os.geteuid() != 0:
        pytest.skip("only root may listen on IPMI's port, 623")
    with running_bmc(tmp_path / "bmc", on=True) as controller:
        yield controller


def ask(controller: Controller, action: str, **settings: str) -> str:
    """What is said of this action, in one line; empty where it was done."""
    done = controller.call(SAY.format(action=action), **settings)
    assert done.status == 0, done.said
    return done.out.removesuffix("\n")


def name(controller: Controller, address: str, password: str = PASSWORD) -> None:
    """Let the case name that management controller, with the password in a file."""
    (controller.folder / "ipmi").write_text(password)
    controller.access(power_ipmi=address, power_user="admin", power_cipher_suite="3", **{FILE: "~/ipmi"})


def wait_for(bmc: Bmc, *told: str) -> None:
    """Until the chassis was told that; a cycle turns it on again some time later."""
    ends = time.monotonic() + 20
    while bmc.told != list(told):
        assert time.monotonic() < ends, bmc.told
        time.sleep(0.05)


def test_a_management_controller_turns_the_chassis_off_and_on(controller: Controller, bmc: Bmc) -> None:
    name(controller, bmc.address)
    assert ask(controller, "status") == ""
    assert ask(controller, "off") == ""
    assert not bmc.is_on
    assert ask(controller, "on") == ""
    assert bmc.is_on
    assert bmc.told == ["power 0", "power 1"]


def test_what_is_on_is_cycled(controller: Controller, bmc: Bmc) -> None:
    name(controller, bmc.address)
    assert ask(controller, "cycle") == ""
    wait_for(bmc, "power 0", "power 1")


def test_what_is_off_is_turned_on_where_it_should_be_cycled(controller: Controller, bmc: Bmc) -> None:
    (bmc.folder / "power").write_text("0\n")
    name(controller, bmc.address)
    assert ask(controller, "cycle") == ""
    wait_for(bmc, "power 1")


def test_a_wrong_password_is_told_and_shown_nowhere(controller: Controller, bmc: Bmc) -> None:
    name(controller, bmc.address, "guessed")
    said = ask(controller, "cycle")
    assert said == f"ipmitool did not do it (Error: Unable to establish IPMI v2 / RMCP+ session); {LOOK}"
    assert bmc.told == []


def test_a_password_that_cannot_be_read_is_told(controller: Controller) -> None:
    controller.access(power_ipmi="192.0.2.31", **{FILE: "~/nothing"})
    assert ask(controller, "cycle") == (
        f"'{controller.folder}/nothing' cannot be read; mend 'password_file' in the matrix"
    )


def test_a_missing_ipmitool_is_told_with_its_package(controller: Controller) -> None:
    controller.access(power_ipmi="192.0.2.31")
    said = ask(controller, "cycle", PATH=str(commands_without(controller.folder, "ipmitool")))
    assert said == "'ipmitool' is missing on this host; install the Debian package 'ipmitool'"


def test_what_an_ipmitool_says_moves_no_cursor(controller: Controller) -> None:
    commands = commands_without(controller.folder, "ipmitool")
    (commands / "ipmitool").write_text("#!/bin/sh\nprintf 'Error: no session\\033[2J\\n'\nexit 1\n")
    (commands / "ipmitool").chmod(0o755)
    controller.access(power_ipmi="192.0.2.31")
    assert ask(controller, "cycle", PATH=str(commands)) == f"ipmitool did not do it (Error: no session[2J); {LOOK}"


def commands_without(folder: Path, missing: str) -> Path:
    """A folder of this host's commands but for one."""
    commands = folder / "commands"
    commands.mkdir()
    for path in Path("/usr/bin").iterdir():
        if path.name != missing:
            (commands / path.name).symlink_to(path)
    return commands


def test_a_command_gets_its_words_as_they_are_and_the_action_in_its_place(controller: Controller) -> None:
    controller.access(power_command="/usr/bin/printf [%s] outlet=3;{action} * $HOME 'a")
    done = controller.call('power cycle && cat "$ssh_folder/power"\n')
    assert done.out == "[outlet=3;cycle][*][$HOME]['a]"


@pytest.mark.parametrize(
    ("command", "said"), [("false {action}", "without a word"), ("/no/pdu {action}", "No such file")]
)
def test_a_command_that_fails_is_named(controller: Controller, command: str, said: str) -> None:
    controller.access(power_command=command)
    told = ask(controller, "cycle")
    assert told.startswith(f"command '{command.partition(' ')[0]}' did not do it (")
    assert said in told
    assert told.endswith(LOOK)


def test_where_nothing_can_it_is_said(controller: Controller) -> None:
    assert ask(controller, "cycle") == "the matrix names no 'power', so switch it off and on by hand"
