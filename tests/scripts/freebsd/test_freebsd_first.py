"""The first matrix of a FreeBSD machine, as it is shipped: from the doctor to a record, by the commands of its page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.profiles.pmc_graph import fold
from fwdlab.records.store import Folders, load_records, run_folders
from tests.scripts.ssh.bed import ROOT, Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

PAGE = ROOT / "site/content/docs/first-machine.md"
OURS = (  # what the page asks to mend, and the times
    ("192.0.2.1", "10.0.0.1"),
    ("ingress: {interface: igb2}, egress: {interface: igb3}", "ingress: {interface: d0}, egress: {interface: d1}"),
    ("egress: {interface: igb2}", "egress: {interface: s0}"),
    ("ingress: {interface: igb3}", "ingress: {interface: r0}"),
    ("version: 14.2-RELEASE", "version: 11.1-RELEASE-p1"),
    ("~/.ssh/id_fwdlab", "id"),
    ("lab.known_hosts", "known_hosts"),
    ("warmup: 5s, samples: 20", "warmup: 1s, samples: 3"),
)


def mended(folder: Path) -> None:
    """Copy the example and its rules as the page says, and make it this laboratory's."""
    shutil.copytree(ROOT / "examples/freebsd/firewalls", folder / "firewalls")
    text = (ROOT / "examples/freebsd/running.yaml").read_text()
    for shipped, ours in OURS:
        assert shipped in text
        text = text.replace(shipped, ours)
    (folder / "running.yaml").write_text(text)


def test_a_newcomers_way_leads_to_a_record_with_a_profile(bsd: Bed) -> None:
    mended(bsd.folder)
    case = "my-dut/running/ipfw-stateful/none/udp4-64"
    examined = bsd.fwdlab("doctor", "my-dut", "-m", "running.yaml")
    assert examined.returncode == 0, examined.stdout
    assert "has ipf " not in examined.stdout  # of the firewalls that this matrix has, no more
    done = bsd.fwdlab("run", "-m", "running.yaml", "--only", case, "--repeats", "1")
    assert done.returncode == 0, done.stderr
    folders = Folders(results=bsd.folder / "results")
    (record,) = load_records(folders, run_folders(folders.runs)).records
    assert faults_of(record) == ()
    assert record.trial.generator.startswith("netmap pkt-gen")
    assert dict(record.conditions.facts)["kernel_release"] == "11.1-RELEASE-p1"
    (graph,) = folders.runs.glob("*/*/*/*/*/*/profile/pmcstat.graph")
    assert fold(graph.read_text(), graph.name).samples == 100


def test_the_page_names_the_machine_and_the_cases_of_the_example() -> None:
    text = (ROOT / "examples/freebsd/running.yaml").read_text()
    page = PAGE.read_text()
    for name in ("my-dut", "running", "forwarding", "udp4-64", "igb3", "lab.known_hosts", "id_fwdlab"):
        assert name in text
        assert name in page
