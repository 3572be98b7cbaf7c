"""Real trials on this host: what is counted, what a user without rights gets, and that nothing is left behind."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.case import Family
from fwdlab.profiles import formats
from fwdlab.records.model import Clock, Label, Record
from tests.scripts.netns.host import Host
from tests.unit.run.processes import all_gone, marked, until

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("alone"), pytest.mark.timeout(180)]

DROP_ALL = "table inet filter {\n\tchain forward {\n\t\ttype filter hook forward priority 0; policy drop;\n\t}\n}\n"
DROP_FIRST = (
    "table netdev first {\n\tchain ingress {\n\t\ttype filter hook ingress device d0 priority 0; policy drop;\n\t}\n}\n"
)


def outside() -> dict[str, str]:
    """What a trial could leave on the host: interfaces, named namespaces, network settings, mounts."""
    links = subprocess.run(["ip", "-o", "link"], capture_output=True, text=True, check=True).stdout
    named = Path("/run/netns")
    settings = [path for path in Path("/proc/sys/net").rglob("*") if path.is_file() and os.access(path, os.R_OK)]
    stable = (path for path in settings if "random" not in path.name and path.name != "fou_genl_rcv")
    return {
        "links": "\n".join(line.partition(" mtu")[0] for line in links.splitlines()),
        "namespaces": str(sorted(path.name for path in named.iterdir()) if named.is_dir() else []),
        "mounts": Path("/proc/self/mounts").read_text(),
        **{str(path): read(path) for path in stable},
    }


def read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def invalid(record: Record) -> tuple[str, ...]:
    """Why a trial does not count. A host that does other work says so, and then the sender's part is not known."""
    reasons = faults_of(record)
    busy = any(reason.startswith("other work had") for reason in reasons)
    return tuple(reason for reason in reasons if not (busy and reason.startswith(("other work had", "sender reached"))))


def test_a_load_that_is_told_is_kept_and_has_no_calibration(host: Host) -> None:
    record = host.with_case(traffic=replace(host.case.traffic, load="50000")).measure()
    assert record.label is Label.FR
    assert record.trial.intended_pps == 50_000
    assert record.trial.offered_pps == pytest.approx(50_000, rel=0.02)
    assert record.trial.forwarded_pps == pytest.approx(record.trial.offered_pps, rel=1e-3)
    assert record.calibration is None
    facts = dict(record.conditions.facts)
    assert facts["generator"].startswith("packet socket"), "live frames cannot be paced"
    assert facts["batch"] == "64"


def test_a_trial_forwards_and_every_hop_says_so(host: Host) -> None:
    record = host.measure()
    trial = record.trial
    assert trial.time is Clock.WALL
    assert trial.frame_size == 64
    assert trial.forwarded_pps == pytest.approx(trial.offered_pps, rel=1e-3)
    assert len(record.series) == 5
    assert trial.duration_s == pytest.approx(0.2, rel=0.2)
    assert record.counted("dut:d0", "rx_packets") == pytest.approx(record.sent, abs=10)
    assert record.counted("dut:d1", "tx_packets") == pytest.approx(record.sent, abs=10)
    assert record.counted("receiver:sink", "rx_packets") == pytest.approx(record.sent, abs=10)
    assert record.calibration is not None
    assert record.calibration.offered_pps > (trial.offered_pps or 0.0)
    assert invalid(record) == ()
    facts = dict(record.conditions.facts)
    assert facts["kernel_release"] == facts["planned_release"] == os.uname().release


@pytest.mark.parametrize("size", [66, 1518])
@pytest.mark.parametrize("sender", ["auto", "packet", "trafgen"])
def test_each_sender_offers_what_the_case_asks_for(host: Host, sender: str, size: int) -> None:
    """Over IPv6, so that both families are offered."""
    traffic = replace(host.case.traffic, family=Family.INET6, frame_size=size)
    record = host.with_case(traffic=traffic).with_settings(sender=sender).measure()
    assert record.trial.frame_size == size
    assert record.trial.forwarded_pps == pytest.approx(record.trial.offered_pps, rel=1e-3)
    assert record.counted("receiver:sink", "rx_packets") == pytest.approx(record.sent, rel=1e-3)


def test_every_flow_is_one_state(host: Host) -> None:
    """As many states as there are flows, and no more: the dynamic set holds each source port once."""
    counted = host.with_rules(
        "table inet filter {\n"
        "\tset seen {\n\t\ttype inet_service; flags dynamic; size 65535\n\t}\n"
        "\tchain forward {\n\t\ttype filter hook forward priority 0; policy drop;\n"
        "\t\tudp sport 10000-10199 udp dport 9 update @seen { udp sport } counter accept\n\t}\n}\n"
    )
    record = counted.measure()
    assert record.trial.forwarded_pps == pytest.approx(record.trial.offered_pps, rel=1e-3), "no other port is there"


@pytest.mark.usefixtures("root")
def test_root_gets_live_frames_and_more_through_than_by_a_socket(host: Host) -> None:
    live = host.measure()
    assert live.trial.generator.startswith("BPF live frames")
    socket = host.with_settings(sender="packet").measure()
    assert (live.trial.forwarded_pps or 0.0) > 1.2 * (socket.trial.forwarded_pps or 0.0)


@pytest.mark.usefixtures("root")
def test_a_user_without_rights_measures_by_a_socket(host: Host) -> None:
    nobody = host.as_nobody()
    record = nobody.measure()
    assert record.trial.generator.startswith("packet socket")
    assert invalid(record) == ()
    done = nobody.call("collect.sh")
    assert done.status == 0
    assert (nobody.run / "manifest").exists()


@pytest.mark.usefixtures("root")
def test_a_sender_that_needs_rights_is_named_to_who_has_none(host: Host) -> None:
    done = host.as_nobody().with_settings(sender="bpf").call("prepare.sh")
    assert done.status == 3
    assert (
        "sender 'bpf' does not work here (live-frames: the kernel makes no BPF map: Operation not permitted)"
        in done.last
    )


@pytest.mark.usefixtures("root")
def test_a_profile_shows_the_forwarding_path(host: Host) -> None:
    host.measure()
    done = host.call("collect.sh")
    assert done.status == 0, done.said
    script = host.run / "profile/perf.script"
    profile = formats.fold(script.read_text(errors="replace"), str(script))
    assert any("ip_forward" in frame for stack in profile.stacks for frame in stack.frames)


def test_rules_that_drop_everything_make_a_trial_that_says_nothing(host: Host) -> None:
    record = host.with_rules(DROP_ALL).measure()
    assert record.trial.forwarded_pps == 0
    (reason,) = invalid(record)
    assert reason.startswith("the receiver saw no frame (0 pps) of ")


def test_a_trial_whose_sender_was_the_limit_is_marked(host: Host) -> None:
    """The DUT throws frames away as soon as it sees them: its part of the work is next to nothing."""
    record = host.with_rules(DROP_FIRST).with_settings(sender="packet").measure()
    assert any(
        reason.startswith("sender reached ") and "it was the limit, not the DUT" in reason for reason in invalid(record)
    )


def test_rules_that_nft_refuses_are_told_with_their_line(host: Host) -> None:
    done = host.with_rules("table inet filter {\n\tchain forward { typ filter }\n}\n").call("prepare.sh")
    assert done.status == 2
    assert "rules.nft:2:" in done.last
    assert "nft refuses it, mend the rule file" in done.last


@pytest.mark.parametrize("rules", ["", "table inet filter { no rules }\n"], ids=["whole", "refused"])
def test_nothing_is_changed_outside(host: Host, rules: str) -> None:
    before = outside()
    (host.with_rules(rules) if rules else host).call("prepare.sh")
    all_gone(str(host.workspace))
    assert outside() == before


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_trial_takes_everything_with_it(host: Host, blow: signal.Signals) -> None:
    long = host.with_settings(**{"trial.samples": "500"})
    assert long.call("prepare.sh").status == 0
    before = outside()
    trial = long.start("traffic.sh", "1")
    until(lambda: any("/slices " in line for line in marked(str(host.workspace)).values()), 20, "the load is measured")
    if blow is signal.SIGINT:
        os.killpg(trial.pid, blow)  # as a terminal does
    else:
        trial.send_signal(blow)
    trial.communicate(timeout=20)
    all_gone(str(host.workspace))
    assert outside() == before
    assert not (long.run / "repeat-1").exists()
    assert (host.measure().trial.forwarded_pps or 0.0) > 0, "the next one finds the host as it was"


def test_two_trials_take_turns(host: Host) -> None:
    assert host.call("prepare.sh").status == 0
    trials = [host.start("traffic.sh", str(repeat)) for repeat in (1, 2)]
    most = 0
    while any(trial.poll() is None for trial in trials):
        lines = marked(str(host.workspace)).values()
        most = max(most, sum("/slices " in line for line in lines))
        time.sleep(0.005)
    assert [trial.communicate()[1] for trial in trials] == ["", ""]
    assert [trial.returncode for trial in trials] == [0, 0]
    assert most == 1, "never are two loads measured at once"


def test_who_waits_too_long_for_another_trial_is_told(host: Host) -> None:
    processors = os.open("/sys/devices/system/cpu", os.O_RDONLY)
    try:
        fcntl.flock(processors, fcntl.LOCK_EX)
        done = host.call("prepare.sh", FWDLAB_LOCK_PATIENCE_S="1")
    finally:
        os.close(processors)
    assert done.status == 3
    assert "another trial has held the processors for 1 s; wait for it, then run again" in done.last
