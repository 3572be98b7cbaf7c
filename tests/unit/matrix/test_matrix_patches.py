"""The patch axis: which patch is tried on which revision, and what can be wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.case import Kind, Lab
from fwdlab.matrix.expand import as_written, cells, expand
from fwdlab.matrix.notes import notes_of
from tests.unit.matrix.example import TEXT, Bench, bent

PATCHES = """\
  none: {}
  slower: {file: slower.patch}
  no-netns: {options: [CONFIG_NET_NS=n, CONFIG_HZ=1000], applies_to: tree}
"""
SOURCES = """\
  src: {title: Source, os: linux, source: linux-source-6.12, version: latest}
  tree: {title: Tree, os: linux, git: ../linux, version: v6.12~1}
firewalls:
"""
PATCHED = bent("  none: {}\n", PATCHES, bent("firewalls:\n", SOURCES))
CELL = "{hardware: arm, revision: new, firewall: nft-stateful, patch: none, traffic: udp4}"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "stateful.nft").write_text("table inet filter {}\n")
    (tmp_path / "slower.patch").write_text("--- a/x\n+++ b/x\n")
    return Bench(folder=tmp_path)


def test_a_patch_is_tried_on_the_revisions_that_are_built(bench: Bench) -> None:
    found = {(names[1], names[3]) for names in cells(bench.load(PATCHED))}
    assert found == {
        ("old", "none"),
        ("new", "none"),
        ("src", "none"),
        ("src", "slower"),
        ("tree", "none"),
        ("tree", "slower"),
        ("tree", "no-netns"),
    }


def test_a_case_carries_patch_options_and_kind_of_source(bench: Bench) -> None:
    matrix = bench.load(PATCHED)
    cases = {(case.revision.name, case.patch.name): case for case in expand(matrix, as_written(matrix), {Lab.QEMU: ""})}
    slower, options = cases["src", "slower"], cases["tree", "no-netns"]
    assert (slower.revision.kind, slower.patch.file, len(slower.patch.sha256)) == (Kind.SOURCE, "slower.patch", 64)
    assert (options.revision.kind, options.revision.package, options.revision.version) == (
        Kind.GIT,
        "../linux",
        "v6.12~1",
    )
    assert (options.patch.file, options.patch.options) == ("", "CONFIG_NET_NS=n CONFIG_HZ=1000")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "file: slower.patch",
            "file: §slwer.patch",
            "patch 'slwer.patch' does not exist; did you mean 'slower.patch'?",
        ),
        (
            "CONFIG_HZ=1000",
            "§CONFIG_HZ=m",
            "an entry of 'options' of patch 'no-netns' is 'CONFIG_HZ=m'; "
            "write an option such as 'CONFIG_NET_NS=n' or 'CONFIG_HZ=1000'; nothing is built as a module",
        ),
        (
            "applies_to: tree",
            "applies_to: §old",
            "revision 'old' comes built; "
            "name one under 'applies_to' that has 'source' or 'git', or is named with {patch}",
        ),
        (
            "applies_to: tree",
            "applies_to: §tere",
            "revision 'tere' is not declared under 'revisions'; did you mean 'tree'?",
        ),
        (
            "git: ../linux",
            "git: ../linux, §source: linux-source-6.12",
            "revision 'tree' has 'git', 'source'; keep one of them",
        ),
        (
            "§tree: {title: Tree, os: linux, git: ../linux, version: v6.12~1}",
            "§tree: {title: Tree, os: linux, version: v6.12~1}",
            "revision 'tree' has none of 'package', 'source', 'git', 'running', 'boot_environment', 'upgrade', "
            "'command'; add one",
        ),
        (
            "git: ../linux",
            "git: §'ext::sh -c reboot'",
            "'git' of revision 'tree' is 'ext::sh -c reboot'; "
            "write a URL such as 'https://example.org/linux.git', or a path such as '../linux'",
        ),
        (
            f"- {CELL}",
            f"- §{CELL.replace('patch: none', 'patch: slower')}",
            "patch 'slower' is not for revision 'new'; "
            "name one under 'applies_to' that has 'source' or 'git', or is named with {patch}",
        ),
    ],
)
def test_each_fault_of_a_patch_has_its_place_and_advice(bench: Bench, old: str, new: str, fault: str) -> None:
    text = bent(old.replace("§", ""), new, PATCHED)
    line, _, rest = text.partition("§")
    place = f"{line.count(chr(10)) + 1}:{len(line.rpartition(chr(10))[2]) + 1}: "
    assert bench.faults(line + rest) == [place + fault]


def test_an_exclude_of_what_cannot_be_is_idle(bench: Bench) -> None:
    text = bent("exclude:\n", "exclude:\n  - {revision: old, patch: slower}\n", PATCHED)
    assert bench.faults(text) == ["23:5: exclude matches no case: those before it leave none; remove it"]


def test_the_example_without_patches_is_as_before(bench: Bench) -> None:
    assert {names[3] for names in cells(bench.load(TEXT))} == {"none"}


def test_a_plan_says_how_many_kernels_are_built(bench: Bench) -> None:
    matrix = bench.load(PATCHED)
    said = [note for note in notes_of(matrix, tuple(cells(matrix)), ()) if "built" in note]
    assert said == [
        "10 kernels are built from source before the first boot, unless in the cache: "
        "minutes for the first of a source, seconds for a patch of it"
    ]
