"""`fwdlab look`: after a round, which cases go on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.run.fakelab import MATRIX, FakeLab

BY_NEED = MATRIX.replace("baseline: old}", "baseline: old, repeats: {min: 3, max: 9, until: 50%}}")


@pytest.fixture
def lab(tmp_path: Path) -> FakeLab:
    return FakeLab(folder=tmp_path)


def measured(lab: FakeLab) -> None:
    """Three rounds of every case, as they are before anything is collected."""
    assert lab.write(BY_NEED).run("--jobs", "2").exit_code == 0
    for left in (lab.results / "runs").rglob("manifest"):
        left.unlink()
    for left in (lab.results / "runs").rglob("profile"):
        shutil.rmtree(left)
    shutil.rmtree(lab.results / "records")


def look(lab: FakeLab, *words: str) -> Result:
    places = {"--campaigns": lab.results / "campaigns.json", "--results": lab.results, "--out": lab.folder / "look"}
    options = [str(word) for option in places.items() for word in option]
    return CliRunner().invoke(main, ["look", "--after", "3", *options, *words])


def written(lab: FakeLab) -> dict[str, int]:
    """The rounds each case is to have, by its folder."""
    rows = (line.split("\t") for line in (lab.folder / "look").read_text().splitlines())
    return {run: int(repeats) for run, repeats in rows}


def test_what_is_settled_needs_no_further_round(lab: FakeLab) -> None:
    measured(lab)
    done = look(lab)
    assert done.exit_code == 0, done.output
    assert done.stdout == "0 of 4 cases are unproven after 3 rounds, and are measured further\n"
    runs = lab.results / "runs"
    assert written(lab) == {str(path.parent.relative_to(runs)): 3 for path in runs.rglob("case")}


def spread(lab: FakeLab) -> None:
    """Rates of one case that lie anywhere: nothing it is compared with is proven."""
    for repeat, elapsed in ((1, 10), (2, 35000), (3, 90000)):
        for path in (lab.results / "runs/box/new/forwarding").rglob(f"repeat-{repeat}/result"):
            text = path.read_text()
            path.write_text(re.sub(r"(measured\t4000\t0\t)\d+", rf"\g<1>{40000 + elapsed}", text))


def test_what_is_unproven_goes_on_to_the_next_look_with_its_baseline(lab: FakeLab) -> None:
    measured(lab)
    spread(lab)
    done = look(lab)
    assert done.stdout == "2 of 4 cases are unproven after 3 rounds, and are measured further\n"
    assert sorted(written(lab).values()) == [3, 3, 5, 5]
    assert {run.split("/")[2] for run, repeats in written(lab).items() if repeats == 5} == {"forwarding"}


def test_what_an_earlier_look_settled_is_not_taken_up_again(lab: FakeLab) -> None:
    """Its fourth and fifth rounds went by without it, and later ones would leave a gap."""
    measured(lab)
    spread(lab)
    looks = lab.folder / "looks"
    looks.mkdir()
    folders = sorted(str(path.parent.relative_to(lab.results / "runs")) for path in lab.results.rglob("case"))
    (looks / "3").write_text("".join(f"{folder}\t3\n" for folder in folders))
    done = look(lab, "--after", "5", "--out", str(looks / "5"))
    assert done.stdout == "0 of 4 cases are unproven after 5 rounds, and are measured further\n"
    assert sorted((looks / "5").read_text().splitlines()) == [f"{folder}\t3" for folder in folders]


def test_a_look_leaves_the_cases_of_other_campaigns_what_an_earlier_one_gave_them(lab: FakeLab) -> None:
    measured(lab)
    looks = lab.folder / "looks"
    looks.mkdir()
    (looks / "2").write_text("box/odd/pf/none/udp4/0123\t9\n")
    done = look(lab, "--out", str(looks / "3"))
    assert done.exit_code == 0, done.output
    assert "box/odd/pf/none/udp4/0123\t9" in (looks / "3").read_text().splitlines()


def test_a_look_between_those_of_a_campaign_judges_nothing(lab: FakeLab) -> None:
    measured(lab)
    spread(lab)
    assert look(lab, "--after", "4").stdout == "0 of 0 cases are unproven after 4 rounds, and are measured further\n"


def test_an_earlier_look_that_cannot_be_read_is_told(lab: FakeLab) -> None:
    measured(lab)
    (lab.folder / "2").write_text("half a li")
    done = look(lab)
    assert done.exit_code == 4
    assert done.stderr.endswith(
        "2: cannot be read (not enough values to unpack (expected 2, got 1)); run the job again that was to look\n"
    )


def test_without_the_campaigns_there_is_nothing_to_look_at(lab: FakeLab) -> None:
    done = look(lab)
    assert done.exit_code == 4
    assert done.stderr.startswith(f"{lab.results}/campaigns.json: cannot be read")
    assert not (lab.folder / "look").exists()
