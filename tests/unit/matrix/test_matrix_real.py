"""Machines of lab 'ssh': nodes by their role, what cases carry of them, and what does not fit them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.case import Case, Kind, case_text, parse_case
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.plan import make_plan, repeat_s
from fwdlab.matrix.resolve import resolve, resolved_cases
from fwdlab.run.tasks import phases
from fwdlab.search.goal import Curve, parse_program
from tests.unit.matrix.example import Bench

SCRIPTS = Path(__file__).parents[3] / "runner-scripts"
TEXT = """\
repeats: 3
seed: 1
hardware:
  apu2:
    lab: ssh
    title: PC Engines APU2
    topology: three-nodes
    line_rate: 1Gbps
    nic: Intel I210 (igb)
    cpu: AMD GX-412TC
    generator: pkt-gen
    reboot: repeat
    ssh: {identity: ~/.ssh/id_fwdlab, known_hosts: lab.known_hosts}
    power: {ipmi: 192.0.2.31, user: admin, password_file: ~/.ipmi, cipher_suite: 17}
    console: {command: [console, -f, apu2]}
    tunings: {sysctl: {net.inet.ip.redirect: 0}, loader: {hw.igb.rxd: 4096}, ethtool: ["-K lro off"]}
    trial: {warmup: 5s, samples: 30, length: 1s}
    nodes:
      sender: {host: 192.0.2.11, os: freebsd, egress: {interface: igb2, mac: "00:0d:b9:41:ca:3c"}}
      dut: {host: 192.0.2.12, port: 2222, user: lab, os: freebsd, ingress: {interface: igb1}, egress: {interface: igb2}}
      receiver: {host: 192.0.2.13, os: freebsd, ingress: {interface: igb1}}
  host: {lab: netns, title: Here, processor: 1, trial: {warmup: 300ms, samples: 20, length: 1s}}
revisions:
  head: {title: FreeBSD 15, os: freebsd, boot_environment: "head-{patch}", version: n259843}
  linux: {title: What runs, os: linux, running: kernel, version: latest}
firewalls:
  forwarding: {}
  pf-stateful: {rules: pf.conf}
  nft-stateful: {rules: stateful.nft}
patches:
  none: {}
  fix: {phabricator: D8526, version: 21848}
traffic:
  udp4: {family: inet, frame_size: 64, flows: 2000, load: max}
  wide: {family: inet, frame_size: 64, flows: 2000, sources: 20, sinks: 100, load: 500000}
"""


@pytest.fixture
def bench(bench: Bench) -> Bench:
    (bench.folder / "pf.conf").write_text("pass\n")
    return bench


def cases(bench: Bench, text: str = TEXT) -> dict[str, Case]:
    bench.load(text)
    return {case.slug: case for case in resolved_cases(load_matrix(bench.path), SCRIPTS)}


def test_no_case_is_made_of_what_does_not_fit(bench: Bench) -> None:
    assert sorted(cases(bench)) == [
        *(
            f"apu2/head/{firewall}/{patch}/{traffic}"
            for firewall in ("forwarding", "pf-stateful")
            for patch in ("fix", "none")
            for traffic in ("udp4", "wide")
        ),
        "host/linux/forwarding/none/udp4",
        "host/linux/nft-stateful/none/udp4",
    ]


def test_a_generator_that_reports_once_a_second_has_no_case_of_shorter_trials(bench: Bench) -> None:
    short = TEXT.replace("sources: 20, sinks: 100, load: 500000", "load: [10%, 50%], search: {final: 200ms}")
    assert {slug.split("/")[0] for slug in cases(bench, short) if slug.endswith("/wide")} == {"host"}
    here = next(line for line in TEXT.splitlines(keepends=True) if line.startswith("  host:"))
    (fault,) = bench.faults(short.replace(here, ""))
    assert fault.endswith("generator 'pkt-gen' reports once a second; write whole seconds, not '200ms'")


@pytest.mark.parametrize(("generator", "around_s"), [("pkt-gen", 10 + 5 + 15), ("packets", 10 + 5)])
def test_a_plan_reckons_the_warm_up_and_the_ports_of_each_trial(bench: Bench, generator: str, around_s: float) -> None:
    text = TEXT.replace("load: 500000", "load: [10%, 50%], search: {final: 20s}")
    case = cases(bench, text)["apu2/head/forwarding/none/wide"]
    settings = tuple(dict(case.hardware.settings, generator=generator).items())
    several = replace(case, hardware=replace(case.hardware, settings=settings))
    assert repeat_s(several, 300) == 300 + 2 * (20 + around_s)


def test_a_case_carries_the_path_and_how_to_reach_it(bench: Bench) -> None:
    case = cases(bench)["apu2/head/pf-stateful/fix/wide"]
    settings, access = dict(case.hardware.settings), dict(case.hardware.access)
    assert settings["line_rate_bps"] == "1000000000"
    assert settings["sender.egress.mac"] == "00:0d:b9:41:ca:3c"
    assert settings["dut.egress.inet6"] == "2001:2:0:2::1/64"
    assert settings["tuning.sysctl.net.inet.ip.redirect"] == "0"
    assert settings["tuning.loader.hw.igb.rxd"] == "4096"
    assert settings["tuning.ethtool.1"] == "-K lro off"
    assert settings["trial.slice_ms"] == "1000"
    assert not [key for key in settings if key.endswith((".host", ".user"))]
    assert access["dut.host"] == "192.0.2.12"
    assert (access["dut.port"], access["dut.user"]) == ("2222", "lab")
    assert (access["sender.port"], access["sender.user"]) == ("22", "root")
    assert (access["power.password_file"], access["power.cipher_suite"]) == ("~/.ipmi", "17")
    assert access["console"] == "console -f apu2"
    assert (case.revision.kind, case.revision.package) == (Kind.BOOT_ENVIRONMENT, "head-{patch}")
    assert case.patch.review == "D8526 21848"
    assert (case.traffic.sources, case.traffic.sinks, case.traffic.load) == (20, 100, "500000")
    assert parse_case(case_text(case), "a.case") == case


def test_where_a_node_is_reached_changes_no_key(bench: Bench) -> None:
    slug = "apu2/head/forwarding/none/udp4"
    moved = cases(bench, TEXT.replace("192.0.2.", "203.0.113.").replace("console, -f", "telnet"))[slug]
    case = cases(bench)[slug]
    assert moved.key == case.key
    assert moved != case
    assert replace(case, hardware=replace(case.hardware, settings=moved.hardware.settings[1:])).key != case.key


def test_a_receiver_without_a_host_is_a_port_of_the_senders(bench: Bench) -> None:
    text = TEXT.replace("three-nodes", "two-nodes").replace("{host: 192.0.2.13, os: freebsd, ingress", "{ingress")
    access = dict(cases(bench, text)["apu2/head/forwarding/none/udp4"].hardware.access)
    assert access["receiver.host"] == "192.0.2.11"


def test_machines_that_share_a_dut_take_turns(bench: Bench) -> None:
    entry = TEXT[TEXT.index("  apu2:") : TEXT.index("  host: {lab")]
    bench.load(TEXT.replace(entry, entry + entry.replace("apu2:", "apu2-tuned:", 1)))
    matrix = load_matrix(bench.path)
    tasks = phases(make_plan(matrix, resolved_cases(matrix, SCRIPTS)))[1]
    assert {task.lane for task in tasks if task.case.hardware.name.startswith("apu2")} == {"192.0.2.12"}


def test_a_moving_revision_of_a_real_machine_is_refused_with_its_line(bench: Bench) -> None:
    bench.load(TEXT.replace("version: n259843", "version: latest"))
    with pytest.raises(Exception, match=r":24:60: revision 'head': what 'latest' is only the machine could say"):
        resolve(load_matrix(bench.path), SCRIPTS)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("three-nodes", "tunnel", "topology 'tunnel' has no 'reference' under 'nodes'; add it"),
        ("three-nodes", "tunnel", "topology 'tunnel' and 'tunnel' go together; say what the load is put into"),
        ("reboot:", "tunnel: vxlan\n    reboot:", "topology 'three-nodes' and 'tunnel' go together; remove 'tunnel'"),
        ("reboot:", "tunnel: vlan\n    reboot:", "'tunnel' of hardware 'apu2' is 'vlan'; did you mean 'vxlan'?"),
        ("three-nodes", "three-knots", "'topology' of hardware 'apu2' is 'three-knots'; did you mean 'three-nodes'?"),
        ("three-nodes", "two-nodes", "remove 'host', or write 'topology: three-nodes'"),
        (
            "      receiver: {host: 192.0.2.13, os: freebsd, ",
            "      receiver: {",
            "'receiver' has no 'host'; add it, or",
        ),
        (
            "      receiver:",
            "      attacker: {host: a, os: freebsd, egress: {interface: ix0}}\n      receiver:",
            "'attacker' has no place in topology 'three-nodes'; remove it, or write 'topology: two-senders'",
        ),
        ("generator: pkt-gen", "generator: pktgen", "generator 'pktgen' does not run on freebsd, the sender's 'os'"),
        ("generator: pkt-gen", "generator: trex", "generator 'trex' does not run on freebsd, the receiver's 'os'"),
        ("generator: pkt-gen", "generator: trex", "interface 'igb2' is no port of TRex; write 'port0', or the number"),
        ("generator: pkt-gen", "generator: pkt-gen\n    trex: /opt/trex", "'trex' is for generator 'trex'; remove it"),
        (
            "generator: pkt-gen",
            "generator: trex\n    trex: trex",
            "'trex' of hardware 'apu2' is 'trex'; write a folder",
        ),
        (
            "generator: pkt-gen",
            "generator: pkt-gn",
            "'generator' of hardware 'apu2' is 'pkt-gn'; did you mean 'pkt-gen'",
        ),
        (
            "ingress: {interface: igb1}, egress",
            "ingress: {interface: igb1; ls}, egress",
            "is 'igb1; ls'; write an interface",
        ),
        (
            "{interface: igb1}, egress",
            "{interface: igb2}, egress",
            "interface 'igb2' is both ports of the dut; name the one where the load goes out",
        ),
        (
            "{interface: igb1}, egress",
            "{interface: igb1, inet: 198.18.9.1/24}, egress",
            "is in 198.18.0.0/24, dut ingress in",
        ),
        (
            "{interface: igb1}, egress",
            "{interface: igb1, inet: 198.18.0.300/24}, egress",
            "'198.18.0.300/24' is no address of",
        ),
        ("{interface: igb1}, egress", "{interface: igb1, mac: 0:d:b9}, egress", "is '0:d:b9'; write six octets"),
        ("identity: ~/", "idenity: ~/", "unknown key 'idenity' in 'ssh' of hardware 'apu2'; did you mean 'identity'?"),
        ("power: {ipmi: 192.0.2.31, ", "power: {", "'power' of hardware 'apu2' has none of 'ipmi', 'command'; add one"),
        ("console, -f", "'console -f'", "is 'console -f'; write a word without blanks"),
        ("-K lro off", "-K lro off; reboot", "is '-K lro off; reboot'; write an option and its words"),
        ("net.inet.ip.redirect: 0", "net.inet.ip.redirect: $(reboot)", "is '$(reboot)'; write a value of"),
        (
            "reboot: repeat",
            "reboot: often",
            "'reboot' of hardware 'apu2' is 'often'; known are 'never', 'case', 'repeat'",
        ),
        ("warmup: 5s", "warmup: 500ms", "generator 'pkt-gen' reports once a second; write whole seconds, not '500ms'"),
        ("length: 1s}\n    nodes", "length: 1500ms}\n    nodes", "a second; write whole seconds, not '1500ms'"),
        ("line_rate: 1Gbps", "line_rate: 1Gpps", "'line_rate' of hardware 'apu2' is '1Gpps'; write a rate such as"),
        ("pf-stateful:", "pff-stateful:", "firewall 'pff-stateful' does not begin with the command"),
        ("flows: 2000, sources: 20", "flows: 1999, sources: 20", "1999 flows are no multiple of 20 x 100 addresses"),
        ("load: 500000", "load: 2Mpps", "'2Mpps' is above the line rate of hardware 'apu2', 1.488 Mpps of 64 octets"),
        ("phabricator: D8526", "phabricator: 8526", "is '8526'; write a revision such as 'D8526'"),
        ("os: freebsd, boot", "os: netbsd, boot", "'os' of revision 'head' is 'netbsd'; did you mean 'freebsd'?"),
    ],
)
def test_each_fault_has_its_advice(bench: Bench, old: str, new: str, fault: str) -> None:
    assert old in TEXT
    told = bench.faults(TEXT.replace(old, new, 1))
    assert any(fault in line for line in told), told


@pytest.mark.parametrize(
    ("cell", "fault"),
    [
        (
            "{hardware: host, revision: head, firewall: forwarding, patch: none, traffic: udp4}",
            "revision 'head' is not for hardware 'host': its operating system is another, or it has no "
            "'kernel_config' to build it by; remove the case",
        ),
        (
            "{hardware: host, revision: linux, firewall: forwarding, patch: none, traffic: wide}",
            "traffic 'wide' is not for hardware 'host': its sender cannot be told such a load, so many addresses, "
            "a mix of sizes, or it has no state table; remove the case",
        ),
        (
            "{hardware: host, revision: linux, firewall: forwarding, patch: fix, traffic: udp4}",
            "patch 'fix' is not for revision 'linux'; name one under 'applies_to'",
        ),
    ],
)
def test_a_case_that_cannot_be_is_no_case(bench: Bench, cell: str, fault: str) -> None:
    told = bench.faults(f"{TEXT}include:\n  - {cell}\n")
    assert len(told) == 1
    assert fault in told[0]


def test_an_attack_is_for_two_senders_alone(bench: Bench) -> None:
    attacker = "      attacker: {host: 192.0.2.14, os: freebsd, egress: {interface: igb0}}\n      receiver:"
    text = TEXT.replace("three-nodes", "two-senders").replace("      receiver:", attacker)
    (told,) = bench.faults(text)
    assert "generator 'pkt-gen' has no place in topology 'two-senders'; known there are 'pktgen', 'packets'" in told
    for end in ("192.0.2.11", "192.0.2.13", "192.0.2.14"):
        text = text.replace(f"{end}, os: freebsd", f"{end}, os: linux")
    text = text.replace("generator: pkt-gen", "generator: packets")
    attacked = text.replace("load: 500000", "load: 500000, attack: 10000")
    assert not any(slug.startswith("apu2") for slug in cases(bench, text))
    (apu2,) = {slug for slug in cases(bench, attacked) if slug.startswith("apu2/head/forwarding/none")}
    assert cases(bench, attacked)[apu2].traffic.attack == "10000"


def test_a_share_of_the_line_rate_is_packets_a_second_of_the_machines_link(bench: Bench) -> None:
    text = TEXT.replace("load: 500000", "load: 50% of line rate").replace("1Gbps", "10Gbps")
    cases = resolved_cases(bench.load(text), SCRIPTS)
    found = {case.hardware.name: case.traffic for case in cases if case.traffic.name == "wide"}
    assert found.keys() == {"apu2"}, "the native lab has no line"
    assert (found["apu2"].load, found["apu2"].goal) == ("7440476", "")
    assert all(parse_case(case_text(case), "here") == case for case in cases)


def test_shares_of_the_line_rate_make_a_curve(bench: Bench) -> None:
    shares = ", ".join(f"{share}% of line rate" for share in (10, 50, 100))
    text = TEXT.replace("load: 500000", f"load: [{shares}], search: {{final: 2s}}")
    (case, *_) = (case for case in resolved_cases(bench.load(text), SCRIPTS) if case.traffic.name == "wide")
    curve = Curve(loads=(148809, 744047, 1488095), shares=False, final_s=2)
    assert parse_program(case.traffic.load, case.traffic.goal) == curve


@pytest.mark.parametrize(
    ("load", "fault"),
    [
        ("101% of line rate", "'101% of line rate' is more than a link carries; intend 100% or less"),
        ("[50% of line rate, 50%]", "'50%' stands beside '50% of line rate'; write all loads in one unit"),
        ("50% of the line", "is '50% of the line'; write 'max', a rate such as '100kpps', '50%' or '50% of line rate'"),
        ("0% of line rate", "is '0% of line rate'; write 'max'"),
    ],
)
def test_a_share_of_the_line_rate_that_cannot_be_is_refused(bench: Bench, load: str, fault: str) -> None:
    told = bench.faults(TEXT.replace("load: 500000", f"load: {load}"))
    assert any(fault in line for line in told), told


def test_pkt_gen_makes_frames_of_one_size(bench: Bench) -> None:
    text = TEXT.replace("frame_size: 64, flows: 2000, sources: 20, sinks: 100,", "imix: [7x64, 1x1518], flows: 2000,")
    real = text.replace(
        "  host: {lab: netns, title: Here, processor: 1, trial:",
        "  host: {lab: netns, sender: bpf, title: Here, processor: 1, trial:",
    )
    assert any("sender 'pkt-gen' of 'apu2' makes one size" in line for line in bench.faults(real))
