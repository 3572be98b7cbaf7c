"""A DUT that hangs: its console is kept, its power cycled, the trial done once more; where that fails, a sentence."""

from __future__ import annotations

import subprocess

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.records.make import records_of
from fwdlab.records.model import Record
from tests.scripts.ssh.bed import PATIENCE_S, SCRIPTS, Bed, Done
from tests.unit.run.processes import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

SOON = {"FWDLAB_CONNECT_S": "3", "FWDLAB_RESTART_DEADLINE_S": "6"}


def watched(bed: Bed, switch: str = "power.sh") -> Bed:
    """The laboratory with a switch and a console for its DUT, and trials that last long enough to break one."""
    return bed.with_settings(**{"trial.slice_ms": "600"}).with_access(
        **{"power.command": f"{SCRIPTS}/bed/{switch} {bed.folder} dut {{action}}"},
        console=f"tail -F {bed.folder}/dut/sshd.log",
    )


def hung(bed: Bed) -> Done:
    """How a trial ends whose DUT hangs while it is under load."""
    assert bed.call("prepare.sh", **SOON).status == 0
    child = bed.start("traffic.sh", "1", **SOON)
    until(lambda: bed.running("packets"), 30, "the sender never began")
    subprocess.run(bed.inside(str(SCRIPTS / "bed/fault.sh"), str(bed.folder), "hang", "dut"), check=True, timeout=30)
    _, said = child.communicate(timeout=PATIENCE_S)
    return Done(status=child.returncode, said=said)


def test_a_dut_that_hangs_is_power_cycled_and_the_trial_done_once_more(bed: Bed) -> None:
    asked = watched(bed)
    done = hung(asked)
    assert done.status == 0, done.said
    assert "dut 10.0.0.12: does not answer and is power-cycled\n" in done.said
    assert "dut 10.0.0.12: answers again after " in done.said
    assert f"{asked.run}: repeat-1 is done once more\n" in done.said
    (record,) = [item for item in records_of(asked.run) if isinstance(item, Record)]
    assert faults_of(record) == ()
    assert "Server listening" in (asked.run / "failed/repeat-1.1/console").read_text()
    assert (asked.run / "failed/repeat-1.1/reason").read_text().startswith("3\tdut 10.0.0.12: ")
    assert (asked.run / "repeat-1/console").is_file()


def test_a_dut_that_stays_away_is_told_with_what_to_look_at(bed: Bed) -> None:
    asked = watched(bed)
    (bed.folder / "dut/shell").write_text("/no/shell")  # its next start fails
    done = hung(asked)
    assert done.status == 3
    assert done.last == (
        "dut 10.0.0.12: does not answer 6 s after it was power-cycled; "
        "look at its console, what it boots from and the cable of the admin network"
    )
    assert not (asked.run / "repeat-1").exists()


def test_a_switch_that_does_nothing_is_told(bed: Bed) -> None:
    done = hung(watched(bed, "no-switch.sh"))
    assert done.status == 3
    assert f"command '{SCRIPTS}/bed/no-switch.sh' did not do it (" in done.last
    assert done.last.endswith("look at the power controller, its address and its password")


def test_without_a_switch_that_is_said(bed: Bed) -> None:
    done = hung(bed.with_settings(**{"trial.slice_ms": "600"}))
    assert done.status == 3
    assert done.last.endswith("; the matrix names no 'power', so switch it off and on by hand")
