"""The scripts that run inside the guest, in a folder that looks like one: what they print is what records read."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fwdlab.case import Case, Family, case_text
from fwdlab.records.raw import Result, parse_result
from tests.scripts.runner.bench import ROOT, Bench

SCRIPTS = [*(ROOT / "runner-scripts/labs/qemu/guest").iterdir(), *(ROOT / "runner-scripts/lib/path").glob("*.sh")]
FAKES = Path(__file__).parent / "guest_fakes"
PLACES = ("bin/ip", "dev", "guest", "proc", "run", "sys", "tmp")
COUNTERS = ("tx_packets", "tx_bytes", "tx_dropped", "rx_packets", "rx_bytes", "rx_dropped")
KALLSYMS = """\
0 T _text
0 T _stext
1 T __softirqentry_text_end
1 T __x86_indirect_thunk_rax
2 T ip_forward_finish
3 T __entry_text_start
4 T _etext
"""
PKTGEN = """Params: count 10  min_pkt_size: 60  max_pkt_size: 60
     frags: 0  delay: 0  clone_skb: 0  ifname: s0
Current:
     pkts-sofar: 10  errors: 2
     started: 1000us  stopped: 1105us idle: 0us
Result: OK: 105(c105+d0) usec, 10 (60byte,0frags)
  95238pps 45Mb/sec (45714240bps) errors: 2
"""


@dataclass(frozen=True, kw_only=True)
class Guest:
    """A folder with the files of a guest, and its scripts told to look for them there."""

    root: Path

    def trial(self, mode: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run `trial.sh`. Loading a module is left out: busybox's shell would load it into the host."""
        words = ["busybox", "sh", "-c", 'modprobe() { :; }; . "$0"', str(self.root / "guest/trial.sh"), mode]
        environment = {"PATH": f"{self.root}/bin", "DIARY": str(self.root / "diary"), **settings}
        busybox = shutil.which("busybox") or ""
        return subprocess.run(
            words, executable=busybox, env=environment, capture_output=True, text=True, timeout=30, check=False
        )

    def told(self) -> str:
        """What `ip`, `nft` and `perf` were told."""
        return (self.root / "diary").read_text()


def make_guest(root: Path, case: Case) -> Guest:
    for path, text in files(case).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for script in SCRIPTS:
        (root / "guest" / script.name).write_text(moved(script.read_text(), root))
    shutil.copytree(FAKES, root / "bin")
    (root / "bin/sh").symlink_to(shutil.which("busybox") or "")
    return Guest(root=root)


def moved(script: str, root: Path) -> str:
    """A guest script whose files lie below a folder. pktgen's file answers other than what was written to it."""
    script = script.replace('<"/proc/net/pktgen/$4"', '<"/proc/net/pktgen/$4.answer"').replace("/sbin/ip", "/bin/ip")
    return re.sub(rf"(?<![\w/])(?=/({'|'.join(PLACES)})\b)", str(root), script)


def files(case: Case) -> Mapping[str, str]:
    """What the scripts read and write."""
    statistics = {
        f"sys/class/net/{interface}/statistics/{counter}": "7\n"
        for interface in ("s0", "d0", "d1", "r0")
        for counter in COUNTERS
    }
    carriers = {f"sys/class/net/{interface}/carrier_changes": "2\n" for interface in ("s0", "d0", "d1", "r0")}
    ports = {
        f"sys/class/virtio-ports/vport1p{n}/name": f"fwdlab.{name}\n" for n, name in enumerate(("mark", "profile"))
    }
    quiet = ("accept_ra", "accept_dad", "router_solicitations", "autoconf")
    return {
        **statistics,
        **carriers,
        **ports,
        **{f"proc/sys/net/ipv6/conf/default/{name}": "" for name in quiet},
        "proc/sys/net/core/netdev_max_backlog": "",
        "proc/sys/net/core/netdev_budget": "300\n",
        "proc/sys/net/ipv4/ip_forward": "0\n",
        "proc/sys/net/ipv6/conf/all/forwarding": "0\n",
        "proc/sys/kernel/kptr_restrict": "",
        "proc/kallsyms": KALLSYMS,
        "proc/net/softnet_stat": "00000028 0000000a 00000000\n",
        "proc/net/pktgen/pgctrl": "Packet Generator for packet performance testing. Version: 2.75\n",
        **{f"proc/net/pktgen/{interface}.answer": PKTGEN for interface in ("s0", "r0")},
        "proc/cmdline": "console=ttyS0 quiet\n",
        "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
        "dev/vport1p0": "",
        "run/none": "",
        "tmp/none": "",
        "guest/case": case_text(case),
        "guest/rules": "table inet filter {}\n",
    }


@pytest.fixture
def guest(tmp_path: Path, bench: Bench) -> Guest:
    """A guest of the bench's case."""
    return make_guest(tmp_path / "guest-root", bench.case)


def errors(done: subprocess.CompletedProcess[str]) -> list[list[str]]:
    """The last two lines of a result that says whose fault it was."""
    assert done.returncode == 1
    return [line.split("\t") for line in done.stdout.splitlines()[-2:]]


@pytest.mark.parametrize("script", sorted(SCRIPTS), ids=lambda path: path.name)
def test_a_guest_script_is_one_for_busybox(script: Path) -> None:
    done = subprocess.run(["busybox", "sh", "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_result_is_what_records_read(guest: Guest) -> None:
    done = guest.trial("measure")
    assert done.returncode == 0, done.stderr
    result = parse_result(done.stdout, "result")
    assert [sampled.phase for sampled in result.samples] == ["warmup", *["measured"] * 3, *["calibration"] * 2]
    assert {(item.packets, item.errors) for item in result.phase("measured")} == {(10, 2)}
    assert result.phase("measured")[0].duration_s == pytest.approx(105e-6)
    assert dict(result.facts)["generator"] == "pktgen 2.75"
    assert dict(result.facts)["nft"].startswith("nftables v1.0.6")
    assert dict(result.sysctls)["net/ipv4/ip_forward"] == "1"
    assert dict(result.sysctls)["net/core/netdev_max_backlog"] == "100000"


def test_a_load_that_is_told_is_not_calibrated(tmp_path: Path, bench: Bench) -> None:
    """What the sender reaches alone would be that load again."""
    case = replace(bench.case, traffic=replace(bench.case.traffic, load="5000"))
    result = parse_result(make_guest(tmp_path / "guest-root", case).trial("measure").stdout, "result")
    assert {sampled.phase for sampled in result.samples} == {"warmup", "measured"}


def test_every_hop_is_counted_before_and_after(guest: Guest) -> None:
    result = parse_result(guest.trial("measure").stdout, "result")
    before, after = (counted_at(result, moment) for moment in ("before", "after"))
    assert before == after
    hops = {"sender:s0", "dut:d0", "dut:d1", "receiver:r0"}
    assert {hop for hop, _ in before} == hops | {"dut:cpu", "receiver:sink"}
    assert before["receiver:sink", "rx_packets"] == 40
    assert before["dut:cpu", "softnet_dropped"] == 10
    assert all((hop, counter) in before for hop in hops for counter in (*COUNTERS, "carrier_changes"))


def counted_at(result: Result, moment: str) -> dict[tuple[str, str], int]:
    return {(item.hop, item.counter): item.value for item in result.counters if item.moment == moment}


def test_the_firewall_is_loaded_before_the_load_is_offered(guest: Guest) -> None:
    guest.trial("measure")
    told = guest.told()
    assert told.index("/guest/rules") < told.index("offer.sh warmup 10 1")
    assert told.index("offer.sh measured 10 3") < told.index("add table netdev calibrate")


@pytest.mark.parametrize(
    ("family", "load", "expected"),
    [
        (Family.INET, "max", "src_min 198.18.100.1 src_max 198.18.100.1 dst 198.19.100.1"),
        (Family.INET6, "5000", "ratep 5000 src6 2001:2:0:a::1 dst6 2001:2:0:b::1"),
    ],
)
def test_the_load_is_what_the_case_asks_for(
    tmp_path: Path, bench: Bench, family: Family, load: str, expected: str
) -> None:
    traffic = replace(bench.case.traffic, family=family, load=load, frame_size=128)
    guest = make_guest(tmp_path / "other", replace(bench.case, traffic=traffic))
    assert guest.trial("measure").returncode == 0
    assert "pkt_size 124 " in guest.told(), "octets without FCS"
    assert "udp_src_min 10000 udp_src_max 10020 " in guest.told()
    assert expected in guest.told()


def test_a_mix_of_sizes_is_told_by_weight_and_without_fcs(tmp_path: Path, bench: Bench) -> None:
    case = replace(bench.case, traffic=replace(bench.case.traffic, imix="7x64 4x594 1x1518"))
    guest = make_guest(tmp_path / "other", case)
    result = parse_result(guest.trial("measure").stdout, "result")
    assert "imix_weights 60,7 590,4 1514,1 " in guest.told()
    assert dict(result.facts)["imix"] == "7x64 4x594 1x1518"


def test_a_refused_rule_file_is_named_with_its_line(guest: Guest) -> None:
    done = guest.trial("measure", NFT="no")
    assert errors(done) == [
        [
            "error",
            "refuse",
            "rules/one.nft:4:29-29: Error: syntax error, unexpected newline; nft refuses it, mend the rule file",
        ],
        ["end", "failed"],
    ]
    assert "udp dport nine junk" in done.stderr, "the console has all that nft said"


def test_a_rule_file_refused_without_a_line_is_named(guest: Guest) -> None:
    assert errors(guest.trial("measure", NFT="mute"))[0] == [
        *("error", "refuse", "rules/one.nft; nft refuses it, mend the rule file")
    ]


def tuned(root: Path, case: Case, sysctls: str) -> Guest:
    """A guest whose firewall goes with these settings; of its kernel's, `net/many` is a list of numbers."""
    guest = make_guest(root, replace(case, firewall=replace(case.firewall, sysctls=sysctls)))
    (guest.root / "proc/sys/net/many").write_text("1\t2\n")
    return guest


def test_settings_of_the_firewall_are_set_after_its_rules_and_told(tmp_path: Path, bench: Bench) -> None:
    guest = tuned(tmp_path / "other", bench.case, "net.ipv4.ip_forward=2;net.many=3 4")
    done = guest.trial("measure")
    assert done.returncode == 0, done.stderr
    assert (guest.root / "proc/sys/net/many").read_text() == "3 4\n"
    sysctls = parse_result(done.stdout, "result").sysctls
    assert [value for name, value in sysctls if name == "net/ipv4/ip_forward"] == ["2"], "told once"
    assert dict(sysctls)["net/many"] == "3 4"
    told = guest.told()
    assert told.index("/guest/rules") < told.index("setting.sh") < told.index("offer.sh warmup")


def test_a_setting_that_this_kernel_has_not_is_the_changes_fault(tmp_path: Path, bench: Bench) -> None:
    guest = tuned(tmp_path / "other", bench.case, "net.netfilter.nf_conntrack_max=8192")
    assert errors(guest.trial("measure"))[0] == [
        "error",
        "refuse",
        "sysctl 'net.netfilter.nf_conntrack_max' takes no '8192', or this kernel has none with these rules; mend the "
        "firewall's 'sysctl'",
    ]


def test_a_setting_that_becomes_another_value_is_the_changes_fault(tmp_path: Path, bench: Bench) -> None:
    guest = tuned(tmp_path / "other", bench.case, "net.many=5")
    (guest.root / "guest/setting.sh").write_text("echo 6\n")
    expected = "sysctl 'net.many' is '6' after '5' was written; mend its value"
    assert errors(guest.trial("measure"))[0] == ["error", "refuse", expected]


def test_traffic_that_pktgen_refuses_is_the_changes_fault(guest: Guest) -> None:
    (guest.root / "proc/net/pktgen/s0").mkdir()
    expected = ["error", "refuse", "pktgen does not take the traffic; mend the traffic entry"]
    assert errors(guest.trial("measure"))[0] == expected


def test_a_generator_that_stops_is_the_labs_fault(guest: Guest) -> None:
    (guest.root / "proc/net/pktgen/pgctrl").unlink()
    (guest.root / "proc/net/pktgen/pgctrl").mkdir()
    assert errors(guest.trial("measure"))[0] == ["error", "give_up", "pktgen stopped in phase 'warmup'"]


def test_a_mode_nobody_knows_is_the_labs_fault(guest: Guest) -> None:
    assert errors(guest.trial("dance"))[0] == ["error", "give_up", "mode 'dance' is neither measure nor profile"]


def test_a_guest_without_a_channel_gives_no_whole_result(guest: Guest) -> None:
    shutil.rmtree(guest.root / "sys/class/virtio-ports")
    done = guest.trial("measure")
    assert done.returncode != 0
    assert "end\tok" not in done.stdout
    assert "guest: no virtio port named fwdlab.mark" in done.stderr


def test_a_profile_goes_out_by_a_channel_of_its_own(guest: Guest) -> None:
    done = guest.trial("profile")
    assert done.returncode == 0, done.stderr
    assert "cpu-clock" in (guest.root / "dev/vport1p1").read_text()
    named = (guest.root / "tmp/kallsyms").read_text()
    assert named == "0 T _text\n0 T _stext\n1 T __x86_indirect_thunk_rax\n2 T ip_forward_finish\n"
    result = parse_result(done.stdout, "result")
    assert [sampled.phase for sampled in result.samples] == ["warmup"]


def test_every_value_a_script_reads_is_in_a_case_file(bench: Bench) -> None:
    keys = {line.partition("\t")[0] for line in case_text(bench.case).splitlines()}
    with_default = re.compile(r"case_value ([a-z_0-9.]+) \S")
    for script in (ROOT / "runner-scripts").rglob("*"):
        if script.is_file() and not {"netns", "ssh"} & set(script.parts):  # those labs' machines have other settings
            text = script.read_text()
            read = set(re.findall(r"case_value ([a-z_0-9.]+)", text)) - set(with_default.findall(text))
            assert read <= keys, script
