"""`fwdlab bench ssh` lays out its own laboratory, and holds the harness against the same load by hand."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from fwdlab.bench.ssh import Pair, _broken, _lines
from tests.unit.run.processes import MARK, all_gone

ROOT = Path(__file__).parents[3]


def pairs(harness: float, hand: float, elapsed_s: float) -> list[Pair]:
    return [Pair(elapsed_s=elapsed_s, harness_pps=harness, hand_pps=hand)] * 3


def test_both_promises_are_held_against_what_was_measured() -> None:
    assert not _broken(pairs(1.509e6, 1.5e6, 5.2))
    assert _broken(pairs(1.52e6, 1.5e6, 5.2))
    assert _broken(pairs(1.48e6, 1.5e6, 5.2))
    assert _broken(pairs(1.5e6, 1.5e6, 5.4))


def test_the_table_says_both_rates_and_what_the_harness_took() -> None:
    assert list(_lines(pairs(1.509e6, 1.5e6, 5.2)[:1])) == [
        "repeat  harness Mpps  by hand Mpps  seconds  beside the trial",
        "     1         1.509         1.500     5.20              2.90",
        "means: 1.509 Mpps under the harness, 1.500 Mpps by hand",
        "forwarded differs by +0.60 %, at most 1 % is promised (medians)",
        "2.90 s beside the trial, at most 3 s are promised (median)",
    ]


@pytest.mark.e2e
@pytest.mark.timeout(180)
@pytest.mark.usefixtures("ground")
def test_the_benchmark_measures_both_and_leaves_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        ["python3", "-P", "-m", "fwdlab", "bench", "ssh", "--repeats", "3"],
        env={**os.environ, "PYTHONPATH": str(ROOT), MARK: str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr  # 1: a busy host varies by more than is promised of a quiet one
    rates = re.findall(r"^ +\d +([\d.]+) +([\d.]+) +", done.stdout, re.MULTILINE)
    assert len(rates) == 3
    assert all(float(harness) > 0 and float(hand) > 0 for harness, hand in rates)
    all_gone(str(tmp_path))
