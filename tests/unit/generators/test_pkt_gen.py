"""pkt-gen's logs: every layout, what a log says of its start, and what makes it say nothing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fwdlab.errors import RecordError
from fwdlab.generators.faults import faults_of
from fwdlab.generators.log import End, Kind, Log
from fwdlab.generators.pkt_gen import read_log
from fwdlab.generators.rule import BENCH_LAB, rate_text
from tests.unit.generators.pkt_gen_logs import Layout, head, log_of
from tests.unit.structure.tree import ROOT

ARCHIVE = ROOT.parent / "shared/archive"
STEADY = [800_000 + second for second in range(40)]
LEFT_OUT_BY_HAND = {"9000": ["853109"]}  # in the archive's list of rates, though its table still has it


def read(data: bytes) -> Log:
    return read_log(io.BytesIO(data), "log")


def faults(data: bytes) -> str:
    return "\n".join(faults_of(read(data), BENCH_LAB))


def rates_of_series(folder: Path, series: str) -> list[str]:
    """The rates of every receiver's log of a series, in the order a shell lists them."""
    paths = sorted(folder.glob(f"bench.{series}.*.receiver"))
    logs = [
        read_log(io.BytesIO(path.read_bytes()), path.name)
        for path in paths
        if path.name.count(".") == series.count(".") + 3
    ]
    rates = [BENCH_LAB.rate(log) for log in logs]
    return [rate_text(rate) for rate in rates if rate is not None]


@pytest.mark.shared
@pytest.mark.skipif(not ARCHIVE.exists(), reason="needs the archived logs of the shared folder")
def test_every_archived_log_comes_to_the_rate_beside_it() -> None:
    compared = 0
    for info in sorted(ARCHIVE.glob("**/*.info")):
        series = info.name.removeprefix("bench.").removesuffix(".info")
        names = (f"{series}.pps", f"pps.{series}", series)
        listed = next(path for path in (info.parent / name for name in names) if path.exists())
        found = rates_of_series(info.parent, series)
        kept = [rate for rate in found if rate not in LEFT_OUT_BY_HAND.get(series, [])]
        assert kept == listed.read_text().split(), series
        compared += len(kept)
    assert compared == 233


@pytest.mark.shared
@pytest.mark.skipif(not ARCHIVE.exists(), reason="needs the archived logs of the shared folder")
def test_of_all_archived_logs_one_is_invalid() -> None:
    logs = [(path, read_log(io.BytesIO(path.read_bytes()), path.name)) for path in ARCHIVE.glob("**/bench.*.*er")]
    invalid = {path.name: faults_of(log, BENCH_LAB) for path, log in logs if faults_of(log, BENCH_LAB)}
    assert len(logs) == 470
    assert list(invalid) == ["bench.1000-default.1.receiver"]
    assert "ouch" in invalid["bench.1000-default.1.receiver"][0]


@pytest.mark.parametrize("layout", Layout)
def test_every_layout_gives_the_same(layout: Layout) -> None:
    log = read(log_of(STEADY, layout))
    assert [item.pps for item in log.intervals] == STEADY
    assert {(item.packets == item.pps, item.duration_s) for item in log.intervals} == {(True, 1.0)}
    assert BENCH_LAB.values(log) == tuple(STEADY[7:-9])
    assert faults_of(log, BENCH_LAB) == ()


def test_a_line_with_a_rate_alone_is_a_rate() -> None:
    text = log_of(STEADY).decode().replace(" (", "\n(")
    assert [item.pps for item in read(text.encode()).intervals] == STEADY


def test_a_log_says_how_it_was_started() -> None:
    sender, receiver = read(log_of(STEADY, end="sender")), read(log_of(STEADY))
    assert (sender.end, sender.flows, sender.frame_octets) == (End.SENDER, 2000, 60)
    assert (receiver.end, receiver.flows, receiver.frame_octets) == (End.RECEIVER, None, None)
    assert sender.command == "pkt-gen -N -f tx -i igb3 -n 80000000 -l 60 -4 -w 4"


def test_a_range_of_ipv6_addresses_and_ports_is_counted() -> None:
    text = log_of(STEADY, end="sender").decode()
    text = text.replace("198.18.10.1:2000 to 198.18.10.20:2000", "[2001:db8::1]:2000 to [2001:db8::4]:2001")
    assert read(text.encode()).flows == 800


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "the generator's log is empty; look at whether it was started at all"),
        ([*head(), "12.1 main_thread [2304] ouch, thread 0 exited with error"], "said 'ouch, thread 0 exited"),
        (
            [*head(), *["12.1 main_thread [1] 0 pps (0 pkts in 1 usec)"] * 40, "Terminated"],
            "received nothing: 0 pps in",
        ),
        ([*head("sender"), "12.1 sender_body [1166] poll error/timeout on queue 0: No error: 0"], "poll error/timeout"),
        (
            [*head(), "12.1 receiver_body [1289] poll timeout", "Terminated"],
            "the receiver said 'poll timeout' (line 9)",
        ),
        (head(), "0 seconds above 0 pps between its first 15 and last 10 lines, fewer than 3"),
        (head(), "the receiver's log is cut off after line 8"),
        ([*head(), "12.1 main_thread [2277] 806.612 Kpps (808.223 Kpkts 3 Mbps in 1 usec)"], "run pkt-gen with -N"),
        ([*head(), f"12.1 main_thread [2277] {'9' * 5000} pps (1 pkts in 1 usec)"], "it is longer than any of pkt-gen"),
        ([*head(), f"12.1 main_thread [2277] {'9' * 400} pps (1 pkts in 1 usec)"], "the log is damaged"),
        ([*head(), "12.1 main_thread [2277] 80\x0012 pps"], "it holds a NUL"),
    ],
)
def test_what_makes_a_log_invalid_is_told(lines: list[str], reason: str) -> None:
    assert reason in faults("".join(f"{line}\n" for line in lines).encode())


def test_seconds_without_a_frame_inside_the_load_are_told() -> None:
    assert faults(log_of([*STEADY[:20], 0, 0, *STEADY[20:]])) == (
        "the receiver received nothing (0 pps) in 2 of 26 s; look at link and log"
    )


@pytest.mark.parametrize(("place", "counts"), [(10, False), (20, True), (50, False)])
def test_a_poll_that_failed_counts_where_the_rule_looks(place: int, *, counts: bool) -> None:
    lines = log_of(STEADY, end="sender").decode().splitlines()
    lines.insert(place, "12.1 sender_body [1166] poll error/timeout on queue 0: No error: 0")
    assert ("poll error" in faults("\n".join(lines).encode())) is counts


def test_what_a_log_says_is_kept_printable() -> None:
    log = read("\n".join([*head(), "1.1 main [1] ouch \x1b[31m <b>red</b>", "Terminated", ""]).encode())
    assert log.troubles[0].kind is Kind.DEAD
    assert log.troubles[0].said == "ouch \N{REPLACEMENT CHARACTER}[31m <b>red</b>"


@pytest.mark.parametrize("data", [b"\0" * 4096, b"\x7fELF\x02\x01\x01", b"\xff\xfe" * 100, b"x" * 10_000, b"\n" * 50])
def test_what_is_no_log_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"^log: is no log of pkt-gen; give what its sender or receiver printed, unp"):
        read(data)
