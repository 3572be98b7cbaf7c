"""A repeat of several trials becomes one record that tells all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.analyse.gates import faults_of
from fwdlab.case import Case, Lab, case_text
from fwdlab.cli import main
from fwdlab.errors import RecordError
from fwdlab.records.loss import loss_of
from fwdlab.records.make import records_of, value_of
from fwdlab.records.model import Label, Record
from fwdlab.records.raw import parse_result
from fwdlab.records.text import parse_record, record_text
from fwdlab.search.goal import CURVE, Curve, Program, Search, program_text, usual_goal
from tests.unit.records import example

NDR = replace(usual_goal(Search.NDR), initial_s=0.2, final_s=0.2, sum_s=0.2)
MOST = 91_000.0  # what comes through at maximum load
KNEE = 88_000.0  # above which the processor is late
Bend = Callable[[str], str]
NOT_BENT: Mapping[int, Bend] = {}


def searching(program: Program = NDR, load: str = "ndr", lab: Lab = Lab.QEMU) -> Case:
    case = example.case(lab=lab)
    return replace(case, traffic=replace(case.traffic, load=load, goal=program_text(program)))


def at(load: float | None, packets: int = 4000, most: float = KNEE) -> str:
    """What a trial says that was told a load: ten slices, as long as they take where the DUT is the limit."""
    pps = MOST if load is None else min(load, most)
    return example.result_text(tuple([round(packets / pps * 1e6)] * 10))


def ask(case_file: Path, folder: Path) -> dict[str, str]:
    """The lines that `fwdlab next-load` prints."""
    done = CliRunner().invoke(main, ["next-load", str(case_file), str(folder)])
    assert done.exit_code == 0, done.output
    return dict(line.split("\t") for line in done.stdout.splitlines())


def write_trials(runs: Path, case: Case, result: Callable[[int, Mapping[str, str]], str]) -> Path:
    """A run folder whose one repeat was made as traffic.sh makes it; a trial's result is of its number and its case."""
    run = example.write_run(runs, case, repeats=1)
    folder = run / "repeat-1"
    (folder / "result").unlink()
    number = 0
    while lines := ask(run / "case", folder):
        number += 1
        trial = folder / f"trial-{number}"
        trial.mkdir()
        given = dict(line.split("\t", 1) for line in case_text(case).splitlines())
        (trial / "case").write_text(example.facts_text({**given, **lines}))
        (trial / "result").write_text(result(number, lines))
        (trial / "facts").write_text("boot_s\t1.5\ntraffic_s\t0.25\n")
    example.write_manifest(run)
    return run


def write_searched(runs: Path, case: Case, most: float = KNEE, bent: Mapping[int, Bend] = NOT_BENT) -> Path:
    """A run folder whose one repeat searched a DUT with a knee; some of its trials' results are bent."""

    def result(number: int, lines: Mapping[str, str]) -> str:
        load = lines["traffic.load"]
        return bent.get(number, str)(at(float(load) if load != "max" else None, most=most))

    return write_trials(runs, case, result)


def made(run: Path) -> Record:
    (record,) = records_of(run)
    assert isinstance(record, Record), record
    return record


def test_a_search_becomes_one_record_with_every_trial(tmp_path: Path) -> None:
    record = made(write_searched(tmp_path / "runs", searching()))
    assert record.label is Label.NDR
    assert record.searched is not None
    assert [item.intended_pps for item in record.searched.trials][:2] == [None, 91000]
    lower, upper = record.searched.lower_pps, record.searched.upper_pps
    assert lower is not None
    assert upper is not None
    assert lower <= KNEE < upper <= lower * 1.0051
    assert record.trial.forwarded_pps == record.trial.intended_pps == lower
    assert record.searched.irregular == ""
    assert record.faults is None
    assert record.trial.boot_s == 1.5 * len(record.searched.trials)
    assert record.trial.traffic_s == 0.25 * len(record.searched.trials)
    assert {"repeat-1/trial-1/result", "repeat-1/trial-2/case"} <= {item.path for item in record.raw}


def test_its_rate_is_known_without_the_record(tmp_path: Path) -> None:
    case = searching()
    run = write_searched(tmp_path / "runs", case)
    assert value_of(case, run / "repeat-1") == (made(run).trial.forwarded_pps, "pps")


def test_the_record_comes_back_from_its_text(tmp_path: Path) -> None:
    record = made(write_searched(tmp_path / "runs", searching()))
    assert parse_record(record_text(record), "x") == record


def test_the_goal_stands_in_the_method(tmp_path: Path) -> None:
    method = made(write_searched(tmp_path / "runs", searching())).method
    assert method is not None
    assert method.rule == (
        "conditional throughput of MLRsearch (RFC 9971): loss goal 0 %, width 0.5 %, trials of 0.2 s, 0.2 s a load, "
        "exceed ratio 50 %"
    )


@pytest.mark.parametrize(("search", "label"), [(Search.THROUGHPUT, Label.THROUGHPUT), (Search.PDR, Label.PDR)])
def test_a_search_has_its_own_label_and_never_frmol(tmp_path: Path, search: Search, label: Label) -> None:
    assert made(write_searched(tmp_path / "runs", searching(usual_goal(search), search))).label is label


def test_a_search_without_a_regular_result_has_a_fault(tmp_path: Path) -> None:
    record = made(write_searched(tmp_path / "runs", searching(replace(NDR, trials=2))))
    assert record.faults == ("irregular result: the bounds were not close enough after 2 trials",)
    assert record.trial.forwarded_pps is None


def test_a_curve_is_told_by_its_last_load(tmp_path: Path) -> None:
    curve = Curve(loads=(0.5, 1.2), shares=True, final_s=0.2)
    record = made(write_searched(tmp_path / "runs", searching(curve, CURVE)))
    assert record.label is Label.CURVE
    assert record.searched is not None
    assert [round(item.loss_ratio, 3) for item in record.searched.trials] == [0, 0, 0.194]
    assert record.trial.forwarded_pps == pytest.approx(KNEE, rel=1e-3)


def test_one_share_of_the_maximum_is_a_forwarding_rate_at_a_load(tmp_path: Path) -> None:
    record = made(write_searched(tmp_path / "runs", searching(Curve(loads=(0.5,), shares=True, final_s=1), CURVE)))
    assert record.label is Label.FR
    assert record.trial.intended_pps == 45500


def test_a_trial_is_as_long_as_was_asked_in_the_units_of_its_lab(tmp_path: Path) -> None:
    folder = tmp_path / "repeat"
    folder.mkdir()
    for lab, lines in ((Lab.QEMU, {}), (Lab.NETNS, {"hardware.trial.slice_ms": "20"})):
        path = tmp_path / f"{lab}.case"
        path.write_text(case_text(searching(lab=lab)))
        assert ask(path, folder) == {**lines, "traffic.load": "max", "trial.duration_s": "0.2"}


@pytest.mark.parametrize(("generator", "parts"), [("packets", ("10", "300")), ("pkt-gen", ("3", "1000"))])
def test_a_trial_has_whole_seconds_where_the_generator_reports_once_a_second(
    tmp_path: Path, generator: str, parts: tuple[str, str]
) -> None:
    curve = searching(Curve(loads=(1000.0,), shares=False, final_s=3), CURVE, Lab.SSH)
    settings = (*curve.hardware.settings, ("generator", generator))
    path = tmp_path / "a.case"
    path.write_text(case_text(replace(curve, hardware=replace(curve.hardware, settings=settings))))
    lines = {"hardware.trial.samples": "10"} | ask(path, tmp_path)
    assert (lines["hardware.trial.samples"], lines["hardware.trial.slice_ms"]) == parts


def test_a_search_goes_no_higher_than_the_link(tmp_path: Path) -> None:
    case = searching(lab=Lab.SSH)
    settings = (*case.hardware.settings, ("line_rate_bps", str(20_000 * 84 * 8)))
    case = replace(case, hardware=replace(case.hardware, settings=settings))

    def all_came(_: int, lines: Mapping[str, str]) -> str:
        pps = 20_000 if lines["traffic.load"] == "max" else float(lines["traffic.load"])
        return example.result_text(tuple([round(4000 / pps * 1e6)] * 10))

    record = made(write_trials(tmp_path / "runs", case, all_came))
    assert record.searched
    assert [item.intended_pps for item in record.searched.trials] == [None, 20_000]
    (fault, *_) = faults_of(record)
    assert "no load up to 20000 pps, the line rate, lost more than the goal: the link was the limit" in fault


@pytest.mark.parametrize("load", ["max", "50000"])
def test_where_there_is_one_trial_there_is_no_next_load(tmp_path: Path, load: str) -> None:
    case = example.case()
    path = tmp_path / "a.case"
    path.write_text(case_text(replace(case, traffic=replace(case.traffic, load=load))))
    done = CliRunner().invoke(main, ["next-load", str(path), str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr == f"{path}: load '{load}' takes one trial; there is no next one to ask for\n"


def test_a_goal_that_is_none_is_told(tmp_path: Path) -> None:
    case = searching()
    path = tmp_path / "a.case"
    path.write_text(case_text(replace(case, traffic=replace(case.traffic, goal="loss=much"))))
    done = CliRunner().invoke(main, ["next-load", str(path), str(tmp_path)])
    assert done.exit_code == 4
    assert "goal 'loss=much' of load 'ndr' is none; plan again" in done.stderr


FLAP = "counter\tafter\tdut:d1\tcarrier_changes\t2\n"
STEADY = "counter\tbefore\tdut:d1\tcarrier_changes\t0\n"


def flapped(text: str) -> str:
    """The same trial, in which a link went down and came back."""
    return text.replace("end\tok\n", f"{STEADY}{FLAP}end\tok\n")


def test_a_trial_that_does_not_count_is_made_again_and_told(tmp_path: Path) -> None:
    plain = made(write_searched(tmp_path / "plain", searching()))
    record = made(write_searched(tmp_path / "runs", searching(), bent={2: flapped}))
    assert record.searched is not None
    assert plain.searched is not None
    first, second, third, *_ = record.searched.trials
    assert second.fault == "the link changed: dut:d1 2 times; look at cable and port"
    assert (third.intended_pps, third.fault, first.fault) == (second.intended_pps, "", "")
    assert [item for item in record.searched.trials if not item.fault] == list(plain.searched.trials)
    assert record.trial.forwarded_pps == plain.trial.forwarded_pps
    assert faults_of(record) == ()


def test_a_trial_whose_generator_told_of_trouble_does_not_count(tmp_path: Path) -> None:
    run = write_searched(tmp_path / "runs", searching())
    log = "CMD: pkt-gen -N -f rx -i igb1\n3.000001 receiver_body [1400] poll timeout\nSpeed: 0 pps\n"
    (run / "repeat-1/trial-2/receiver.log").write_text(log)
    example.write_manifest(run)
    searched = made(run).searched
    assert searched is not None
    assert [number for number, item in enumerate(searched.trials, 1) if item.fault] == [2]
    assert searched.trials[1].fault.startswith("the receiver said 'poll timeout' (line 2); look at the link")


@pytest.mark.parametrize(
    ("program", "load"), [(NDR, "ndr"), (Curve(loads=(0.5, 1.2), shares=True, final_s=0.2), CURVE)]
)
def test_three_trials_in_a_row_that_do_not_count_end_it(tmp_path: Path, program: Program, load: str) -> None:
    bent = dict.fromkeys((2, 3, 4), flapped)
    record = made(write_searched(tmp_path / "runs", searching(program, load), bent=bent))
    assert record.searched is not None
    assert len(record.searched.trials) == 4
    why = "trial 4, the last of 3 in a row that do not count: the link changed: dut:d1 2 times; look at cable and port"
    assert record.searched.irregular == why
    (fault,) = faults_of(record)
    assert fault.startswith(f"irregular result: {why}")


def test_a_sender_of_its_own_that_offers_less_makes_no_loss_and_no_bound(tmp_path: Path) -> None:
    case = searching(lab=Lab.SSH)
    record = made(write_searched(tmp_path / "runs", case, most=60_000))
    assert record.searched is not None
    assert record.searched.upper_pps is None
    assert "sender offered 60000 of 91000 pps; look at its processor and link" in record.searched.irregular


def test_a_trial_that_is_missing_between_others_is_told(tmp_path: Path) -> None:
    run = write_searched(tmp_path / "runs", searching())
    (run / "manifest").unlink()
    (run / "repeat-1/trial-2").rename(run / "repeat-1/trial-9")
    (error,) = records_of(run)
    assert isinstance(error, RecordError)
    assert "trials are missing between the others" in str(error)


def test_what_the_sender_had_no_time_to_send_is_lost() -> None:
    result = parse_result(at(100_000, most=90_000), "x")
    assert loss_of(result, 100_000, 1, alone=False) == pytest.approx(0.1, abs=1e-3)
    assert loss_of(result, 90_000, 1, alone=False) == pytest.approx(0, abs=1e-4)


def test_a_batch_that_is_under_way_is_not_lost() -> None:
    result = parse_result(at(90_000, most=89_900), "x")
    assert loss_of(result, 90_000, 1, alone=False) > 0.001
    assert loss_of(result, 90_000, 64, alone=False) < 1e-4


def test_what_the_path_drops_is_lost_at_any_load() -> None:
    text = at(50_000).replace("receiver:sink\trx_packets\t44001", "receiver:sink\trx_packets\t24001")
    assert loss_of(parse_result(text, "x"), 50_000, 64, alone=False) == pytest.approx(0.5, abs=1e-3)
