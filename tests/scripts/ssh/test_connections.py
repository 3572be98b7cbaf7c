"""State tables measured over real ssh: the DUT's rules limit rate and number of states, so the truth is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.case import Family
from fwdlab.records.model import Label
from fwdlab.search.connections import Connections, Measure, usual_connections
from fwdlab.search.goal import program_text
from tests.scripts.ssh.bed import Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

RATE, BURST, TESTED = 5000, 400, 4000  # new connections a second that are let through, and how many are made
IPTABLES = f"""*filter
:INPUT ACCEPT [0:0]
:FORWARD DROP [0:0]
:OUTPUT ACCEPT [0:0]
-A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT
-A FORWARD -p udp --dport 9 -m limit --limit {RATE}/second --limit-burst {BURST} -j ACCEPT
COMMIT
"""
OWN = 16  # states of the controller's ssh to the DUT, at most
MOST = 3000  # states that are let be
NFTABLES = f"""table inet filter {{
	chain forward {{
		type filter hook forward priority filter; policy drop;
		ct state established accept
		udp dport 9 ct state new ct count over {MOST} counter drop
		udp dport 9 ct state new accept
	}}
}}
"""


def asked(bed: Bed, program: Connections, family: Family = Family.INET) -> Bed:
    traffic = replace(
        bed.case.traffic,
        family=family,
        frame_size=66,
        load=program.measure,
        goal=program_text(program),
        flows=program.states,
    )
    return bed.with_case(traffic=traffic)


def test_rate_and_size_of_the_state_table_are_found_and_a_router_is_refused(bed: Bed) -> None:
    program = replace(usual_connections(Measure.RATE, TESTED), width=0.12, trials=15)
    record = asked(bed.with_rules("iptables-stateful", IPTABLES), program).measure()
    assert record.label is Label.ESTABLISHMENT
    assert faults_of(record) == ()
    assert record.value is not None
    # A sender on a busy host is late, and then comes in bursts.
    assert RATE * 0.8 <= record.value <= RATE / (1 - BURST / TESTED) * 1.01
    assert record.table is not None
    assert all(item.answered == item.states == TESTED for item in record.table.tests)
    assert [item for item in record.table.tests if abs((item.entries or 0) - item.validated) > OWN] == []

    program = replace(usual_connections(Measure.CAPACITY, MOST // 2), width=0.12, rate=0.1, trials=15)
    record = asked(bed.with_rules("nft-limited", NFTABLES), program, Family.INET6).measure()
    assert record.label is Label.CAPACITY
    assert faults_of(record) == ()
    assert record.table is not None
    assert record.table.lower_states is not None
    assert record.table.upper_states is not None
    assert record.table.lower_states <= MOST <= record.table.upper_states <= record.table.lower_states / 0.88 + 1

    router = asked(bed, program)
    assert router.call("prepare.sh").status == 0
    done = router.call("traffic.sh", "1")
    assert done.status == 2
    assert "answers pass that belong to no connection" in done.last
