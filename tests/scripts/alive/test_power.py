"""A hung DUT is turned off and on by what the matrix names; where that cannot be done a sentence says why."""

from __future__ import annotations

import pytest

from tests.scripts.alive.controller import Controller

IPMI = {"power_ipmi": "192.0.2.31", "power_user": "admin"}
FILE = "power_password_file"
SAY = 'power {action} || echo "$power_said"\n'


def ask(controller: Controller, action: str, chassis: str = "on", **settings: str) -> str:
    """What is said of this action, in one line; empty where it was done."""
    (controller.folder / "chassis").write_text(f"{chassis}\n")
    done = controller.call(SAY.format(action=action), **settings)
    assert done.status == 0, done.said
    return done.out.removesuffix("\n")


def with_password(controller: Controller, text: str = "secret") -> None:
    (controller.folder / "ipmi").write_text(text)
    controller.access(**{**IPMI, FILE: "~/ipmi"})


@pytest.mark.parametrize("action", ["on", "off", "cycle", "status"])
def test_a_management_controller_is_told_with_the_password_in_its_file(controller: Controller, action: str) -> None:
    with_password(controller)
    assert ask(controller, action) == ""
    words = f"-I lanplus -H 192.0.2.31 -U admin -f {controller.folder}/ipmi chassis power {action}"
    assert controller.diary.read_text().splitlines()[-1] == words


def test_what_is_off_is_turned_on_where_it_should_be_cycled(controller: Controller) -> None:
    controller.access(**IPMI)
    assert ask(controller, "cycle", chassis="off") == ""
    assert controller.diary.read_text().splitlines() == [
        "-I lanplus -H 192.0.2.31 -U admin chassis power status",
        "-I lanplus -H 192.0.2.31 -U admin chassis power on",
    ]


def test_a_wrong_password_is_told_without_moving_a_cursor(controller: Controller) -> None:
    with_password(controller, "guessed")
    assert ask(controller, "cycle") == (
        "ipmitool did not do it (Error: Unable to establish IPMI v2 / RMCP+ session[2J); "
        "look at the power controller, its address and its password"
    )


def test_a_password_that_cannot_be_read_is_told(controller: Controller) -> None:
    controller.access(**{**IPMI, FILE: "~/nothing"})
    assert ask(controller, "cycle") == (
        f"'{controller.folder}/nothing' cannot be read; mend 'password_file' in the matrix"
    )


def test_a_missing_ipmitool_is_told_with_its_package(controller: Controller) -> None:
    controller.access(**IPMI)
    said = ask(controller, "cycle", PATH="/usr/bin:/bin")
    assert said == "'ipmitool' is missing on this host; install the Debian package 'ipmitool'"


def test_a_command_gets_its_words_as_they_are_and_the_action_in_its_place(controller: Controller) -> None:
    controller.access(power_command="/usr/bin/printf [%s] outlet=3;{action} * $HOME 'a")
    done = controller.call('power cycle && cat "$ssh_folder/power"\n')
    assert done.out == "[outlet=3;cycle][*][$HOME]['a]"


@pytest.mark.parametrize(("command", "said"), [("false {action}", ""), ("/no/pdu {action}", "No such file")])
def test_a_command_that_fails_is_named(controller: Controller, command: str, said: str) -> None:
    controller.access(power_command=command)
    told = ask(controller, "cycle")
    assert told.startswith(f"command '{command.partition(' ')[0]}' did not do it (")
    assert said in told
    assert told.endswith("look at the power controller, its address and its password")


def test_where_nothing_can_it_is_said(controller: Controller) -> None:
    assert ask(controller, "cycle") == "the matrix names no 'power', so switch it off and on by hand"
