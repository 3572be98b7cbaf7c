"""A job of a pipeline measures what it is told, ends as its script does, and leaves a clean machine."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.scripts.pipeline.checkout import Checkout, run
from tests.unit.run.processes import named, until


def test_a_first_round_prepares_and_measures(checkout: Checkout) -> None:
    done = checkout.job("traffic")
    assert done.returncode == 0, done.stderr
    assert checkout.path("prepare").is_dir()
    facts = checkout.path("repeat-1/facts").read_text()
    assert "repeat\t1\norder\t10\n" in facts, "and its place in the plan is recorded"
    case_file = checkout.folder / f"results/cases/{run('forwarding').rpartition('/')[0]}.case"
    assert case_file.read_bytes() == checkout.path("case").read_bytes()


def test_later_rounds_and_the_collection_go_on_where_it_was_left(checkout: Checkout) -> None:
    for repeat in (1, 2, 3):
        assert checkout.job("traffic", repeat=repeat).returncode == 0
    assert checkout.job("collect").returncode == 0
    assert sorted(path.name for path in checkout.path("").iterdir()) == [
        *("case", "manifest", "prepare", "profile", "repeat-1", "repeat-2", "repeat-3"),
    ]


def test_a_name_that_looks_like_a_command_is_a_name(checkout: Checkout) -> None:
    done = checkout.job("traffic", "odd & '$(id)'")
    assert done.returncode == 0, done.stderr
    assert checkout.path("repeat-1", "odd & '$(id)'").is_dir()


@pytest.mark.parametrize(("firewall", "status"), [("refused", 2), ("broken", 3)])
def test_a_job_ends_as_its_script_does_and_what_follows_says_why_it_cannot(
    checkout: Checkout, firewall: str, status: int
) -> None:
    first = checkout.job("traffic", firewall)
    assert first.returncode == status
    said = first.stderr.splitlines()[-2]
    for word, repeat in (("traffic", 2), ("collect", 0)):
        later = checkout.job(word, firewall, repeat)
        assert later.returncode == 4
        expected = f"{run(firewall)}: is given up, since round 1 left no result ({said}); see that job\n"
        assert later.stderr == expected
    assert not checkout.path("repeat-2", firewall).exists()


def test_a_first_round_that_left_nothing_at_all_ends_the_case(checkout: Checkout) -> None:
    done = checkout.job("traffic", repeat=2)
    assert done.returncode == 4
    assert done.stderr == f"{run('forwarding')}: is given up, since round 1 left no result; see that job\n"


def test_without_the_artifact_of_expand_a_job_has_nothing_to_do(checkout: Checkout) -> None:
    (checkout.folder / "expanded/cases").unlink()
    done = checkout.job("traffic")
    assert done.returncode == 4
    assert done.stderr == "expanded/cases: is not there; see the job 'plan', and run the pipeline again\n"


def test_an_artifact_of_another_plan_is_told(checkout: Checkout) -> None:
    done = checkout.job("traffic", "pf")
    assert done.returncode == 4
    assert f"expanded/cases: has no '{run('pf')}'; run the pipeline again" in done.stderr


@pytest.mark.parametrize(("rounds", "measured"), [(5, False), (6, True)])
def test_a_round_that_a_look_does_not_want_ends_at_once(checkout: Checkout, rounds: int, measured: bool) -> None:
    checkout.job("traffic")
    (checkout.folder / "looks").mkdir()
    (checkout.folder / "looks/5").write_text(f"{run('refused')}\t9\n{run('forwarding')}\t{rounds}\n")
    done = checkout.job("traffic", repeat=6, FWDLAB_LOOK="looks/5")
    assert done.returncode == 0, done.stderr
    assert checkout.path("repeat-6").exists() == measured
    assert ("round 6 is not needed: after 5 its campaigns have what they ask" in done.stdout) != measured


def test_a_look_that_left_no_word_leaves_nothing_to_do(checkout: Checkout) -> None:
    done = checkout.job("traffic", repeat=6, FWDLAB_LOOK="looks/5")
    assert done.returncode == 4
    assert done.stderr.startswith("looks/5: is not there; see the job that was to look")


def test_rules_are_found_from_the_folder_of_the_matrix(checkout: Checkout) -> None:
    (checkout.folder / "examples").mkdir()
    (checkout.folder / "examples/rules.nft").write_text("")
    cases = checkout.folder / "expanded/cases"
    cases.write_text(cases.read_text().replace("firewall.rules\t\n", "firewall.rules\trules.nft\n"))
    assert checkout.job("traffic", FWDLAB_FOLDER="examples").returncode == 0
    assert checkout.path("repeat-1").is_dir(), "and results lie where the checkout begins"


def stray(checkout: Checkout, how: str) -> None:
    """The traffic script of this lab leaves a child behind."""
    script = checkout.folder / "runner-scripts/traffic.sh"
    script.write_text(script.read_text().replace("(sleep", f"{how} sleep 300 >/dev/null 2>&1 &\n(sleep"))


@pytest.mark.parametrize("how", ["", "setsid", "nohup"])
def test_what_outlives_its_script_is_ended_with_the_job(checkout: Checkout, how: str) -> None:
    stray(checkout, how)
    done = checkout.job("traffic")
    assert done.returncode == 0
    assert checkout.left() == {}
    assert "box/2: outlived their job and are ended: processes " in done.stderr


def test_a_cancelled_job_takes_everything_with_it(checkout: Checkout) -> None:
    stray(checkout, "setsid")
    job = checkout.begin("traffic", FAKE_SECONDS="300")
    until(lambda: len(named(str(checkout.folder), "sleep")) == 2, 20, "the trial begins")
    os.killpg(job.pid, signal.SIGTERM)
    assert job.wait(timeout=20) == 143
    assert checkout.left() == {}


def test_a_job_that_nobody_listens_to_any_more_takes_everything_with_it_too(checkout: Checkout) -> None:
    job = checkout.begin("traffic", FAKE_SECONDS="300")
    until(lambda: named(str(checkout.folder), "sleep"), 20, "the trial begins")
    for pipe in (job.stdout, job.stderr):
        assert pipe is not None
        pipe.close()
    os.kill(job.pid, signal.SIGTERM)
    assert job.wait(timeout=20) == 143
    assert checkout.left() == {}


@pytest.mark.parametrize("checkout", ["dash"], indirect=True)
def test_a_killed_job_whose_parent_has_not_asked_for_its_status_is_gone_too(checkout: Checkout) -> None:
    script, environment = checkout.folder / "runner-scripts/pipeline/job.sh", checkout.environment("forwarding", 1)
    with subprocess.Popen([script, "traffic"], cwd=checkout.folder, env={**environment, "FAKE_SECONDS": "300"}) as job:
        until(lambda: named(str(checkout.folder), "sleep"), 20, "the trial begins")
        job.kill()
        os.waitid(os.P_PID, job.pid, os.WEXITED | os.WNOWAIT)
        assert checkout.job("leave").returncode == 0
        assert checkout.left() == {}


def test_after_a_killed_job_the_next_one_cleans_up(checkout: Checkout) -> None:
    job = checkout.begin("traffic", FAKE_SECONDS="300")
    until(lambda: named(str(checkout.folder), "sleep"), 20, "the trial begins")
    os.killpg(job.pid, signal.SIGKILL)
    job.wait(timeout=20)
    assert named(str(checkout.folder), "sleep"), "nothing else ends them"
    done = checkout.job("leave")
    assert (done.returncode, checkout.left()) == (0, {})
    assert done.stderr.startswith("box/2: outlived their job and are ended: processes ")
    assert checkout.job("leave").stderr == ""


def test_a_job_whose_runner_was_killed_is_ended_by_the_next_one(checkout: Checkout) -> None:
    words = ["sh", "-c", '"$@" & wait', "runner", *checkout.command("traffic")]
    environment = checkout.environment("forwarding", 1, FAKE_SECONDS="300")
    runner = subprocess.Popen(words, cwd=checkout.folder, env=environment, stderr=subprocess.DEVNULL)
    until(lambda: named(str(checkout.folder), "sleep"), 20, "the trial begins")
    runner.kill()
    runner.wait(timeout=20)
    job = min(pid for pid, line in checkout.left().items() if "job.sh" in line)
    first_of_all = Path(f"/proc/{job}/stat").read_text().rpartition(")")[2].split()[1] == "1"
    assert checkout.job("traffic", "refused").returncode == 2
    if not first_of_all:  # a desktop's session adopts processes, and may as well have begun the job
        assert "job.sh" in checkout.left().get(job, ""), "it may be somebody's"
        os.kill(job, signal.SIGTERM)
    until(lambda: not checkout.left(), 20, "it ends, and all that it began")


def test_a_job_that_goes_on_elsewhere_is_left_alone(checkout: Checkout) -> None:
    other = checkout.begin("traffic", FAKE_SECONDS="300")
    until(lambda: named(str(checkout.folder), "sleep"), 20, "the trial begins")
    assert checkout.job("traffic", "refused").returncode == 2
    assert checkout.job("leave", FWDLAB_PLACE="box/1").stderr == ""
    assert other.poll() is None
    assert named(str(checkout.folder), "sleep")
    os.killpg(other.pid, signal.SIGTERM)
    other.wait(timeout=20)


def test_a_script_that_was_killed_is_the_labs_failure(checkout: Checkout) -> None:
    script = checkout.folder / "runner-scripts/traffic.sh"
    script.write_text(script.read_text().replace("(sleep", "kill -KILL $$\n(sleep"))
    done = checkout.job("traffic")
    assert done.returncode == 3
    assert done.stderr.endswith("traffic.sh: was ended with status 137; see what ended it, and run the job again\n")


def test_a_word_that_is_not_known_is_told(checkout: Checkout) -> None:
    done = checkout.job("trafic")
    assert done.returncode == 3
    assert done.stderr == "job.sh: 'trafic' is not known; known are 'traffic', 'collect' and 'leave'\n"


@pytest.mark.parametrize("checkout", ["dash"], indirect=True)
def test_a_machine_without_ps_is_told(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("dash", "dirname", "uname"):
        (tmp_path / "bin" / name).symlink_to(f"/bin/{name}")
    done = checkout.job("traffic", PATH=str(tmp_path / "bin"))
    assert done.returncode == 3
    assert "'ps' is missing; install the Debian package 'procps'" in done.stderr
