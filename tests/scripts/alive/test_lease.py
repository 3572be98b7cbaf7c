"""A machine has one worker at a time: leases are waited for, renewed, taken over, and missed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from tests.scripts.alive.controller import Controller
from tests.unit.run.processes import until

pytestmark = pytest.mark.timeout(90)

HOLD = "take_leases\necho taken\n"
STALE = "expires\t1\n"


def lease(controller: Controller, **changed: str) -> Path:
    """A lease of somebody else on the DUT."""
    said = {
        "token": "elsewhere:1",
        "owner": "ann",
        "job": "https://gitlab/7",
        "host": "other",
        "pid": "12",
        "taken": "2026-01-02T03:04:05Z",
        "expires": str(int(time.time()) + 3600),
        **changed,
    }
    controller.leases.mkdir(exist_ok=True)
    path = controller.leases / "dut.lab.lease"
    path.write_text("".join(f"{key}\t{value}\n" for key, value in said.items()))
    return path


def expires(path: Path) -> int:
    return int(path.read_text().split("expires\t")[1])


def test_a_free_machine_is_leased_with_who_and_until_when_and_free_afterwards(controller: Controller) -> None:
    done = controller.call(f"{HOLD}cat {controller.leases}/dut.lab.lease\nls {controller.leases}\nlab_close\n")
    assert done.status == 0, done.said
    assert done.said == ""
    keys = [line.partition("\t")[0] for line in done.out.splitlines() if "\t" in line]
    assert keys == ["token", "owner", "job", "host", "pid", "taken", "expires"]
    assert f"job\t{controller.folder}/run\n" in done.out
    assert {"dut.lab.lease", "sender.lab.lease"} <= set(done.out.splitlines())
    assert list(controller.leases.glob("*.lease*")) == []


def test_a_lock_is_open_to_whoever_may_write_in_the_folder(controller: Controller) -> None:
    assert controller.call(f"umask 077\n{HOLD}lab_close\n").status == 0
    assert {path.stat().st_mode & 0o777 for path in controller.leases.glob("*.lock")} == {0o666}


def test_a_script_that_fails_leaves_no_lease(controller: Controller) -> None:
    assert controller.call(f"{HOLD}give_up 'cable: is cut'\n").status == 3
    assert list(controller.leases.glob("*.lease*")) == []


def test_a_job_of_a_pipeline_is_named_by_its_address(controller: Controller) -> None:
    done = controller.call(f"{HOLD}cat {controller.leases}/dut.lab.lease\n", CI_JOB_URL="https://gitlab/jobs/9")
    assert "job\thttps://gitlab/jobs/9\n" in done.out


def test_of_several_at_once_each_has_the_machine_alone(controller: Controller) -> None:
    alone = f"mkdir {controller.folder}/busy || exit 7\nsleep 0.1\nrmdir {controller.folder}/busy\nlab_close\n"
    children = [controller.start(HOLD + alone) for _ in range(4)]
    for child in children:
        _, said = child.communicate(timeout=60)
        assert child.returncode == 0, said


def test_a_machine_of_somebody_else_is_waited_for_and_told_whose(controller: Controller) -> None:
    path = lease(controller)
    before = path.read_text()
    done = controller.call(HOLD, FWDLAB_LEASE_WAIT_S="1")
    who = "ann on other (process 12, https://gitlab/7, since 2026-01-02T03:04:05Z)"
    assert done.status == 3
    assert done.said == (
        f"dut.lab: is leased to {who}; waiting for it\n"
        f"dut.lab: is still leased to {who} after 1 s; look at what runs there, or wait for it\n"
    )
    assert path.read_text() == before


def test_a_machine_that_becomes_free_is_taken(controller: Controller) -> None:
    path = lease(controller)
    timer = threading.Timer(1, path.unlink)
    timer.start()
    assert controller.call(HOLD).status == 0
    timer.join()


def test_who_was_killed_on_this_host_is_followed_at_once(controller: Controller) -> None:
    child = controller.start(f"{HOLD}exec sleep 60\n")
    assert child.stdout is not None
    assert child.stdout.readline() == "taken\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    begun = time.monotonic()
    done = controller.call(HOLD)
    assert done.status == 0
    assert time.monotonic() - begun < 10
    assert f"(process {child.pid}, " in done.said
    assert done.said.count(" is taken over: that process is gone\n") == 2
    child.communicate()


def test_a_lease_that_expired_elsewhere_is_taken_over_with_its_owner_named(controller: Controller) -> None:
    lease(controller, expires="1")
    done = controller.call(HOLD, FWDLAB_LEASE_S="3")
    assert done.status == 0
    who = "ann on other (process 12, https://gitlab/7, since 2026-01-02T03:04:05Z)"
    assert f"dut.lab: the lease of {who} is taken over: it expired " in done.said


def test_a_lease_that_nobody_renews_is_taken_over_whatever_the_clock_says(controller: Controller) -> None:
    lease(controller, expires=str(int(time.time()) + 10**6))
    done = controller.call(HOLD, FWDLAB_LEASE_S="2")
    assert done.status == 0
    assert "is taken over: it was not renewed for 2 s" in done.said


def test_a_clock_that_jumps_ends_no_lease_that_is_renewed(controller: Controller) -> None:
    stop = threading.Event()

    def renew() -> None:
        for number in range(1, 60):
            path = lease(controller, expires=str(number))
            if stop.wait(0.3):
                path.unlink()
                return

    lease(controller, expires="1")
    holder = threading.Thread(target=renew)
    holder.start()
    try:
        done = controller.call(HOLD, FWDLAB_LEASE_S="6", FWDLAB_LEASE_WAIT_S="4")
    finally:
        stop.set()
        holder.join()
    assert "is still leased to ann" in done.last


@pytest.mark.parametrize("text", ["", "coffee\n", "token\tx\nexpires\tsoon\n"])
def test_a_file_that_is_no_lease_is_left_to_a_person(controller: Controller, text: str) -> None:
    path = lease(controller)
    path.write_text(text)
    done = controller.call(HOLD)
    assert done.status == 3
    assert done.last == f"{path}: is no lease; see who works on the machine, then remove it"
    assert path.read_text() == text


def test_a_lease_is_renewed_while_its_holder_lives_and_not_after(controller: Controller) -> None:
    child = controller.start(f"{HOLD}exec sleep 60\n", FWDLAB_LEASE_S="6")
    assert child.stdout is not None
    assert child.stdout.readline() == "taken\n"
    path = controller.leases / "dut.lab.lease"
    first = expires(path)
    until(lambda: expires(path) > first, 10, "it was not renewed")
    child.kill()
    child.wait()
    time.sleep(0.2)
    last = expires(path)
    time.sleep(2.2)
    assert expires(path) == last
    child.communicate()


STOLEN = "for tick in 1 2 3 4 5 6; do sleep 0.5; hold_lease dut; done\necho went on\n"


def test_a_stolen_lease_stops_the_job_and_stays_the_thiefs(controller: Controller) -> None:
    child = controller.start(HOLD + STOLEN, FWDLAB_LEASE_S="6")
    assert child.stdout is not None
    assert child.stdout.readline() == "taken\n"
    path = lease(controller)
    stolen = path.read_text()
    out, said = child.communicate(timeout=30)
    assert child.returncode == 3
    assert "went on" not in out
    who = "ann on other (process 12, https://gitlab/7, since 2026-01-02T03:04:05Z)"
    assert said == f"dut dut.lab: its lease was taken by {who}; see what runs there, then run again\n"
    time.sleep(1.5)
    assert path.read_text() == stolen


def test_a_lease_that_was_removed_stops_the_job(controller: Controller) -> None:
    path = controller.leases / "dut.lab.lease"
    done = controller.call(f"{HOLD}rm {path}\n{STOLEN}")
    assert done.status == 3
    assert done.said == f"dut dut.lab: its lease is gone; see who removed {path}, then run again\n"


def test_a_folder_that_may_not_be_made_is_told(controller: Controller) -> None:
    (controller.folder / "file").touch()
    done = controller.call(HOLD, FWDLAB_MACHINES=f"{controller.folder}/file/machines")
    assert done.status == 3
    assert "cannot be made; mend the rights, or set FWDLAB_MACHINES to another folder" in done.last


def test_nothing_in_a_lease_moves_a_terminals_cursor(controller: Controller) -> None:
    lease(controller, owner="\033[2Jann")
    assert "\033" not in controller.call(HOLD, FWDLAB_LEASE_WAIT_S="0").said


def test_the_scripts_leave_no_process(controller: Controller) -> None:
    done = controller.call(f'{HOLD}cat "$ssh_folder/heart"\nlab_close\n')
    heart = int(done.out.split()[-1])
    until(lambda: not os.path.exists(f"/proc/{heart}"), 5, "the heartbeat went on")  # noqa: PTH110
