"""From a matrix of lab 'ssh' to records, by one command."""

from __future__ import annotations

import os

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.records.model import Clock
from fwdlab.records.store import Folders, load_records, run_folders
from tests.scripts.ssh.bed import Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]


def test_one_command_measures_every_firewall_and_family(bed: Bed) -> None:
    done = bed.fwdlab("run", "-m", "matrix.yaml", "--only", "bed/*", "--repeats", "1")
    assert done.returncode == 0, done.stderr
    folders = Folders(results=bed.folder / "results")
    records = load_records(folders, run_folders(folders.runs)).records
    assert sorted((record.names[2], record.names[4]) for record in records) == [
        (firewall, family)
        for firewall in ("forwarding", "iptables-stateless", "nft-stateful")
        for family in ("inet", "inet6")
    ]
    assert [fault for record in records for fault in faults_of(record)] == []
    assert {record.trial.time for record in records} == {Clock.WALL}
    told = {
        name: {dict(record.conditions.facts)[name] for record in records} for name in ("topology", "kernel_release")
    }
    assert told == {"topology": {"three-nodes"}, "kernel_release": {os.uname().release}}
    profiles = list(folders.runs.glob("*/*/*/*/*/*/profile/perf.script"))
    assert len(profiles) == 6
    assert any("ip_forward" in path.read_text(errors="replace") for path in profiles)


def test_a_plan_asks_no_machine(bed: Bed) -> None:
    matrix = bed.folder / "matrix.yaml"
    matrix.write_text(matrix.read_text().replace("10.0.0.", "10.9.9."))
    done = bed.fwdlab("plan", "-m", "matrix.yaml")
    assert done.returncode == 0, done.stderr
    assert "matrix.yaml: 6 cases" in done.stdout
