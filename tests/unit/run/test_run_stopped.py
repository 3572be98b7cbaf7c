"""A run that is stopped or killed loses nothing that was measured, and the next one goes on where it was."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter

import pytest

from tests.unit.run.fakelab import CASES, REPEATS, FakeLab
from tests.unit.run.processes import all_gone, until

ALL = CASES * REPEATS


def under_way(lab: FakeLab, repeats: int) -> subprocess.Popen[str]:
    """A run with so many whole repeats, and two trials that will take long enough to be stopped in."""
    process = lab.start("--jobs", "2", seconds="0.4")
    until(lambda: len(lab.measured) >= repeats and len(lab.sleepers()) == 2, 30, "trials are under way")
    return process


def resume(lab: FakeLab, before: dict[str, bytes]) -> None:
    """The next run measures the rest, and nothing that is whole."""
    whole = {name.rpartition("/")[0] for name in before}
    tried = Counter(lab.counted("traffic"))
    done = lab.run()
    assert done.exit_code == 0, done.output
    assert f"in {ALL - len(whole)} boots" in done.stdout
    assert len(lab.measured) == ALL
    now = lab.counted("traffic") - tried
    assert set(now.values()) == {1}
    assert len(now) == ALL - len(whole)
    evidence = lab.evidence()
    assert {name: evidence[name] for name in before} == before, "what was whole has not changed"
    assert not list(lab.results.rglob("*.partial"))


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_what_is_under_way_at_once_and_leaves_whole_repeats_alone(lab: FakeLab, sent: int) -> None:
    process = under_way(lab, repeats=2)
    begin = time.monotonic()
    process.send_signal(sent)
    _, said = process.communicate(timeout=10)
    assert time.monotonic() - begin < 3
    assert process.returncode == 130
    assert said.endswith("stopped; what is measured is kept, and the same command goes on from there\n")
    assert "Traceback" not in said
    all_gone(str(lab.folder))
    assert not list((lab.results / "runs").rglob("*.partial"))
    resume(lab, lab.evidence())


def test_ctrl_c_does_not_wait_for_a_long_trial(lab: FakeLab) -> None:
    process = lab.start(seconds="60")
    until(lab.sleepers, 20, "a trial begins")
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=5) == 130


@pytest.mark.parametrize("repeats", [0, 3])
def test_a_killed_run_leaves_no_process_and_the_next_goes_on(lab: FakeLab, repeats: int) -> None:
    process = under_way(lab, repeats)
    process.kill()
    process.wait()
    all_gone(str(lab.folder))
    before = lab.evidence()
    assert len({name.rpartition("/")[0] for name in before}) >= repeats
    resume(lab, before)


def test_a_run_that_is_killed_over_and_over_comes_to_its_end(lab: FakeLab) -> None:
    for repeats in (1, 4, 7):
        process = under_way(lab, repeats)
        process.kill()
        process.wait()
        all_gone(str(lab.folder))
    resume(lab, lab.evidence())
    assert max(lab.counted("traffic").values()) <= 4
    twice = sum(times > 1 for times in lab.counted("traffic").values())
    assert twice <= 6, "only what was under way when it was killed"


def test_killed_while_it_judges_the_next_run_judges_again(lab: FakeLab) -> None:
    lab.run()
    before, calls = lab.evidence(), lab.calls
    site = {path: path.read_bytes() for path in lab.public.rglob("*") if path.is_file()}
    process = lab.start()
    time.sleep(1.0)
    process.kill()
    process.wait()
    done = lab.run()
    assert done.exit_code == 0, done.output
    assert (lab.evidence(), lab.calls) == (before, calls)
    assert {path: path.read_bytes() for path in lab.public.rglob("*") if path.is_file()} == site
