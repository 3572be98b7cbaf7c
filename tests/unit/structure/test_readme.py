"""What README and CONTRIBUTING name is there: files, commands, versions."""

from __future__ import annotations

import re
import tomllib

import click
import pytest

from fwdlab.cli import main
from tests.unit.structure.tree import ROOT

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
MADE_BY_A_RUN = {"results/", "public/"}
DOOR = set(re.findall(r"^#   \./lab (\w+)", (ROOT / "lab").read_text(), re.MULTILINE)) - {"WORD"}


def words_of_lab(text: str) -> set[str]:
    """Every word that the text gives to `./lab`, options aside."""
    return set(re.findall(r"\./lab ([a-z][a-z-]*)\b", text))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / document).read_text())
    assert not [link for link in links if not (ROOT / link).exists()]


def test_the_map_of_the_tree_is_the_tree() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    paths = {path for row in rows for path in re.findall(r"`([^`]+)`", row)} - MADE_BY_A_RUN
    assert len(paths) > 10
    assert not sorted(path for path in paths if not (ROOT / path).exists())


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_exist(document: str) -> None:
    known = DOOR | set(main.list_commands(click.Context(main)))
    assert words_of_lab((ROOT / document).read_text()) <= known


def test_the_version_is_the_same_wherever_it_stands() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f'version_option(package_name=None, version="{version}"' in (ROOT / "fwdlab/cli/__init__.py").read_text()
