"""The locks say the same as pyproject.toml, and every byte they bring is known by its hash."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from tests.unit.structure.tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = {
    "run": PROJECT["dependencies"],
    "dev": PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"],
}
ENTRY = re.compile(r"(?P<name>[a-z0-9.-]+)==(?P<version>[\w.]+)(?: ; (?P<marker>.+))?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def entries(lock: str) -> dict[str, list[str]]:
    """What a lock says of each requirement: its first line without the continuation, then its hashes."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    statements = text.replace("\\\n", " ").splitlines()
    return {statement.split(" --hash")[0].strip(): HASH.findall(statement) for statement in statements}


@pytest.mark.parametrize("lock", PINNED)
def test_every_direct_requirement_is_pinned_and_locked_as_pinned(lock: str) -> None:
    locked = {entry.split(" ;")[0] for entry in entries(lock)}
    assert not [requirement for requirement in PINNED[lock] if requirement.lower() not in locked]


@pytest.mark.parametrize("lock", PINNED)
def test_a_lock_is_exact_versions_with_hashes_and_nothing_else(lock: str) -> None:
    for entry, hashes in entries(lock).items():
        assert ENTRY.fullmatch(entry), f"{entry} is no exact version: options and addresses belong to the machine"
        assert hashes, f"{entry} has no hash"


def test_the_development_lock_holds_all_of_the_run_lock() -> None:
    def versions(lock: str) -> set[str]:
        return {entry.split(" ;")[0] for entry in entries(lock)}

    assert versions("run") <= versions("dev")


def test_what_npm_brings_is_exact_versions_with_hashes_and_no_addresses() -> None:
    folder = ROOT / "requirements" / "node"
    lock = json.loads((folder / "package-lock.json").read_text())
    named = json.loads((folder / "package.json").read_text())["dependencies"]
    packages = {path.removeprefix("node_modules/"): entry for path, entry in lock["packages"].items() if path}
    assert {name: packages[name]["version"] for name in named} == named
    for name, entry in packages.items():
        assert entry["integrity"].startswith("sha512-"), f"{name} has no hash"
        assert "resolved" not in entry, f"{name}: where it comes from belongs to the machine"
