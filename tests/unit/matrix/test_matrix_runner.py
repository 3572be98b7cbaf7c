"""Which GitLab runner takes a machine's jobs: said in the matrix, and no part of any case."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.case import Lab
from fwdlab.matrix.expand import as_written, expand
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix, Runner
from tests.unit.matrix.example import Bench, bent

ROOT = Path(__file__).parents[3]
BOX = "title: A box, "


def keys(matrix: Matrix) -> list[str]:
    return [case.key for case in expand(matrix, as_written(matrix), {Lab.QEMU: "5c"})]


def test_a_machine_waits_for_a_runner_of_its_name(bench: Bench) -> None:
    box, arm = bench.load().machines
    assert (box.runner, arm.runner) == (Runner(tags=("box",), places=1), Runner(tags=("arm",), places=1))


def test_tags_and_places_are_as_written_and_no_case_changes(bench: Bench) -> None:
    before = keys(bench.load())
    matrix = bench.load(bent(BOX, f"{BOX}runner: {{tags: [no, 15.10, site:lab/2], places: 4}}, "))
    assert matrix.machines[0].runner == Runner(tags=("no", "15.10", "site:lab/2"), places=4)
    assert keys(matrix) == before


@pytest.mark.parametrize(
    ("runner", "said"),
    [
        ("{}", "'runner' of hardware 'box' is empty; write '{tags: [fwdlab-virtual], places: 2}'"),
        ("{tags: fwdlab}", "'tags' of hardware 'box' is 'fwdlab'; write a list of at most ten different tags"),
        ("{tags: []}", "'tags' of hardware 'box' is empty; write a list of at most ten different tags"),
        ("{tags: [a, a]}", "'a' stands twice in 'tags' of hardware 'box'; keep one of them"),
        ("{tags: [$HOME]}", "an entry of 'tags' of hardware 'box' is '$HOME'; write 1 to 64 letters"),
        ("{tags: ['a\"b']}", "an entry of 'tags' of hardware 'box' is 'a\"b'; write 1 to 64 letters"),
        ("{places: 0}", "'places' of hardware 'box' is '0'; write a whole number from 1 to 64"),
        ("{tag: [a]}", "unknown key 'tag' in 'runner' of hardware 'box'; did you mean 'tags'?"),
    ],
)
def test_what_no_runner_could_be_is_refused(bench: Bench, runner: str, said: str) -> None:
    told = bench.faults(bent(BOX, f"{BOX}runner: {runner}, "))
    assert any(said in line for line in told), told


def test_a_machine_that_is_no_virtual_one_has_one_place() -> None:
    assert {machine.runner.places for machine in load_matrix(ROOT / "examples/netns.yaml").machines} == {1}


def test_two_jobs_at_once_on_one_processor_are_refused(tmp_path: Path) -> None:
    text = (ROOT / "examples/netns.yaml").read_text()
    assert "    processor: 1 " in text
    for name in ("nft-stateless", "nft-stateful"):
        (tmp_path / "firewalls").mkdir(exist_ok=True)
        (tmp_path / f"firewalls/{name}.nft").write_text("")
    faults = Bench(folder=tmp_path).faults(
        text.replace("    processor: 1 ", "    runner: {places: 2}\n    processor: 1 ")
    )
    assert any("unknown key 'places' in 'runner' of hardware 'this-host'" in line for line in faults), faults
