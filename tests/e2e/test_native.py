"""From a matrix to a site at native speed: the example in the repository, with short trials."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from fwdlab.records.model import Clock, Record
from fwdlab.records.store import Folders, load_records, run_folders
from tests.e2e.lab import ROOT
from tests.unit.run.processes import MARK, all_gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

LENGTHS = ("{warmup: 300ms, samples: 20, length: 100ms}", "{warmup: 50ms, samples: 5, length: 40ms}")
FIREWALLS = ("forwarding", "nft-stateful", "nft-stateless")


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """The example, run by the door."""

    folder: Path
    done: subprocess.CompletedProcess[str]

    def records(self) -> tuple[Record, ...]:
        folders = Folders(results=self.folder / "results")
        loaded = load_records(folders, run_folders(folders.runs))
        assert loaded.refused == ()
        return loaded.records

    def page(self) -> str:
        (path,) = (self.folder / "public/campaigns").glob("*.html")
        return path.read_text()


def called(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "lab"), *words],
        cwd=folder,
        env={**os.environ, MARK: str(folder)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    if os.geteuid() != 0:
        pytest.skip("profiles of the kernel are root's")
    folder = tmp_path_factory.mktemp("native")
    text = (ROOT / "examples/netns.yaml").read_text()
    assert LENGTHS[0] in text
    (folder / "netns.yaml").write_text(text.replace(*LENGTHS).replace("processor: 1 ", f"processor: {last()} "))
    shutil.copytree(ROOT / "examples/firewalls", folder / "firewalls")
    done = called(folder, "run", "--quick", "-m", "netns.yaml")
    all_gone(str(folder))
    return Run(folder=folder, done=done)


def last() -> int:
    """The last processor we may use."""
    return max(os.sched_getaffinity(0))


def test_one_command_measures_this_host_and_builds_its_page(run: Run) -> None:
    assert run.done.returncode == 0, run.done.stderr
    assert "What nftables costs on this host (Mpps, baseline forwarding)" in run.done.stdout
    assert re.fullmatch(
        r"spent: \d+ s: \d+ s in traffic, \d+ s in profiles and everything else", run.done.stdout.splitlines()[-1]
    )
    records = run.records()
    assert sorted((record.names[2], record.trial.repeat) for record in records) == [
        (firewall, repeat) for firewall in FIREWALLS for repeat in (1, 2, 3)
    ]
    assert {record.trial.time for record in records} == {Clock.WALL}


def test_the_page_says_what_was_offered_and_that_no_clock_is_virtual(run: Run) -> None:
    page = run.page()
    assert re.search(r"offered, forwarded, dropped</dt>\s*<dd>[\d.]+, [\d.]+, [\d.]+ [kM]pps, means, n 3", page)
    assert "of wall time" in page
    assert "irtual packets a second" not in page
    assert "3 repeats a case, interleaved in rounds" in page
    assert "sender limit" in page


def test_a_stateful_firewall_costs_more_than_none(run: Run) -> None:
    rates = {
        firewall: [r.trial.forwarded_pps or 0.0 for r in run.records() if r.names[2] == firewall]
        for firewall in FIREWALLS
    }
    assert max(rates["nft-stateful"]) < min(rates["forwarding"])


def test_profiles_show_what_the_rules_cost(run: Run) -> None:
    folded = [path.read_text() for path in (run.folder / "public/flames").glob("*.folded")]
    assert len(folded) == 3
    assert all("ip_forward" in text for text in folded)
    assert sum("nf_conntrack_in" in text for text in folded) == 1


def test_the_benchmark_prints_both_senders_and_the_promise(tmp_path: Path) -> None:
    text = (ROOT / "examples/netns.yaml").read_text()
    (tmp_path / "netns.yaml").write_text(text.replace(*LENGTHS).replace("processor: 1 ", f"processor: {last()} "))
    shutil.copytree(ROOT / "examples/firewalls", tmp_path / "firewalls")
    if os.geteuid() != 0:
        pytest.skip("only root may load BPF programs")
    done = called(
        tmp_path, "bench", "netns", "-m", "netns.yaml", "--repeats", "3", "--sender", "auto", "--sender", "trafgen"
    )
    assert done.returncode in {0, 1}, done.stderr  # 1: a busy host varies by more than is promised of a quiet one
    gain = re.search(r"forwarded ([\d.]+) times what trafgen gets through", done.stdout)
    assert gain
    assert float(gain[1]) >= 1.2
    assert re.search(
        r"auto \(BPF live frames in batches of 64\) +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ % +3 +\d+ %", done.stdout
    )
