"""When a DUT starts anew, that it comes back is waited for, and that it was another boot is proven."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from fwdlab.analyse.gates import faults_of
from fwdlab.case import Kind
from tests.scripts.ssh.bed import Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


def boots(bed: Bed) -> str:
    return (bed.folder / "dut/boot_id").read_text()


def restarting(bed: Bed, policy: str) -> Bed:
    """The laboratory, its DUT started anew by the policy."""
    return bed.with_settings(reboot=policy)


def test_a_dut_that_starts_anew_before_each_repeat_is_waited_for(bed: Bed) -> None:
    asked = restarting(bed, "repeat")
    assert asked.call("prepare.sh").status == 0
    before = boots(bed)
    record = asked.measure()
    assert boots(bed) != before
    assert faults_of(record) == ()
    assert record.trial.boot_s
    assert record.trial.boot_s >= 1


def test_a_dut_that_starts_anew_for_a_case_does_so_once_in_a_row(bed: Bed) -> None:
    first, second = (restarting(bed.named("forwarding", family), "case") for family in ("inet", "inet6"))
    seen = [boots(bed)]
    for asked, repeat in ((first, "1"), (first, "2"), (second, "1"), (first, "3")):
        asked.measure(repeat)
        seen.append(boots(bed))
    assert [one == other for one, other in pairwise(seen)] == [False, True, False, False]


def test_a_dut_that_does_not_come_back_is_given_up_after_its_time(bed: Bed) -> None:
    asked = restarting(bed, "repeat")
    (bed.folder / "dut/boot_s").write_text("60")
    done = asked.call("prepare.sh", FWDLAB_RESTART_DEADLINE_S="3")
    assert done.status == 3
    assert done.last == (
        "dut 10.0.0.12: not back 3 s after it was started anew; look at its console, power-cycle it; "
        "the matrix names no 'power', so switch it off and on by hand"
    )


def test_a_kind_of_revision_that_nothing_brings_is_refused(bed: Bed) -> None:
    revision = replace(bed.case.revision, kind=Kind.UPGRADE, package="images/{patch}.img")
    done = bed.with_case(revision=revision).call("prepare.sh")
    assert done.status == 2
    assert "nothing brings a linux node to a revision of kind 'upgrade'; take another" in done.last
