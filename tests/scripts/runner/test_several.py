"""A repeat of several trials: what the scripts ask the controller, what each trial is told, and how it may end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripts.runner.bench import Bench

GOAL = "loss=0 width=0.005 initial_s=0.1 final_s=0.1 sum_s=0.1 exceed=0.5 trials=60"
# One trial at maximum load, one at 90000 pps, then no more. It writes down what it was asked.
CONTROLLER = """\
printf '%s\\n' "$*" >>"$DIARY.asked"
case $(find "$3" -name 'trial-*' | wc -l) in
0) printf 'traffic.load\\tmax\\ntrial.duration_s\\t0.1\\n' ;;
1) printf 'hardware.trial.packets\\t3000\\ntraffic.load\\t90000\\ntrial.duration_s\\t0.1\\n' ;;
esac
"""


@pytest.fixture
def searching(ready: Bench) -> Bench:
    """A host whose case is a search, with a controller that knows its mind."""
    host = ready.with_case(traffic=replace(ready.case.traffic, load="ndr", goal=GOAL))
    (host.run / "case").write_bytes(host.case_file.read_bytes())
    return host.with_command("controller", CONTROLLER)


def repeat(host: Bench, **settings: str) -> tuple[int, str]:
    prepared = host.prepare()
    assert prepared.status == 0, prepared.said
    done = host.traffic(FWDLAB_CONTROLLER=str(host.commands / "controller"), **settings)
    return done.status, done.last


def line(path: Path, key: str) -> str:
    return next(line.partition("\t")[2] for line in path.read_text().splitlines() if line.startswith(f"{key}\t"))


def test_each_trial_has_a_folder_and_a_case_of_its_own(searching: Bench, shell: str) -> None:
    host = replace(searching, interpreter=shell)
    assert repeat(host) == (0, "")
    folder = host.run / "repeat-1"
    assert sorted(path.name for path in folder.iterdir()) == ["facts", "messages", "trial-1", "trial-2"]
    first, second = (folder / f"trial-{number}" / "case" for number in (1, 2))
    assert (line(first, "traffic.load"), line(second, "traffic.load")) == ("max", "90000")
    assert (line(first, "hardware.trial.packets"), line(second, "hardware.trial.packets")) == ("10", "3000")
    assert line(second, "trial.duration_s") == "0.1"
    assert line(second, "traffic.goal") == GOAL
    assert {(folder / name / "result").is_file() for name in ("trial-1", "trial-2")} == {True}
    assert line(folder / "facts", "repeat") == "1"


def test_the_controller_is_asked_before_each_trial_and_once_more(searching: Bench) -> None:
    repeat(searching)
    asked = Path(f"{searching.diary}.asked").read_text().splitlines()
    folder = searching.run / "repeat-1.partial"
    assert asked == [f"next-load {searching.case_file} {folder}"] * 3


def test_each_trial_is_a_boot(searching: Bench) -> None:
    repeat(searching)
    assert searching.diary.read_text().splitlines() == ["qemu measure"] * 2


@pytest.mark.parametrize(("status", "ends"), [(2, 2), (3, 3), (4, 3), (1, 3)])
def test_a_controller_that_fails_ends_the_repeat_with_its_sentence(searching: Bench, status: int, ends: int) -> None:
    host = searching.with_command("controller", f"echo 'a.case: goal is none; plan again' >&2; exit {status}")
    assert repeat(host) == (ends, "a.case: goal is none; plan again")
    assert (host.run / "failed/repeat-1.1/reason").read_text() == f"{ends}\ta.case: goal is none; plan again\n"


def test_a_trial_that_fails_leaves_all_of_them_as_evidence(searching: Bench) -> None:
    status, said = repeat(searching, GUEST="panic")
    assert status == 3
    assert "Kernel panic" in said
    assert said.endswith("failed/repeat-1.1/trial-1/console.log")
    assert (searching.run / "failed/repeat-1.1/trial-1/console.log").is_file()


@pytest.mark.parametrize("end", ["exit 3", "kill -KILL $PPID"])
def test_a_repeat_that_ended_early_is_taken_up_before_its_last_trial(searching: Bench, shell: str, end: str) -> None:
    host = taken_up(replace(searching, interpreter=shell), end)
    first, folder = host.run / "failed/repeat-1.1", host.run / "repeat-1"
    assert [path.name for path in sorted(folder.glob("trial-*"))] == ["trial-1", "trial-2", "trial-3"]
    assert boots(host) == 2 + 2
    assert line(folder / "facts", "kept_trials") == "1"
    assert (folder / "trial-1/result").read_bytes() == (first / "trial-1/result").read_bytes()
    assert (first / "reason").read_text().startswith("3\t")


def test_a_trial_of_another_case_is_made_again_and_all_after_it(searching: Bench) -> None:
    def bend(run: Path) -> None:
        case = run / "failed/repeat-1.1/trial-1/case"
        case.write_text(case.read_text().replace("trial.duration_s\t0.1", "trial.duration_s\t0.2"))

    host = taken_up(searching, "exit 3", bend)
    assert boots(host) == 2 + 3
    assert "kept_trials" not in (host.run / "repeat-1/facts").read_text()


def test_a_trial_that_was_cut_short_is_made_again(searching: Bench) -> None:
    def bend(run: Path) -> None:
        result = run / "failed/repeat-1.1/trial-1/result"
        result.write_text(result.read_text().removesuffix("end\tok\n"))

    assert boots(taken_up(searching, "exit 3", bend)) == 2 + 3


def taken_up(host: Bench, end: str, bend: Callable[[Path], None] = lambda _: None) -> Bench:
    """A host whose first attempt ended so after two trials, whose evidence is bent, and whose second made three."""
    third = "printf 'traffic.load\\t80000\\ntrial.duration_s\\t0.1\\n'"
    lines = f'2) [ -e "$DIARY.mended" ] || {end}\n{third} ;;\nesac'
    host = host.with_command("controller", CONTROLLER.replace("esac", lines))
    assert repeat(host)[0] != 0
    bend(host.run)
    Path(f"{host.diary}.mended").touch()
    assert repeat(host)[0] == 0
    return host


def boots(host: Bench) -> int:
    return host.diary.read_text().splitlines().count("qemu measure")


def test_a_profile_is_taken_at_maximum_load(searching: Bench) -> None:
    repeat(searching)
    done = searching.collect()
    assert done.status == 0, done.said
    assert line(searching.run / "profile" / "case", "traffic.load") == "max"
    assert not (searching.run / "profile" / "load").exists()


def test_a_load_that_is_told_to_the_sender_takes_one_trial_and_no_controller(ready: Bench) -> None:
    host = ready.with_case(traffic=replace(ready.case.traffic, load="90000"))
    (host.run / "case").write_bytes(host.case_file.read_bytes())
    assert host.traffic(FWDLAB_CONTROLLER="/nowhere").status == 0
    assert (host.run / "repeat-1" / "result").is_file()
