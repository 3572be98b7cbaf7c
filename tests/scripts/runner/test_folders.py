"""The run folder: whole results or none, nothing measured twice, nothing left behind, and a manifest of all of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fwdlab.case import case_text
from tests.scripts.runner.bench import Bench
from tests.scripts.runner.packages import KERNEL


def wait_until(seconds: float, what: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not what() and time.monotonic() < deadline:
        time.sleep(0.02)
    return what()


def runs(process: int) -> bool:
    """Is it there and not merely waiting to be buried?"""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def members(session: int) -> list[int]:
    """Every process of a session that still runs."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(entry.name))
    return found


@contextmanager
def started(bench: Bench, *command: str, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """A script at work in a session of its own; ended whatever happens."""
    with subprocess.Popen(
        ["env", "--default-signal=INT", *bench.command(command[0]), *command[1:]],
        cwd=bench.workspace,
        env=bench.environment(**settings),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            for member in members(process.pid):
                os.kill(member, signal.SIGKILL)


@contextmanager
def hanging(bench: Bench) -> Iterator[subprocess.Popen[bytes]]:
    """`traffic.sh` whose guest has no end, once it is up."""
    words = ("traffic.sh", str(bench.case_file), str(bench.run), "1")
    with started(bench, *words, GUEST="hang") as process:
        assert wait_until(10, bench.diary.with_suffix(".process").exists)
        assert wait_until(10, (bench.run / "repeat-1.partial/mark").exists)
        yield process


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM], ids=lambda sent: sent.name)
def test_a_script_that_ends_takes_its_emulator_with_it(ready: Bench, shell: str, sent: signal.Signals) -> None:
    bench = replace(ready, interpreter=shell)
    with hanging(bench) as script:
        assert runs(int(bench.diary.with_suffix(".process").read_text()))
        script.send_signal(sent)
        script.wait(1)
        assert wait_until(1, lambda: not members(script.pid))
    assert_measures_again(bench)


def test_what_a_terminal_stops_leaves_nothing_running(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    with hanging(bench) as script:
        os.killpg(script.pid, signal.SIGINT)
        script.wait(1)
        assert wait_until(1, lambda: not members(script.pid))
    assert_measures_again(bench)


def assert_measures_again(bench: Bench) -> None:
    assert not (bench.run / "repeat-1").exists()
    done = bench.traffic()
    assert done.status == 0, done.said
    assert not list(bench.run.glob("*.partial"))
    assert (bench.run / "repeat-1/result").read_text().count("kernel_release") == 1


def test_a_script_killed_while_it_fetches_leaves_nothing_running(bench: Bench, shell: str) -> None:
    bench = replace(bench, interpreter=shell)
    words = ("prepare.sh", str(bench.case_file), str(bench.run))
    with started(bench, *words, APT="slow") as script:
        assert wait_until(10, lambda: any(f"download {KERNEL}" in line for line in bench.log()))
        script.kill()
        script.wait(1)
        assert wait_until(2, lambda: not members(script.pid))
    assert bench.prepare().status == 0
    assert not list(bench.run.glob("*.partial"))


def test_what_a_killed_attempt_left_is_replaced(ready: Bench, shell: str) -> None:
    left = ready.run / "repeat-1.partial"
    (left / "guest.abc/guest").mkdir(parents=True)
    (left / "result").write_text("half of it\n")
    (left / "-rf").write_text("a name that looks like an option")
    assert replace(ready, interpreter=shell).traffic().status == 0
    assert not left.exists()
    assert {path.name for path in (ready.run / "repeat-1").iterdir()} == {
        *("command", "console.log", "emulator.log", "facts", "messages", "result")
    }


def test_a_repeat_that_is_there_is_not_measured_again(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    bench.traffic()
    before = (bench.run / "repeat-1/facts").read_bytes()
    again = bench.traffic(GUEST="panic")
    assert (again.status, again.did, again.said) == (0, [], "")
    assert (bench.run / "repeat-1/facts").read_bytes() == before


def test_a_case_that_is_prepared_is_not_prepared_again(ready: Bench, shell: str) -> None:
    shutil.rmtree(ready.cache)
    again = replace(ready, interpreter=shell).prepare()
    assert (again.status, again.did, again.said) == (0, [], "")


@pytest.mark.parametrize("step", ["traffic", "collect"])
def test_nothing_is_measured_before_it_is_prepared(bench: Bench, shell: str, step: str) -> None:
    done = replace(bench, interpreter=shell).step(step)
    assert (done.status, done.did) == (3, [])
    assert done.said == f"{bench.run}: is not prepared; run prepare.sh first\n"


@pytest.mark.parametrize("step", ["prepare", "traffic", "collect"])
def test_a_run_folder_holds_one_case(ready: Bench, shell: str, step: str) -> None:
    before = ready.files()
    ready.case_file.write_text(case_text(ready.case).replace("flows\t20", "flows\t21"))
    done = replace(ready, interpreter=shell).step(step)
    assert (done.status, done.did) == (2, [])
    assert done.said == f"{ready.run}: holds another case than {ready.case_file}; choose another folder\n"
    assert ready.files() == before


def test_two_scripts_at_the_same_repeat_do_not_mix(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    with hanging(bench):
        done = bench.traffic()
        assert done.status == 3
        assert done.last == (
            f"{bench.run}/repeat-1.partial: another script is at work there; wait for it, then run again"
        )
        assert (bench.run / "repeat-1.partial/command").exists()
        assert bench.traffic("2").status == 0, "another repeat of the same case may run beside it"


def test_a_run_folder_that_cannot_be_made_is_the_labs_fault(bench: Bench, shell: str) -> None:
    bench.run.parent.write_text("a file where the folder should be")
    done = replace(bench, interpreter=shell).prepare()
    assert (done.status, done.last) == (3, f"{bench.run}: cannot be made; free space or mend the rights")


def test_rules_that_are_gone_are_refused(bench: Bench, ready: Bench, shell: str) -> None:
    expected = "rules/one.nft: rule file cannot be read; mend the firewall entry of the matrix"
    for host, step in ((bench, "prepare"), (ready, "traffic"), (ready, "collect")):
        (host.workspace / "rules/one.nft").unlink(missing_ok=True)
        done = replace(host, interpreter=shell).step(step)
        assert (done.status, done.last, done.did) == (2, expected, [])


def test_rules_that_changed_since_the_plan_are_refused(bench: Bench, ready: Bench, shell: str) -> None:
    expected = "rules/one.nft: has changed since the case was planned; plan again"
    for host, step in ((bench, "prepare"), (ready, "traffic"), (ready, "collect")):
        (host.workspace / "rules/one.nft").write_text("table inet other {}\n")
        done = replace(host, interpreter=shell).step(step)
        assert (done.status, done.last, done.did) == (2, expected, [])


def test_plain_forwarding_has_no_rules(bench: Bench, shell: str) -> None:
    firewall = replace(bench.case.firewall, name="forwarding", rules="", sha256="")
    plain = replace(bench, interpreter=shell).with_case(firewall=firewall)
    assert [plain.step(step).status for step in ("prepare", "traffic", "collect")] == [0, 0, 0]
    assert "prepare/rules" not in plain.files()


def test_the_rules_as_measured_are_kept(ready: Bench) -> None:
    assert (ready.run / "prepare/rules").read_bytes() == (ready.workspace / "rules/one.nft").read_bytes()


def test_the_manifest_has_the_hash_of_every_whole_file(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    bench.traffic(GUEST="cut")
    bench.traffic()
    (bench.run / "repeat-2.partial").mkdir()
    (bench.run / "repeat-2.partial/result").write_text("half of it")
    (bench.run / "case.partial").write_text("half of it")
    (bench.run / "repeat-1/ a 'name', $(touch x)\\ ").write_text("odd")
    assert bench.collect().status == 0
    lines = (bench.run / "manifest").read_text().splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    whole = [name for name in bench.files() if ".partial" not in name and name != "manifest"]
    assert listed == {name: sha256((bench.run / name).read_bytes()).hexdigest() for name in whole}
    assert list(listed) == sorted(whole, key=str.encode)
    assert {"case", "prepare/facts", "repeat-1/result", "profile/perf.script", "failed/repeat-1.1/reason"} <= set(whole)


def test_the_same_files_give_the_same_manifest(ready: Bench, shell: str) -> None:
    bench = replace(ready, interpreter=shell)
    bench.traffic()
    bench.collect()
    first = (bench.run / "manifest").read_bytes()
    again = bench.collect(LC_ALL="C.UTF-8")
    assert (again.status, again.did) == (0, [])
    assert (bench.run / "manifest").read_bytes() == first
