"""Firewalls whose rules are generated: what a case carries of them, and what goes with no name."""

from __future__ import annotations

import pytest

from fwdlab.case import case_text, parse_case
from fwdlab.matrix.expand import as_written, expand
from tests.unit.matrix.example import Bench, bent

RULES = "{rules: stateful.nft}"
GENERATED = bent(RULES, "{generate: {rules: 1000, table: 10000, seed: 1}}")


def test_a_case_carries_the_numbers_and_comes_back_from_its_file(bench: Bench) -> None:
    matrix = bench.load(GENERATED)
    cases = tuple(expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}))
    firewalls = {case.firewall for case in cases if case.firewall.generate}
    assert {(one.rules, one.sha256, one.generate) for one in firewalls} == {
        ("generated", "", "rules=1000 table=10000 seed=1")
    }
    assert all(parse_case(case_text(case), "a.case") == case for case in cases)


def test_a_named_rule_file_has_no_line_more_than_before(bench: Bench) -> None:
    matrix = bench.load(bent("a", "a"))
    cases = expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines})
    assert not any("firewall.generate" in case_text(case) for case in cases)


@pytest.mark.parametrize(
    ("name", "entry", "message"),
    [
        ("nft-stateful", "{rules: stateful.nft, generate: {rules: 1, seed: 1}}", "has a rule file of its own"),
        ("iptables-many", "{generate: {rules: 1, table: 1, seed: 1}}", "a rule file of 'iptables' has no table"),
        ("ipf-many", "{generate: {rules: 1, table: 1, seed: 1}}", "a rule file of 'ipf' has no table"),
        ("many", "{generate: {rules: 1, seed: 1}}", "does not begin with the command that its rules are for"),
        ("nft-stateful", "{generate: {rules: 1}}", "has no 'seed'; add it"),
        ("nft-stateful", "{generate: {rules: -1, seed: 1}}", "write a whole number from 0 to 50000"),
        ("nft-stateful", "{generate: {rules: 1, table: 0, seed: 1}}", "write a whole number from 1 to 1000000"),
    ],
)
def test_what_goes_with_no_name_is_refused(bench: Bench, name: str, entry: str, message: str) -> None:
    faults = bench.faults(bent(f"nft-stateful: {RULES}", f"{name}: {entry}"))
    assert any(message in fault for fault in faults), faults
