"""`fwdlab bench fold` on one small call graph, beside a stand-in for FlameGraph's script."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.bench import fold
from fwdlab.cli import main

GRAPH = """\
@ clocks [5 samples]

60.00%  [3]         ip_input @ /boot/kernel/kernel
 100.0%  [3]         fork_exit

40.00%  [2]         ip_input @ /boot/kernel/if_ix.ko
 100.0%  [2]         fork_exit

"""


@pytest.fixture(autouse=True)
def _few_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fold, "_DRAWN", 50_000)


def bench(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", "fold", "--rounds", "1", *words])


def beside(folder: Path, printed: str) -> Result:
    """The benchmark of one graph beside a script that prints that much, whatever it is given."""
    (folder / "a.graph").write_text(GRAPH)
    (folder / "stackcollapse-pmc.pl").write_text(f"print '{printed}';")
    return bench(str(folder), "--perl", str(folder))


def test_made_up_graphs_have_the_size_of_real_ones() -> None:
    found = bench()
    assert found.exit_code in {0, 1}, found.stderr  # 1 is a busy host: drawing took longer than promised
    size = float(found.stdout.partition(" call graphs, ")[2].partition(" MB")[0])
    assert 1.5 < size < 3
    assert "flame graph of 0.05 MB of folded stacks" in found.stdout


def test_made_up_graphs_are_the_same_every_time(tmp_path: Path) -> None:
    texts = [[graph.read_text() for graph in fold._made_up(tmp_path)] for _ in range(2)]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 6


def test_stacks_that_the_script_folds_otherwise_are_a_failure(tmp_path: Path) -> None:
    found = beside(tmp_path, "fork_exit;ip_input 4\n")
    assert found.exit_code == 1
    assert "graphs with other stacks: a.graph\n" in found.stdout


def test_equal_stacks_may_stand_in_several_lines(tmp_path: Path) -> None:
    found = beside(tmp_path, "fork_exit;ip_input 3\nfork_exit;ip_input 2\n")
    assert "graphs with other stacks: none\n" in found.stdout
    assert "times as fast as perl with its start" in found.stdout


def test_a_folder_without_graphs_is_refused(tmp_path: Path) -> None:
    found = bench(str(tmp_path))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "holds no '*.graph'" in found.stderr


def test_a_script_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.graph").write_text(GRAPH)
    found = bench(str(tmp_path), "--perl", str(tmp_path))
    assert found.exit_code == 4
    assert "stackcollapse-pmc.pl" in found.stderr
    assert "ended with status 2; call it by hand" in found.stderr
