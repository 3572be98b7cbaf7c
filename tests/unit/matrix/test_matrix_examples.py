"""The matrices of real laboratories that are shipped: each loads, and comes to the cases of its campaign."""

from __future__ import annotations

import pytest

from fwdlab.case import Kind, case_text, parse_case
from fwdlab.matrix.expand import as_written, expand
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.plan import make_plan
from tests.unit.matrix.example import TEXT, Bench, bent
from tests.unit.structure.tree import ROOT

EXAMPLES = ROOT / "examples/freebsd"
CASES = {"vimage": 6, "fastforwarding": 4, "main-stable": 42, "d8526": 6, "d5180": 6, "running": 4}


@pytest.mark.parametrize("name", CASES)
def test_a_shipped_matrix_has_the_cases_of_its_campaign(name: str) -> None:
    matrix = load_matrix(EXAMPLES / f"{name}.yaml")
    cases = tuple(expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}))
    plan = make_plan(matrix, cases)
    (campaign,) = plan.campaigns
    assert len(campaign.members) == len(cases) == CASES[name]
    assert all(parse_case(case_text(case), "a.case") == case for case in cases)
    assert plan.notes == ()


def test_every_shipped_matrix_is_tried() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} == set(CASES)


def test_kernel_settings_go_with_a_firewall_on_real_machines() -> None:
    matrix = load_matrix(EXAMPLES / "fastforwarding.yaml")
    assert {firewall.name: firewall.sysctls for firewall in matrix.firewalls} == {
        "forwarding": "net.inet.ip.fastforwarding=0",
        **dict.fromkeys(("fastforwarding", "ipfw-stateful", "pf-stateful"), "net.inet.ip.fastforwarding=1"),
    }


TUNED = bent("  forwarding: {}\n", "  forwarding: {}\n  tuned: {sysctl: {net.ipv4.ip_forward: 1}}\n")
HOST = "  host: {lab: netns, title: This host, processor: 0, trial: {warmup: 1s, samples: 9, length: 1s}}\n"
NATIVE = bent(TEXT[TEXT.index("  box:") : TEXT.index("revisions:")], HOST, TUNED)


def test_a_guest_boots_anew_so_no_setting_stays(bench: Bench) -> None:
    (tuned,) = (firewall for firewall in bench.load(TUNED).firewalls if firewall.name == "tuned")
    assert tuned.sysctls == "net.ipv4.ip_forward=1"


def test_a_setting_that_one_firewall_has_is_asked_of_all_where_it_would_stay(bench: Bench) -> None:
    text = bent("hardware:\n", f"hardware:\n{HOST}", TUNED)
    assert [line for line in bench.faults(text) if "does not say" in line] == [
        f"{place}: firewall '{name}' does not say 'net.ipv4.ip_forward', which 'tuned' sets; say it in each, "
        "or the last case's would stay"
        for place, name in (("12:3", "forwarding"), ("14:3", "nft-stateful"))
    ]


def test_a_setting_of_the_hosts_own_kernel_is_refused(bench: Bench) -> None:
    assert bench.faults(NATIVE)[0] == (
        "11:11: lab 'netns' of 'host' sets no 'sysctl': its kernel is the host's own; remove it, or use lab 'qemu' or "
        "'ssh'"
    )


def test_what_the_native_lab_cannot_set_has_no_case_there(bench: Bench) -> None:
    sysctl = "sysctl: {net.ipv4.ip_forward: 1}"
    text = bent("hardware:\n", f"hardware:\n{HOST}").replace("forwarding: {}", f"forwarding: {{{sysctl}}}")
    text = text.replace("{rules: stateful.nft}", f"{{rules: stateful.nft, {sysctl}}}").replace(
        "e: arm, r", "e: host, r"
    )
    assert (
        "22:5: firewall 'nft-stateful' is not for hardware 'host': its operating system is another, or its kernel is "
        "the host's and takes no 'sysctl'; remove the case"
    ) in bench.faults(text)


@pytest.mark.parametrize("name", CASES)
def test_every_case_of_a_shipped_matrix_has_its_scripts(name: str) -> None:
    node = ROOT / "runner-scripts/labs/ssh/node"
    matrix = load_matrix(EXAMPLES / f"{name}.yaml")
    for case in expand(matrix, as_written(matrix), {machine.lab: "" for machine in matrix.machines}):
        settings = dict(case.hardware.settings)
        needed = [f"generators/{settings['generator']}.sh"]
        if case.revision.kind is not Kind.RUNNING:
            needed.append(f"provision/{settings['dut.os']}-{case.revision.kind}.sh")
        if case.firewall.rules:
            needed.append(f"firewalls/{case.firewall.name.partition('-')[0]}.sh")
        assert [script for script in needed if not (node / script).is_file()] == []
