from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fwdlab.case import parse_case
from fwdlab.run.scripts import Bench
from fwdlab.run.tasks import Outcome, Step
from tests.unit.records.example import case
from tests.unit.run.example import task
from tests.unit.run.processes import MARK, all_gone, marked, until

ROOT = Path(__file__).parents[3]
HANGING = (
    '(sleep 60 & sleep 60; echo) | cat & mkdir -p "$2/repeat-1.partial"; echo begun >"$2/repeat-1.partial/x"; wait'
)


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.setenv(MARK, str(tmp_path))
    yield str(tmp_path)
    all_gone(str(tmp_path))


def bench_of(folder: Path, **scripts: str) -> Bench:
    """A bench whose scripts hold these lines."""
    for name, lines in scripts.items():
        path = folder / "scripts" / f"{name}.sh"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)
    (folder / "workspace").mkdir(exist_ok=True)
    return Bench(scripts=folder / "scripts", workspace=folder / "workspace", results=folder / "results")


def test_a_script_gets_case_file_run_folder_repeat_and_order(tmp_path: Path) -> None:
    bench = bench_of(tmp_path, prepare='echo "$#" "$@" "$PWD" >&2', traffic='echo "$#" "$@" "$PWD" >&2')
    of = case()
    file, run = tmp_path / "results/cases" / f"{of.slug}.case", tmp_path / "results/runs" / of.folder
    assert bench.do(task(of, Step.PREPARE)).message == f"2 {file} {run} {tmp_path}/workspace"
    assert bench.do(task(of, repeat=3, order=7)).message == f"4 {file} {run} 3 7 {tmp_path}/workspace"
    assert parse_case(file.read_text(), str(file)) == of


def test_folders_may_be_named_from_where_we_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench_of(tmp_path, prepare="echo here >&2")
    monkeypatch.chdir(tmp_path)
    bench = Bench(scripts=Path("scripts"), workspace=Path("workspace"), results=Path("results"))
    assert bench.do(task(step=Step.PREPARE)).message == "here"


@pytest.mark.parametrize(
    ("lines", "status", "message"),
    [
        ("exit 0", 0, ""),
        ("echo 'where: what; do' >&2", 0, "where: what; do"),
        ("echo 'where: what; do' >&2; exit 2", 2, "where: what; do"),
        ("echo first >&2; echo last >&2; echo >&2; exit 3", 3, "last"),
        ("printf 'a\\377b' >&2; exit 3", 3, "a\ufffdb"),
        ("echo lost; exit 1", 1, "traffic.sh: ended with status 1; run it by hand"),
        ("kill -KILL $$", 137, "traffic.sh: was ended by signal 9; run again"),
    ],
)
def test_the_last_thing_said_is_the_message(tmp_path: Path, lines: str, status: int, message: str) -> None:
    outcome = bench_of(tmp_path, traffic=lines).do(task())
    assert (outcome.status, outcome.message.removeprefix(f"{tmp_path}/scripts/")) == (status, message)
    assert 0 < outcome.seconds < 5


def test_names_are_words_and_never_a_command(tmp_path: Path) -> None:
    of = case(firewall="$(touch hurt);'\"`touch hurt` *")
    bench = bench_of(tmp_path, prepare='echo "$2" >&2')
    assert bench.do(task(of, Step.PREPARE)).message == f"{tmp_path}/results/runs/{of.folder}"
    assert list(tmp_path.rglob("hurt")) == []


def test_a_script_that_cannot_be_run_is_the_labs_fault(tmp_path: Path) -> None:
    bench = bench_of(tmp_path, traffic="exit 0")
    (tmp_path / "scripts" / "traffic.sh").chmod(0o644)
    outcome = bench.do(task())
    assert (outcome.status, outcome.message) == (
        3,
        f"{tmp_path}/scripts/traffic.sh: cannot be run; mend the checkout, or --runner-scripts",
    )
    assert bench.do(task(step=Step.COLLECT)).status == 3


def test_a_case_file_that_cannot_be_written_ends_that_case_alone(tmp_path: Path) -> None:
    bench = bench_of(tmp_path, prepare="exit 0")
    (tmp_path / "results").write_text("a file where the folder should be")
    outcome = bench.do(task(step=Step.PREPARE))
    assert outcome.status == 3
    assert "cannot be written" in outcome.message


def in_thread(bench: Bench, outcomes: list[Outcome]) -> threading.Thread:
    thread = threading.Thread(target=lambda: outcomes.append(bench.do(task())))
    thread.start()
    return thread


def test_stop_ends_a_script_with_all_its_children_and_takes_away_what_it_wrote(tmp_path: Path, mark: str) -> None:
    bench, outcomes = bench_of(tmp_path, traffic=HANGING), list[Outcome]()
    partial = tmp_path / "results/runs" / case().folder / "repeat-1.partial"
    thread = in_thread(bench, outcomes)
    until((partial / "x").exists, 5, "the script begins")
    begin = time.monotonic()
    bench.stop()
    thread.join(timeout=5)
    assert time.monotonic() - begin < 2
    assert [item.status for item in outcomes] == [-signal.SIGKILL]
    all_gone(mark)
    assert not partial.exists()
    assert partial.parent.exists()


def test_after_stop_nothing_begins(tmp_path: Path) -> None:
    bench = bench_of(tmp_path, traffic=f"touch {tmp_path}/begun")
    bench.stop()
    outcome = bench.do(task())
    assert (outcome.status, outcome.message.rpartition(": ")[2]) == (137, "not begun, the run was stopped")
    assert not (tmp_path / "begun").exists()


PARENT = """
import sys
from pathlib import Path
from fwdlab.run.carry import carry_out
from fwdlab.run.scripts import Bench
from tests.unit.run.example import task
folder = Path(sys.argv[1])
bench = Bench(scripts=folder / "scripts", workspace=folder / "workspace", results=folder / "results")
carry_out([[task()]], bench.do, 1, print, stop=bench.stop)
"""


def test_when_we_are_killed_a_script_ends_with_all_its_children(tmp_path: Path, mark: str) -> None:
    bench_of(tmp_path, traffic=HANGING)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], env=environment)
    until(lambda: sum("sleep 60" in line for line in marked(mark).values()) >= 2, 10, "the script begins")
    assert len(marked(mark)) >= 6, "parent, tether, script, its subshell, two sleeps"
    parent.kill()
    parent.wait()
    all_gone(mark)
