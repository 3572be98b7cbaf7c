"""Debian packages: named before they come, brought only where missing, and asked for in a sentence otherwise."""

from __future__ import annotations

import pytest

from tests.scripts.door.machine import Machine

LISTED = "sh\tdash\nrocket\trocket-package\n/no/such/font.ttf\tfont-package\nrocket\trocket-package\n"
INSTALL = "apt-get install -q -y --no-install-recommends"
ADVICE = "as root, run: apt-get update && apt-get install -y --no-install-recommends rocket-package"


@pytest.fixture
def lacking(machine: Machine) -> Machine:
    """A machine that lacks one package of the run list."""
    machine.lists("run", "sh\tdash\nrocket\trocket-package\n")
    return machine


def installs(did: list[str]) -> list[str]:
    return [line for line in did if "install -q" in line]


def test_what_is_missing_is_named_and_then_installed_at_once(machine: Machine) -> None:
    machine.lists("run", LISTED)
    done = machine.lab("run")
    assert "lab: these Debian packages are missing and will now be installed: font-package rocket-package" in done.said
    assert installs(done.did) == [f"{INSTALL} font-package rocket-package"]
    assert done.out.startswith("<run>\n")


def test_what_is_there_is_not_installed_again(lacking: Machine) -> None:
    assert lacking.lab("run").status == 0
    assert lacking.lab("run").did == ["python -P -m fwdlab run"]


def test_a_user_goes_through_sudo(lacking: Machine) -> None:
    done = lacking.lab("run", USER_ID="1000")
    assert installs(done.did) == [f"sudo {INSTALL} rocket-package", f"{INSTALL} rocket-package"]
    assert done.status == 0


def test_a_user_without_sudo_reads_what_to_ask_for(lacking: Machine) -> None:
    (lacking.commands / "sudo").unlink()
    done = lacking.lab("run", USER_ID="1000")
    assert done.status == 3
    assert done.said.splitlines()[-1] == f"lab: you are not root and there is no sudo; {ADVICE}"
    assert not done.set_up


@pytest.mark.parametrize(("sudo", "apt"), [("no", ""), ("", "broken")])
def test_packages_that_will_not_come_end_in_a_sentence(lacking: Machine, sudo: str, apt: str) -> None:
    done = lacking.lab("run", USER_ID="1000", SUDO=sudo, APT=apt)
    assert done.status == 3
    assert done.said.splitlines()[-1] == f"lab: apt-get could not install them, for the reason above; {ADVICE}"


def test_stale_lists_are_fetched_anew_and_it_is_tried_once_more(lacking: Machine) -> None:
    done = lacking.lab("run", APT="stale")
    assert done.status == 0
    assert done.did.index("apt-get update -q") < len(done.did) - 1 - done.did[::-1].index(installs(done.did)[-1])


def test_a_system_without_apt_hears_what_is_missing(lacking: Machine) -> None:
    (lacking.commands / "apt-get").unlink()
    done = lacking.lab("run")
    assert done.status == 3
    assert "are missing and will now be installed: rocket-package" in done.said
    assert "there is no apt-get here" in done.said


@pytest.mark.parametrize("words", ["cases", "plan run", "ministat", "compare", "--help", "run --help"])
def test_a_command_that_boots_nothing_needs_no_packages(lacking: Machine, words: str) -> None:
    assert not installs(lacking.lab(*words.split()).did)


@pytest.mark.parametrize("words", ["run", "run --quick", "bench aa", "aa", "test"])
def test_a_command_that_boots_machines_needs_them(lacking: Machine, words: str) -> None:
    assert installs(lacking.lab(*words.split()).did) == [f"{INSTALL} rocket-package"]


def test_tests_need_what_shows_pages_too(machine: Machine) -> None:
    machine.lists("test", "rocket\trocket-package\n")
    assert not installs(machine.lab("run").did)
    assert installs(machine.lab("test").did) == [f"{INSTALL} rocket-package"]


@pytest.mark.parametrize("words", ["run", "build", "try x.patch", "bisect a b", "bench aa", "test"])
def test_a_command_that_may_build_a_kernel_needs_a_compiler(machine: Machine, words: str) -> None:
    machine.lists("build", "rocket\trocket-package\n")
    assert not installs(machine.lab("run", "--quick").did)
    assert installs(machine.lab(*words.split()).did) == [f"{INSTALL} rocket-package"]


@pytest.mark.parametrize(
    ("matrix", "lists"),
    [
        ("  a:\n    lab: ssh\n    # lab: qemu\n", ["ssh"]),
        ("  a: {lab: 'netns', title: T}\n", ["netns"]),
        ("  a:\n    lab: ssh\n    kernel_config: a.config\n", ["build", "ssh"]),
        ("  a:\n    lab: qemu\n  b: {title: T, lab: netns}\n", ["build", "netns", "run"]),
        ("no matrix\n", ["build", "run"]),
    ],
)
@pytest.mark.parametrize("option", ["-m ", "-m", "--matrix=", "--matrix "])
def test_a_run_needs_the_packages_of_the_labs_of_its_matrix(
    machine: Machine, matrix: str, lists: list[str], option: str
) -> None:
    (machine.checkout / "other.yaml").write_text(f"hardware:\n{matrix}")
    for name in ("run", "build", "netns", "ssh"):
        machine.lists(name, f"/no/{name}\t{name}-package\n")
    done = machine.lab("run", *f"{option}other.yaml".split())
    assert installs(done.did) == [" ".join([INSTALL, *(f"{name}-package" for name in lists)])]


@pytest.mark.parametrize("words", ["bench netns", "test"])
def test_a_command_for_the_native_lab_needs_its_tools(machine: Machine, words: str) -> None:
    machine.lists("netns", "rocket\trocket-package\n")
    assert not installs(machine.lab("run").did)
    assert installs(machine.lab(*words.split()).did) == [f"{INSTALL} rocket-package"]


@pytest.mark.parametrize("words", ["bench netns", "test"])
def test_trafgen_comes_to_what_compares_with_it_alone(machine: Machine, words: str) -> None:
    machine.lists("trafgen", "rocket\trocket-package\n")
    assert not installs(machine.lab("run", "-m", "examples/netns.yaml").did)
    assert installs(machine.lab(*words.split()).did) == [f"{INSTALL} rocket-package"]


def test_python_without_ensurepip_gets_its_debian_package(machine: Machine) -> None:
    assert installs(machine.lab("cases", BARE="1").did) == [f"{INSTALL} python3-venv"]


def test_no_python_at_all_is_a_missing_package(machine: Machine) -> None:
    (machine.commands / "python3").unlink()
    assert installs(machine.lab("cases").did) == [f"{INSTALL} python3-venv"]
