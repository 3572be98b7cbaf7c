from __future__ import annotations

import re
import shlex
import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.case import parse_case
from fwdlab.cli import main
from fwdlab.records.text import parse_record
from tests.unit.run.example import FAKE_LAB
from tests.unit.run.fakelab import CASES, MATRIX, REPEATS, FakeLab
from tests.unit.run.processes import until

STATEFUL = "box/old/stateful/none/udp4"


def test_one_command_measures_judges_and_builds_the_site(lab: FakeLab) -> None:
    done = lab.run("--jobs", "1")
    assert done.exit_code == 0, done.output
    assert "New against old (virtual kpps, baseline old)" in done.stdout
    assert done.stdout.count("better") == 2
    assert f"site: {lab.public}/index.html" in done.stdout
    assert re.search(
        rf"^spent: \d+ s: 18 s in {CASES * REPEATS} boots, 6 s in their traffic \(1 side by side\)",
        done.stdout,
        re.MULTILINE,
    )
    assert "New against old" in (lab.public / "index.html").read_text()
    assert (lab.public / "campaigns/step.html").exists()
    assert len(list((lab.public / "flames").glob("*.html"))) == CASES


def test_a_folder_no_site_may_replace_is_refused_before_anything_is_measured(lab: FakeLab) -> None:
    lab.public.mkdir()
    (lab.public / "thesis.tex").write_text("years of work")
    done = lab.run()
    assert done.exit_code == 2
    assert f"{lab.public}: holds files that 'fwdlab site' did not write" in done.stderr
    assert (lab.calls, (lab.public / "thesis.tex").read_text()) == ([], "years of work")


def test_every_repeat_has_a_line_with_its_figure_and_its_place(lab: FakeLab) -> None:
    lines = [line for line in lab.run().stderr.splitlines() if "/12 box/" in line]
    assert sorted(int(line.partition("/")[0]) for line in lines) == list(range(1, 13))
    (line,) = (line for line in lines if "box/old/forwarding/none/udp4: 93.01 kpps" in line)
    assert line.startswith(("1/12 ", "2/12 ", "3/12 ", "4/12 ")), "the first round"


def test_every_repeat_has_a_record_that_names_its_case_and_its_place(lab: FakeLab) -> None:
    lab.run("--jobs", "1")
    paths = sorted((lab.results / "records").rglob("repeat-*.json"))
    records = [parse_record(path.read_text(), str(path)) for path in paths]
    assert len(records) == CASES * REPEATS
    assert sorted(record.trial.order for record in records) == list(range(1, 13))
    assert {record.trial.order > 4 * (record.trial.repeat - 1) for record in records} == {True}, "rounds"


def test_a_record_of_a_part_of_another_matrix_names_both(lab: FakeLab) -> None:
    process = lab.start("--only", "box/old/forwarding/*", "--repeats", "1")
    assert process.communicate()[1].count("93.01 kpps") == 1
    (path,) = (lab.results / "records").rglob("repeat-*.json")
    words = shlex.split(parse_record(path.read_text(), str(path)).conditions.command)
    matrix, scripts = str(lab.folder / "matrix.yaml"), str(FAKE_LAB)
    case = "box/old/forwarding/none/udp4"
    assert words == ["./lab", "run", "-m", matrix, "--runner-scripts", scripts, "--only", case]


def test_every_script_is_called_as_often_as_it_must(lab: FakeLab) -> None:
    lab.run()
    assert len(lab.counted("prepare")) == len(lab.counted("collect")) == CASES
    assert len(lab.counted("traffic")) == CASES * REPEATS
    assert set(Counter(lab.calls).values()) == {1}


def test_what_is_there_is_not_measured_again(lab: FakeLab) -> None:
    lab.run()
    before, calls, evidence = (lab.public / "index.html").read_bytes(), lab.calls, lab.evidence()
    done = lab.run()
    assert (done.exit_code, lab.calls) == (0, calls)
    assert lab.evidence() == evidence
    assert (lab.public / "index.html").read_bytes() == before


def test_more_repeats_measure_only_what_is_missing(lab: FakeLab) -> None:
    lab.run()
    lab.write(MATRIX.replace("repeats: 3\nseed", "repeats: 5\nseed"))
    assert lab.run().exit_code == 0
    assert len(lab.counted("traffic")) == CASES * 5
    assert set(Counter(lab.counted("traffic")).values()) == {1}


def test_a_changed_rule_file_makes_another_case(lab: FakeLab) -> None:
    lab.run()
    (lab.folder / "rules.nft").write_text("table inet other {}\n")
    assert lab.run().exit_code == 0
    again = [slug for slug, times in lab.counted("traffic").items() if times == 2]
    assert sorted({slug.split(" ")[0] for slug in again}) == ["box/new/stateful/none/udp4", STATEFUL]
    assert len(lab.measured) == CASES * REPEATS + 2 * REPEATS, "and the old one's results stay"


def test_the_quick_round_measures_what_it_selects(lab: FakeLab) -> None:
    assert lab.run("--quick").exit_code == 0
    assert {slug.split("/")[2] for slug in lab.counted("traffic")} == {"forwarding"}


def test_only_measures_some_cases_and_builds_no_site(lab: FakeLab) -> None:
    done = lab.run("--only", STATEFUL)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{STATEFUL}: 79.99 kpps, n 3, cv 0.006 %\n")
    assert sorted(lab.counted("traffic")) == [f"{STATEFUL} {number}" for number in (1, 2, 3)]
    assert not lab.public.exists()
    assert not (lab.results / "campaigns.json").exists()


@pytest.mark.parametrize("repeats", [1, 5])
def test_only_takes_the_repeats_it_is_told(lab: FakeLab, repeats: int) -> None:
    assert f"n {repeats}" in lab.run("--only", STATEFUL, "--repeats", str(repeats)).stdout
    assert len(lab.counted("traffic")) == repeats


def case_file(lab: FakeLab, slug: str = STATEFUL) -> Path:
    """The case file that `fwdlab cases --write` writes."""
    words = ["cases", "-m", str(lab.folder / "matrix.yaml"), "--runner-scripts", str(FAKE_LAB)]
    CliRunner().invoke(main, [*words, "--only", slug, "--write", str(lab.folder / "cases")], catch_exceptions=False)
    (found,) = (path for path in (lab.folder / "cases").rglob("*") if path.is_file())
    return found


def test_a_case_file_measures_its_case(lab: FakeLab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lab.folder)
    file = case_file(lab)
    done = lab.run("--case-file", str(file), "--repeats", "2")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{STATEFUL}: 79.99 kpps, n 2, cv 0.004 %")
    of = parse_case(file.read_text(), "x")
    assert (lab.results / "runs" / of.folder / "repeat-2").is_dir()
    assert not lab.public.exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("patch.name\tnone", "patch.name\t../../../../up", "name '../../../../up' is none a matrix could give"),
        ("firewall.name\tstateful", "firewall.name\t$(touch x)", "name '$(touch x)' is none a matrix could give"),
        ("firewall.name\tstateful", "firewall.name\t<b>", "name '<b>' is none a matrix could give"),
        ("runner.sha256\t", "runner.sha256\t0", "was written for other scripts than"),
        ("fwdlab-case 1", "fwdlab-case 9", "is no case file of format 'fwdlab-case 1'"),
        ("traffic.load\tmax", "traffic.load max", "no tab in 'traffic.load max'"),
    ],
)
def test_a_case_file_no_matrix_could_give_is_refused(lab: FakeLab, old: str, new: str, said: str) -> None:
    file = case_file(lab)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    done = lab.run("--case-file", str(file))
    assert done.exit_code == 2
    assert done.stderr.startswith(str(file))
    assert said in done.stderr
    assert lab.calls == []


def test_a_case_file_that_is_not_there_is_refused(lab: FakeLab) -> None:
    done = lab.run("--case-file", str(lab.folder / "none"))
    assert done.exit_code == 2
    assert "cannot be read" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--cap", "10s"],
            "box needs 1 min 36 s of lab time, the cap is 10 s; select fewer cases or raise it with --cap",
        ),
        (["--cap", "soon"], "--cap: 'soon' is not a number with a unit"),
        (["--only", "box/old/statful/none/udp4"], f"no case has that name; did you mean '{STATEFUL}'?"),
        (["--repeats", "9"], "--repeats: campaigns ask for their own"),
        (["--only", STATEFUL, "--case-file", "x"], "--only: a case file holds one case"),
        (["--jobs", "0"], "0 is not in the range x>=1"),
    ],
)
def test_a_command_line_that_is_wrong_measures_nothing(lab: FakeLab, words: list[str], said: str) -> None:
    done = lab.run(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert (lab.calls, lab.results.exists()) == ([], False)


def test_two_runs_in_one_folder_are_one_too_many(lab: FakeLab) -> None:
    other = lab.start(seconds="30")
    until(lab.sleepers, 20, "a trial begins")
    done = lab.run()
    assert done.exit_code == 3
    assert f"{lab.results}: another run (process {other.pid}) is at work there" in done.stderr
    assert lab.run("--only", STATEFUL).exit_code == 3
    other.terminate()
    assert other.wait(timeout=10) == 130
    assert lab.run("--only", STATEFUL).exit_code == 0


def test_results_that_cannot_be_written_are_told_before_anything_is_measured(lab: FakeLab) -> None:
    lab.results.write_text("a file where the folder should be")
    done = lab.run()
    assert done.exit_code == 3
    assert done.stderr == (
        f"{lab.results}/lock: cannot be written (File exists); choose another folder with --results\n"
    )
    assert lab.calls == []


def test_without_a_traffic_script_every_case_says_so(lab: FakeLab, tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    shutil.copytree(FAKE_LAB, scripts)
    (scripts / "traffic.sh").unlink()
    done = lab.run("--runner-scripts", str(scripts), "--jobs", "1")
    assert done.exit_code == 3
    said = f"repeat 1: {scripts}/traffic.sh: cannot be run; mend the checkout, or --runner-scripts"
    assert done.stderr.count(said) == CASES
