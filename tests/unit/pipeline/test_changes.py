"""What a change touched of a case, in words that name the file or the entry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.case import Case
from fwdlab.pipeline.changes import changes
from tests.unit.records.example import case

CASE = case()


def touched(before: Case) -> tuple[str, ...]:
    return changes([CASE], {before.names: before}).get(CASE.names, ())


def test_the_same_case_is_not_touched() -> None:
    assert changes([CASE], {CASE.names: case()}) == {}


def test_a_case_that_was_not_there_is_new() -> None:
    assert changes([CASE], {}) == {CASE.names: ("new in the matrix",)}


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (replace(CASE, firewall=replace(CASE.firewall, sha256="0" * 64)), "rule file 'rules.nft' changed"),
        (replace(CASE, patch=replace(CASE.patch, sha256="0" * 64)), "patch 'none' changed"),
        (replace(CASE, patch=replace(CASE.patch, options="CONFIG_X=n")), "patch 'none' is declared otherwise"),
        (
            replace(CASE, revision=replace(CASE.revision, version="1")),
            "revision 'debian-6.1' is declared otherwise",
        ),
        (
            replace(CASE, hardware=replace(CASE.hardware, settings=())),
            "hardware 'qemu-x86' is declared otherwise",
        ),
        (replace(CASE, traffic=replace(CASE.traffic, flows=1)), "traffic 'udp4-64' is declared otherwise"),
        (replace(CASE, runner_sha256="0" * 64), "the runner scripts of lab 'qemu' changed"),
    ],
)
def test_every_input_of_a_case_is_named(before: Case, said: str) -> None:
    assert touched(before) == (said,)


def test_two_changes_are_both_named() -> None:
    before = replace(CASE, runner_sha256="0" * 64, traffic=replace(CASE.traffic, flows=1))
    assert touched(before) == (
        "traffic 'udp4-64' is declared otherwise",
        "the runner scripts of lab 'qemu' changed",
    )
