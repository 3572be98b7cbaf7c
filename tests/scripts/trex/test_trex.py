"""TRex as generator: its real client as PyPI has it, against a server of ours that takes what TRex's grammar allows."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.bench._bed import Plot, laboratory
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.search.goal import CURVE, Curve, program_text
from tests.scripts.ssh.bed import ROOT, SCRIPTS, Bed, marked
from tests.scripts.ssh.conftest import cache, ground  # noqa: F401
from tests.scripts.trex.grammar import Json, wrong_instruction, wrong_stream
from tests.scripts.trex.wire import flows_of
from tests.unit.run.processes import until

CLIENT = SCRIPTS / "labs/ssh/node/trex/client.py"
MACS = ("02:00:00:00:00:0a", "02:00:00:00:00:0b")
POLICER = """table inet filter {
	chain forward {
		type filter hook forward priority 0;
		limit rate over 1000/second burst 20 packets drop
	}
}
"""
FIRST = {"inet": ("198.18.100.1", "198.19.100.1"), "inet6": ("2001:2:0:a::1", "2001:2:0:b::1")}


def client() -> ModuleType:
    """The node's script as a module."""
    spec = importlib.util.spec_from_file_location("trex_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("family", "octets"), [("inet", 64), ("inet6", 66), ("inet", 1518)])
def test_streams_have_every_flow_once_and_are_what_trex_takes(family: str, octets: int) -> None:
    api = importlib.import_module("trex_stl_lib.api")
    words = [*MACS, *FIRST[family], str(octets), "400", "0", "1000", "20", "10"]
    streams = [{**stream.to_json(), "next_stream_id": -1} for stream in client().frames(api, words)]
    assert [wrong_stream(stream) for stream in streams] == [""] * 10
    assert not [wrong for stream in streams for item in instructions(stream) if (wrong := wrong_instruction(item))]
    frames = [frame for stream in streams for frame in flows_of(stream)]
    assert {len(frame) for frame in frames} == {octets - 4}
    assert len({five_tuple(frame) for frame in frames}) == len(frames) == 400
    sources, sinks, ports = zip(*(five_tuple(frame) for frame in frames), strict=True)
    assert (len(set(sources)), len(set(sinks)), set(ports)) == (20, 10, {10000, 10001})
    assert min(sources) == ip_address(FIRST[family][0])


def instructions(stream: Json) -> list[Json]:
    vm = stream["vm"]
    assert isinstance(vm, dict)
    return list(vm["instructions"])


def five_tuple(frame: bytes) -> tuple[object, object, int]:
    """Source, sink and source port; the others are the same in all."""
    six = frame[12:14] == b"\x86\xdd"
    at, octets, udp = (22, 16, 54) if six else (26, 4, 34)
    source, sink = (ip_address(frame[place : place + octets]) for place in (at, at + octets))
    return source, sink, int.from_bytes(frame[udp : udp + 2], "big")


def test_what_is_no_trex_or_does_not_answer_is_told(tmp_path: Path) -> None:
    def said(folder: Path, *options: str) -> str:
        words = [sys.executable, *options, "-B", str(CLIENT), str(folder), "0", "look"]
        isolated = ["unshare", "--net"] if os.geteuid() == 0 else []
        done = subprocess.run([*isolated, *words], capture_output=True, text=True, check=False, process_group=0)
        assert done.returncode == 3
        return done.stderr.splitlines()[-1]

    without_packages = said(tmp_path, "-S")
    assert "No module named 'trex'" in without_packages
    assert "give the folder of TRex as 'trex' of the machine" in without_packages
    assert said(installed(tmp_path)).endswith("start its server: t-rex-64 -i")


def installed(folder: Path) -> Path:
    """A folder of TRex with the client in it."""
    home = folder / "opt/automation/trex_control_plane/interactive"
    home.mkdir(parents=True)
    spec = importlib.util.find_spec("trex_stl_lib")
    assert spec is not None
    assert spec.origin is not None
    (home / "trex_stl_lib").symlink_to(Path(spec.origin).parent)
    return folder / "opt"


@contextmanager
def trex(folder: Path, cache: Path) -> Iterator[Bed]:  # noqa: F811
    """A laboratory whose sender has TRex, and the first case of its matrix."""
    python = folder / "sender/bin/python3"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    home = installed(folder)
    plot = Plot(topology="two-nodes", generator=f"trex\n    trex: {home}", trial="{warmup: 1s, samples: 3, length: 1s}")
    with laboratory(folder, plot, marked(folder)) as site:
        matrix = folder / "matrix.yaml"
        matrix.write_text(matrix.read_text().replace("face: s0}", "face: port0}").replace("face: r0}", "face: port1}"))
        bed = Bed(site=site, cache=cache, case=resolved_cases(load_matrix(matrix), SCRIPTS)[0])
        bed.on("sender", "sh", "-c", "for at in s0 r0; do echo 1 >/proc/sys/net/ipv6/conf/$at/disable_ipv6; done")
        (folder / "server").mkdir()
        words = [sys.executable, "-P", "-m", "tests.scripts.trex.server", str(folder / "server"), "s0", "r0"]
        inside = bed.inside("/sbin/ip", "netns", "exec", "sender", *words)
        server = subprocess.Popen(inside, env={**marked(folder), "PYTHONPATH": str(ROOT)}, process_group=0)
        until(lambda: listening(bed), 20, "no server")
        yield bed
        server.kill()
        server.wait()


def listening(bed: Bed) -> bool:
    return f":{4501:04X} " in bed.on("sender", "cat", "/proc/net/tcp")


@pytest.mark.e2e
@pytest.mark.timeout(180)
def test_a_trial_of_trex_is_counted_by_its_server(ground: Path, cache: Path) -> None:  # noqa: F811
    with trex(ground, cache) as bed:
        goal = program_text(Curve(loads=(500, 1500), shares=False, final_s=2))
        traffic = replace(bed.case.traffic, load=CURVE, goal=goal, sources=20, sinks=10)
        asked = bed.with_rules("nft-policer", POLICER).with_case(traffic=traffic)
        record = asked.measure()
        assert [fault for fault in faults_of(record) if not fault.startswith("sender offered ")] == []
        assert len(record.series) == 2
        assert record.trial.frame_size == 64
        assert record.counted("dut:d0", "rx_packets") == pytest.approx(record.sent, abs=2)
        assert record.searched
        below, above = record.searched.trials
        assert (below.offered_pps, above.offered_pps) == pytest.approx((500, 1500), rel=0.05)
        assert (below.loss_ratio, above.loss_ratio) == pytest.approx((0, 1 / 3), abs=0.05)
        for fault, sentence in (
            ("owner", "sender 10.0.0.11: port 0 of TRex is owned by 'bob'"),
            ("taken", "sender 10.0.0.11: TRex warns: "),
            ("down", "port 0 of TRex is down; look at its cable and the other end"),
        ):
            (ground / "server" / fault).write_text("bob")
            done = asked.call("traffic.sh", "2")
            (ground / "server" / fault).unlink()
            assert done.status == 3, done.said
            assert sentence in done.last
