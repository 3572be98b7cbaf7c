"""Rules that are generated instead of named: loaded on the DUT by the real tools, and known by their hash."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.files import sha256_of
from tests.scripts.ssh.bed import Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


@pytest.mark.parametrize(
    ("name", "numbers"), [("nft-stateful", "rules=300 table=5000 seed=1"), ("iptables", "rules=300 seed=1")]
)
def test_generated_rules_are_loaded_and_known_by_their_hash(bed: Bed, name: str, numbers: str) -> None:
    firewall = replace(bed.case.firewall, name=name, rules="generated", sha256="", generate=numbers)
    asked = bed.with_case(firewall=firewall)
    record = asked.measure()
    assert faults_of(record) == ()
    assert record.conditions.rules_sha256 == sha256_of(asked.run / "prepare/rules")
    assert dict(record.conditions.facts)["rules_sha256"] == record.conditions.rules_sha256
    assert (asked.run / "repeat-1/dut.report").read_text().count("10.") > 300
