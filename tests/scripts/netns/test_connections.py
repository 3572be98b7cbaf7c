"""The state table of this host's own kernel, measured for real: its rules limit it, so the truth is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.case import Family, Firewall
from fwdlab.records.model import Label
from fwdlab.search.connections import Connections, Measure, usual_connections
from fwdlab.search.goal import program_text
from tests.scripts.netns.host import SCRIPTS, Host

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("alone"), pytest.mark.timeout(180)]

STATEFUL = (SCRIPTS / "firewalls/nft-stateful.nft").read_text()
STATELESS = (SCRIPTS / "firewalls/nft-stateless.nft").read_text()
MOST = 700
LIMITED = STATEFUL.replace(
    "udp dport 9", f"udp dport 9 ct state new ct count over {MOST} counter drop\n\t\tudp dport 9"
)
OPEN = "table inet filter {\n\tchain forward {\n\t\ttype filter hook forward priority 0; ct state new counter\n\t}\n}\n"


def asked(host: Host, program: Connections, family: Family = Family.INET) -> Host:
    traffic = replace(host.case.traffic, family=family, frame_size=66, flows=program.states)
    return host.with_case(traffic=replace(traffic, load=program.measure, goal=program_text(program)))


def test_every_connection_is_established_answered_and_in_the_table(host: Host) -> None:
    program = replace(usual_connections(Measure.RATE, 20_000), width=0.2)
    generated = Firewall(name="nft-stateful", rules="generated", sha256="", generate="rules=20 seed=1")
    record = asked(host, program, Family.INET6).with_case(firewall=generated).measure()
    assert record.label is Label.ESTABLISHMENT
    assert record.value or (record.searched and record.searched.irregular)  # on a host that does other work
    assert record.table is not None
    for item in record.table.tests:
        assert item.states == item.answered == item.validated == item.entries == 20_000
        assert item.early_drops == item.refused == 0


def test_the_size_of_a_table_is_found(host: Host) -> None:
    program = replace(usual_connections(Measure.CAPACITY, 500), width=0.05, rate=0.1)
    record = asked(host.with_rules(LIMITED), program).measure()
    assert record.label is Label.CAPACITY
    assert record.table is not None
    lower, upper = record.table.lower_states, record.table.upper_states
    assert lower is not None
    assert upper is not None
    assert lower <= MOST <= upper <= lower / 0.95 + 1


@pytest.mark.parametrize(
    ("rules", "why"),
    [(OPEN, "let answers pass that belong to no connection"), (STATELESS, "keep no state of a connection")],
)
def test_rules_without_states_are_refused(host: Host, rules: str, why: str) -> None:
    router = asked(host.with_rules(rules), usual_connections(Measure.RATE, 1000))
    assert router.call("prepare.sh").status == 0
    done = router.call("traffic.sh", "1")
    assert done.status == 2
    assert why in done.last
    assert not (router.run / "repeat-1").exists()
