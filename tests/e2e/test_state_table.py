"""The state table of a guest's kernel, from the matrix to records: its rules limit it, so the truth is known."""

from __future__ import annotations

import pytest

from fwdlab.records.model import Label, Record
from tests.e2e.lab import RULES, Workplace
from tests.unit.run.processes import all_gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

MOST = 300
NEW = "udp dport 9 ct state new "
LIMITED = RULES.read_text().replace(NEW, f"{NEW}ct count over {MOST} counter drop\n\t\t{NEW}")
STATEFUL = "nft-stateful: {rules: nft-stateful.nft"
FRMOL = "udp4-64: {family: inet, frame_size: 64, flows: 2000, load: max}"
TABLE = """
  table-rate: {family: inet6, frame_size: 66, flows: 250, load: establishment-rate, search: {width: 5%}}
  table-size: {family: inet, frame_size: 64, flows: 200, load: table-capacity, search: {width: 40%}}"""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, ...]:
    """Two repeats of the establishment rate, and of the capacity."""
    place = Workplace(folder=tmp_path_factory.mktemp("table"))
    place.write(FRMOL, FRMOL + TABLE)
    matrix = place.folder / "small.yaml"
    matrix.write_text(
        matrix.read_text().replace(STATEFUL, f"{STATEFUL}, sysctl: {{net.netfilter.nf_conntrack_max: 5000}}")
    )
    (place.folder / RULES.name).write_text(LIMITED)
    done = place.run("--only", "qemu-x86/debian-6.12/nft-stateful/none/table-*", "--repeats", "2", "--cap", "3h")
    assert done.returncode == 0, done.stderr
    all_gone(str(place.folder))
    return place.records()


def test_the_rate_of_two_repeats_is_nearly_the_same(records: tuple[Record, ...]) -> None:
    first, second = (record.value or 0 for record in records if record.label is Label.ESTABLISHMENT)
    assert first > 10_000
    assert abs(first / second - 1) < 0.002


def test_every_connection_of_it_was_made_answered_and_in_the_table(records: tuple[Record, ...]) -> None:
    tables = [record.table for record in records if record.label is Label.ESTABLISHMENT]
    tests = [item for table in tables if table for item in table.tests]
    assert len(tests) >= 6
    for item in tests:
        assert item.states == item.answered == item.validated == item.entries == 250
        assert item.early_drops == item.refused == 0


def test_a_setting_of_the_whole_kernel_goes_with_the_firewall(records: tuple[Record, ...]) -> None:
    assert {dict(record.conditions.sysctls)["net/netfilter/nf_conntrack_max"] for record in records} == {"5000"}


def test_the_size_of_the_table_is_found(records: tuple[Record, ...]) -> None:
    tables = [record.table for record in records if record.label is Label.CAPACITY]
    assert [(table.lower_states, table.upper_states) for table in tables if table] == [(MOST, 400), (MOST, 400)]
