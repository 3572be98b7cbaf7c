"""A test of a state table inside the guest: what pktgen is told, what is counted, and which rules are refused."""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from pathlib import Path

import pytest

from fwdlab.case import Family
from fwdlab.records.connections import test_of as elementary_test_of
from fwdlab.records.raw import parse_result
from fwdlab.search.connections import MOST_STATES
from tests.scripts.runner.bench import Bench
from tests.scripts.runner.test_guest import Guest, counted_at, errors, make_guest

STATES = 3000
TABLE = {"nf_conntrack_udp_timeout": "30\n", "nf_conntrack_udp_timeout_stream": "120\n"}
STATISTICS = "entries  drop early_drop insert_failed\n00000007  00000000 0000000a 00000001\n"


def guest_with_table(
    root: Path,
    bench: Bench,
    *,
    load: str = "max",
    states: int = STATES,
    family: Family = Family.INET,
    entries: str = "7",
) -> Guest:
    """A guest whose case is such a test, and whose state table says the same at any moment."""
    traffic = replace(bench.case.traffic, family=family, load=load, flows=states, frame_size=66)
    guest = make_guest(root / "guest-root", replace(bench.case, traffic=traffic))
    with (guest.root / "guest/case").open("a") as file:
        file.write("trial.answers\t0.5\ntrial.measure\testablishment-rate\n")
    for name, text in {**TABLE, "nf_conntrack_count": f"{entries}\n"}.items():
        (guest.root / "proc/sys/net/netfilter" / name).parent.mkdir(parents=True, exist_ok=True)
        (guest.root / "proc/sys/net/netfilter" / name).write_text(text)
    (guest.root / "proc/net/stat").mkdir()
    (guest.root / "proc/net/stat/nf_conntrack").write_text(STATISTICS)
    return guest


def test_connections_are_made_and_then_answered(tmp_path: Path, bench: Bench) -> None:
    guest = guest_with_table(tmp_path, bench, load="5000")
    done = guest.trial("measure")
    assert done.returncode == 0, done.stderr
    result = parse_result(done.stdout, "result")
    assert [sampled.phase for sampled in result.samples] == ["measured", "validation"]
    assert elementary_test_of({"traffic.load": "5000"}, result, "r").answered == 10, "what pktgen's fake has sent"
    told = guest.told()
    rate = round(1 + 10 / 105e-6 / 2)
    steps = ["strays 100 1 r0", "s0 ratep 5000", "measured 3000 1 s0", f"r0 ratep {rate}", "validation 3000 1 r0"]
    assert [told.index(step) for step in steps] == sorted(told.index(step) for step in steps)


def test_the_table_is_read_before_and_after_and_keeps_its_states(tmp_path: Path, bench: Bench) -> None:
    result = parse_result(guest_with_table(tmp_path, bench).trial("measure").stdout, "result")
    settings = dict(result.sysctls)
    for name in ("nf_conntrack_udp_timeout", "nf_conntrack_udp_timeout_stream"):
        assert settings[f"net/netfilter/{name}"] == "3600"
    for moment in ("before", "after"):
        counted = counted_at(result, moment)
        assert counted["dut:table", "entries"] == 7
        assert counted["dut:table", "early_drop"] == 10
        assert counted["sender:sink", "rx_packets"] == 0


def test_as_many_pairs_as_a_test_has_connections_differ(tmp_path: Path, bench: Bench) -> None:
    """pktgen steps both numbers at once, so they must have no common divisor."""
    guest = guest_with_table(tmp_path, bench)
    guest.trial("measure")
    made = "udp_src_min 10000 udp_src_max 50000 udp_dst_min 9 udp_dst_max 9"
    answered = "udp_dst_min 10000 udp_dst_max 50000 udp_src_min 9 udp_src_max 9"
    assert made in guest.told()
    assert answered in guest.told()
    assert "s0 src_min 198.18.100.1 src_max 198.18.100.251 dst 198.19.100.1" in guest.told()
    assert "r0 src_min 198.19.100.1 src_max 198.19.100.1 dst_min 198.18.100.1 dst_max 198.18.100.251" in guest.told()
    assert lcm(40_000, 251) >= MOST_STATES


def test_over_ipv6_the_ports_alone_differ(tmp_path: Path, bench: Bench) -> None:
    guest = guest_with_table(tmp_path, bench, family=Family.INET6, states=40_000)
    assert guest.trial("measure").returncode == 0
    assert "r0 src6 2001:2:0:b::1 dst6 2001:2:0:a::1" in guest.told()


def test_more_connections_than_pktgen_tells_apart_are_refused(tmp_path: Path, bench: Bench) -> None:
    guest = guest_with_table(tmp_path, bench, family=Family.INET6, states=40_001)
    assert errors(guest.trial("measure"))[0] == [
        *("error", "refuse"),
        "40001 connections are more than the 40000 that pktgen tells apart over IPv6; write fewer 'flows'",
    ]


@pytest.mark.parametrize(
    ("answers", "entries", "why"),
    [
        ("100", "7", "let answers pass that belong to no connection"),
        ("0", "0", "the rules keep no state of a connection"),
    ],
)
def test_rules_without_states_are_refused(tmp_path: Path, bench: Bench, answers: str, entries: str, why: str) -> None:
    done = guest_with_table(tmp_path, bench, entries=entries).trial("measure", ANSWERS=answers)
    kind, whose, sentence = errors(done)[0]
    assert (kind, whose) == ("error", "refuse")
    assert why in sentence
