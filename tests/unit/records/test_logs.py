"""What a generator's logs beside a result say against a trial that the lab counted itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.generators.pkt_gen import read_log
from fwdlab.records.logs import faults_of_logs

HEAD = "CMD: pkt-gen -N -f tx -i igb2\n1.000001 sender_body [1394] start, fd 3 main_fd 3\n"
SECOND = "2.000001 main_thread [2277] 1000 pps (1001 pkts 480480 bps in 1001000 usec) 2.16 avg_batch 0 min_space\n"
END = "Speed: 1000 pps Bandwidth: 480000 bps (raw 0 bps). Average batch: 1.00 pkts\n"


def faults(folder: Path, **logs: str) -> tuple[str, ...] | None:
    for name, text in logs.items():
        (folder / f"{name}.log").write_text(text)
    return faults_of_logs(folder)


def test_a_whole_log_has_no_fault(tmp_path: Path) -> None:
    assert faults(tmp_path, sender=HEAD + SECOND + END) == ()


@pytest.mark.parametrize("text", ["", "12345\n", "a log of another generator\n"])
def test_logs_of_other_generators_say_nothing(tmp_path: Path, text: str) -> None:
    assert faults(tmp_path, sender=text, receiver=text) is None


def test_no_log_says_nothing(tmp_path: Path) -> None:
    assert faults_of_logs(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{HEAD}{SECOND}3.0 main_thread [2300] ouch, thread 0 exited with error\n{END}", "the receiver said 'ouch,"),
        (f"{HEAD}3.0 receiver_body [1400] poll timeout\n{SECOND}{END}", "the receiver said 'poll timeout'"),
        (HEAD + SECOND, "the receiver's log is cut off after line 3"),
    ],
)
def test_trouble_anywhere_in_a_log_is_a_fault(tmp_path: Path, text: str, fault: str) -> None:
    (found,) = faults(tmp_path, sender=HEAD + SECOND + END, receiver=text) or ()
    assert found.startswith(fault)


def test_flows_of_ranges_of_ipv6_are_counted(tmp_path: Path) -> None:
    ranges = "".join(
        f"1.0 extract_ip_range [462] range is 7@[2001:2:0:{net}::1]:2000 to 7@[2001:2:0:{net}::{last}]:2000\n"
        for net, last in (("a", "14"), ("b", "64"))
    )
    path = tmp_path / "sender.log"
    path.write_text(HEAD + ranges + SECOND + END)
    with path.open("rb") as stream:
        assert read_log(stream, "sender.log").flows == 20 * 100
