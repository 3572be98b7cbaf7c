"""A key that ssh cannot use is told on the controller: each node would seem to refuse it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.scripts.alive.controller import Controller

OURS_ALONE = 0o600
OPEN_TO_ALL = 0o644


def make_key(path: Path, passphrase: str = "") -> None:
    """A private key, with its public half beside it."""
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", str(path)]
    subprocess.run(words, stdin=subprocess.DEVNULL, check=True)


def told(controller: Controller) -> str:
    """What is said of the key, after the host's name."""
    done = controller.call("usable_key\n")
    assert done.status == 3, done.said
    assert done.last.startswith(f"{os.uname().nodename}: ")
    return done.last.removeprefix(f"{os.uname().nodename}: ")


def test_a_key_is_found_below_the_home(controller: Controller) -> None:
    make_key(controller.folder / "id")
    controller.access(identity="~/id")
    done = controller.call("usable_key\nat_home '~/id'\nat_home lab/id\n")
    assert done.status == 0, done.said
    assert done.out == f"{controller.folder}/id\nlab/id\n"


def test_a_key_that_is_not_there_is_told_with_how_to_make_one(controller: Controller) -> None:
    controller.access(identity="~/id")
    made = "make it by 'ssh-keygen -t ed25519 -N \"\" -f FILE', and add its public half to the authorized_keys"
    assert told(controller) == f"there is no key '~/id'; {made} of every node"


def test_a_key_with_a_passphrase_is_told(controller: Controller) -> None:
    make_key(controller.folder / "id", "secret")
    controller.access(identity="~/id")
    assert told(controller) == "key '~/id' has a passphrase, which nobody is asked for; name one without"


def test_a_key_that_others_may_read_is_told(controller: Controller) -> None:
    make_key(controller.folder / "id")
    (controller.folder / "id").chmod(OPEN_TO_ALL)
    controller.access(identity="~/id")
    assert told(controller) == "key '~/id' may be read by others; chmod 600 it"


@pytest.mark.parametrize("text", ["", "no key\n", "ssh-ed25519 AAAA\n"])
def test_what_is_no_private_key_is_told(controller: Controller, text: str) -> None:
    (controller.folder / "id").write_text(text)
    (controller.folder / "id").chmod(OURS_ALONE)
    controller.access(identity="~/id")
    said = told(controller)
    assert said.startswith("key '~/id' is no private key (")
    assert said.endswith("); name the private half")
