"""What is made of iperf3's reports and of its end, by each shell; whole trials are in test_iperf3.py."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts.ssh.bed import SCRIPTS

SHELLS = (("dash",), ("busybox", "sh"), ("bash", "--posix"))
ENDS = ("02:00:00:00:00:0a", "02:00:00:00:00:0b", "198.18.100.1", "198.19.100.1")


@pytest.fixture(params=SHELLS, ids=" ".join)
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Node:
    return Node(tmp_path, request.param)


class Node:
    """A node's scripts, and an iperf3 that says what a test wants."""

    def __init__(self, folder: Path, shell: tuple[str, ...]) -> None:
        self.scripts, self.bin, self.shell = folder / "node", folder / "bin", shell
        shutil.copytree(SCRIPTS / "labs/ssh/node", self.scripts)
        (self.scripts / "state").mkdir()
        self.bin.mkdir()

    def has_iperf3(self, script: str) -> None:
        path = self.bin / "iperf3"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, *words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [*self.shell, *words],
            cwd=self.scripts,
            env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        return done.returncode, done.stdout, done.stderr.strip()

    def report(self, ask: str, *documents: dict[str, object]) -> str:
        path = self.scripts / "reports"
        path.write_text("".join(json.dumps(document, indent="\t") + "\n" for document in documents))
        awk = ["busybox", "awk"] if self.shell[0] == "busybox" else ["awk"]
        command = [*awk, "-v", f"ask={ask}", "-f", "generators/iperf3-report.awk", str(path)]
        return subprocess.run(command, cwd=self.scripts, capture_output=True, text=True, check=True).stdout.strip()


def document(packets: int, lost: int, **more: object) -> dict[str, object]:
    """A report as iperf3 lays it out: sums of each interval, of each stream, and of all."""
    part = {"start": 0, "packets": 7, "lost_packets": 3}
    total = {"packets": packets, "lost_packets": lost, "sender": False}
    end = {"streams": [{"udp": part}], "sum": total, "sum_sent": part, "sum_received": part}
    return {"start": {"version": "iperf 3.12"}, "intervals": [{"streams": [part], "sum": part}], "end": end, **more}


def test_reports_are_counted_and_summed(node: Node) -> None:
    reports = (document(1000, 10), document(2000, 0))
    assert [node.report(ask, *reports) for ask in ("count", "sent", "received", "said")] == ["2", "3000", "2990", ""]


def test_an_error_of_a_report_is_told_as_it_was_said(node: Node) -> None:
    said = "the client has unexpectedly closed the connection"
    assert node.report("said", document(1, 0), {"start": {}, "end": {}, "error": said}) == said


@pytest.mark.parametrize("version", ["iperf 3.1.3", "iperf 3.8 (cJSON 1.5.2)", "iperf 2.1.8", "what?"])
def test_a_version_that_is_too_old_is_told(node: Node, version: str) -> None:
    node.has_iperf3(f"echo '{version}'")
    words = ("start", "send", "s0", *ENDS, "64", "4", "1000", "11000", "1", "1")
    status, _, said = node.run("generators/iperf3.sh", *words)
    assert status == 3
    assert "needed is 3.9 or one after it; install a newer package 'iperf3' there" in said
    _, out, _ = node.run("examine.sh", "1", "sender", "iperf3")
    assert f"fault\t{said}\n" in out


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ('printf \'{\\n\\t"error":\\t"unable to connect: Connection refused"\\n}\\n\'; exit 1', "Connection refused"),
        (
            'printf \'{\\n\\t"end":\\t{\\n\\t},\\n\\t"error":\\t"control socket has closed"\\n}\\n\'',
            "socket has closed",
        ),
        ("echo 'Segmentation fault'; exit 139", "Segmentation fault"),
        ("exit 7", "ended with status 7"),
    ],
)
def test_a_blast_without_a_whole_report_counts_nothing(node: Node, script: str, sentence: str) -> None:
    node.has_iperf3(script)
    status, out, said = node.run("generators/iperf3-load", "state/send.json", "-c", ENDS[3])
    assert (status, out) == (1, "")
    assert said.endswith(sentence)
