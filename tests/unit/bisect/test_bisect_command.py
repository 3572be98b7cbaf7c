"""`fwdlab bisect` against a lab of fakes: what it prints, what it leaves, and how it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.bisect.trees import Node, Tree, git, line, made
from tests.unit.run.example import FAKE_LAB
from tests.unit.run.fakelab import ROOT, FakeLab
from tests.unit.run.processes import until

MEND = "--- a/state\n+++ b/state\n@@ -1 +1 @@\n-{rate} broken\n+{rate} whole\n"


def history(count: int, culprit: int, broken: tuple[int, ...] = (), **faults: int) -> tuple[Node, ...]:
    """A line with one culprit; a fault is named with the place that has it."""
    nodes = line(count, {culprit: 0.98}, broken)
    words = {place: word for word, place in faults.items()}
    return tuple(replace(node, fault=words.get(place, "")) for place, node in enumerate(nodes))


def checked_out(lab: FakeLab, nodes: tuple[Node, ...]) -> Tree:
    tree = made(lab.folder / "tree", nodes)
    git(tree.folder, "reset", "--quiet", "--hard")
    return tree


def words(lab: FakeLab, tree: Tree, *more: str) -> list[str]:
    """The command line, without the program."""
    places = {
        "--source": tree.folder,
        "-m": lab.folder / "matrix.yaml",
        "--results": lab.results,
        "--public": lab.public,
    }
    options = [str(word) for option in places.items() for word in option]
    firewall = () if "--firewall" in more else ("--firewall", "forwarding")
    return ["bisect", tree.ids[0], tree.ids[-1], *options, "--runner-scripts", str(FAKE_LAB), *firewall, *more]


def bisect(lab: FakeLab, tree: Tree, *more: str) -> Result:
    return CliRunner(env=lab.variables).invoke(main, words(lab, tree, *more))


def started(lab: FakeLab, tree: Tree, seconds: str) -> subprocess.Popen[str]:
    """A search in a process of its own, whose trials last so long."""
    environment = {**os.environ, **lab.variables, "PYTHONPATH": str(ROOT), "FAKE_SECONDS": seconds}
    command = [sys.executable, "-m", "fwdlab", *words(lab, tree)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, cwd=lab.folder, stdout=pipe, stderr=pipe, text=True)


def measured(lab: FakeLab) -> set[Path]:
    """The whole repeats that are there."""
    return {path for runs in lab.results.glob("bisect/*/runs") for path in runs.glob("*/*/*/*/*/*/repeat-*[0-9]")}


def logged(lab: FakeLab) -> list[str]:
    """The commands of the one log."""
    (log,) = lab.results.glob("bisect/*/searches/*/log")
    return [entry for entry in log.read_text().splitlines() if not entry.startswith("#")]


def test_the_commit_is_named_and_its_page_shows_it_against_its_parent(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 5, broken=(3,)))
    done = bisect(lab, tree)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    at = lines.index(f"{tree.ids[5]} is the first commit with the change")
    assert lines[at + 1 : at + 3] == ["  net: change 5", "  author date 2023-11-14T22:18:20+00:00"]
    assert re.fullmatch(
        rf"  against its parent {tree.ids[4][:12]}: -1\.9\d+ % \+/- 0\.\d+ %, worse \(10 .*", lines[at + 3]
    )
    home = Path(next(entry for entry in lines if entry.startswith("site: ")).removeprefix("site: "))
    assert home.is_file()
    assert home.parent == lab.public
    assert "net: change 5" in (lab.public / "campaigns" / "bisect.html").read_text()
    assert list(lab.results.glob(f"bisect/*/runs/box/{tree.ids[5][:12]}/forwarding/none/udp4/*/profile"))
    assert f"git bisect good {tree.ids[4]}" in lines
    assert set(lab.counted("traffic").values()) == {1}


def test_called_again_it_measures_nothing_and_says_the_same(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 5))
    first = bisect(lab, tree).stdout
    calls = len(lab.calls)
    again = bisect(lab, tree).stdout
    assert len(lab.calls) == calls
    at = first.index(f"{tree.ids[5]} is the first")
    assert again.endswith(first[at:])


def test_a_commit_that_does_not_boot_is_skipped(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 7, panics=4))
    done = bisect(lab, tree)
    assert done.exit_code == 0, done.output
    assert "skip: box: the guest stopped with 'Kernel panic'; read console.log" in done.stdout
    assert f"git bisect skip {tree.ids[4]}" in logged(lab)
    assert f"{tree.ids[7]} is the first" in done.stdout


def test_a_lab_that_breaks_is_told_from_a_commit_that_does_not_boot(lab: FakeLab) -> None:
    """The disk is full, the emulator gone: no commit is to be skipped for that."""
    tree = checked_out(lab, history(9, 7, panics=4))
    bisect(lab, tree)
    log = logged(lab)
    (state,) = lab.results.glob("bisect/*/searches/*/log")
    text = state.read_text()
    state.write_text(text[: text.index("# skip")])
    broken = lab.folder / "broken"
    broken.touch()
    lab = FakeLab(folder=lab.folder, environment={"FAKE_BROKEN": str(broken)})
    done = bisect(lab, tree)
    assert done.exit_code == 3
    assert done.stderr.endswith("read console.log; neither end boots now\n")
    assert logged(lab) == log[:1]
    broken.unlink()
    assert bisect(lab, tree).exit_code == 0
    assert logged(lab) == log


def test_a_lab_that_boots_nothing_ends_the_search_before_it_begins(lab: FakeLab) -> None:
    broken = lab.folder / "broken"
    broken.touch()
    tree = checked_out(lab, history(4, 2))
    done = bisect(FakeLab(folder=lab.folder, environment={"FAKE_BROKEN": str(broken)}), tree)
    assert done.exit_code == 3
    assert not list(lab.results.glob("bisect/*/searches/*/log"))


def test_rules_that_no_commit_takes_are_their_authors_fault(lab: FakeLab) -> None:
    lab.write(firewalls=["refused"])
    tree = checked_out(lab, history(4, 2))
    done = bisect(lab, tree, "--firewall", "refused")
    assert done.exit_code == 2
    assert "nft refuses 'rules.nft'; mend the rule file; choose another commit, or mend it with --fixup" in done.stderr


def test_a_fix_up_makes_the_commits_of_its_range_measurable(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 5, broken=(4, 5, 6)))
    stuck = bisect(lab, tree)
    assert stuck.exit_code == 2
    assert stuck.stderr.endswith(
        f"{tree.folder}: only commits that do not build or boot are left; mend them with --fixup\n"
    )
    assert "  net: change 5" not in stuck.stdout.splitlines()
    for name, rate in (("good", "120000.000"), ("bad", "117600.000")):
        (lab.folder / f"{name}.patch").write_text(MEND.format(rate=rate))
    before = git(tree.folder, "for-each-ref"), git(tree.folder, "count-objects", "-v")
    fixups = (
        f"{lab.folder}/good.patch:{tree.ids[4]}..{tree.ids[5]}",
        f"{lab.folder}/bad.patch:{tree.ids[5]}..{tree.ids[7]}",
    )
    done = bisect(lab, tree, *(word for fixup in fixups for word in ("--fixup", fixup)))
    assert done.exit_code == 0, done.output
    assert f"{tree.ids[5]} is the first" in done.stdout
    assert (git(tree.folder, "for-each-ref"), git(tree.folder, "count-objects", "-v")) == before
    assert set(lab.counted("traffic").values()) == {1}, "commits outside of the range are those of the search before"


def test_a_fix_up_that_does_not_fit_skips_its_commits(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 5, broken=(4,)))
    (lab.folder / "mend.patch").write_text(MEND.format(rate="1.000"))
    done = bisect(lab, tree, "--fixup", f"{lab.folder}/mend.patch:{tree.ids[4]}..{tree.ids[5]}")
    assert "skip: a fix-up does not fit (error: patch failed: state:1); mend the patch" in done.stdout


def test_ends_that_do_not_differ_are_an_answer(lab: FakeLab) -> None:
    done = bisect(lab, checked_out(lab, line(6, {})))
    assert done.exit_code == 0
    assert re.search(
        r"the ends do not differ by 0.2 %: [+-]0.000 % \+/- 0.\d+ %, same \(5 repeats resolve 0.02", done.stdout
    )
    assert len(measured(lab)) == 10


def noisy(folder: Path) -> Path:
    """The scripts of the lab of fakes, but that repeats after the fifth scatter."""
    shutil.copytree(FAKE_LAB, folder)
    script = folder / "traffic.sh"
    text = script.read_text()
    before = '[ "$(value firewall.name)" != stateful ]'
    assert text.count(before) == 1
    scatter = '[ "$repeat" -le 5 ] || elapsed=$((elapsed + repeat % 3 * 9000))\n'
    script.write_text(text.replace(before, scatter + before))
    return folder


def test_what_its_repeats_do_not_prove_is_said_to_be_unverified(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 5))
    done = bisect(lab, tree, "--runner-scripts", str(noisy(lab.folder / "scripts")))
    assert done.exit_code == 4, done.output
    assert f"{tree.ids[5]} is the first commit with the change" in done.stdout
    assert "  not verified: these repeats do not show the change against its parents; more --repeats may" in done.stdout
    assert done.stderr.splitlines()[-1] == (
        f"{tree.ids[5][:12]}: is not verified against its parents; measure with more --repeats"
    )


def test_stopped_it_goes_on_where_it_was(lab: FakeLab) -> None:
    tree = checked_out(lab, history(9, 5))
    process = started(lab, tree, seconds="0.3")
    until(lambda: len(lab.counted("traffic")) > 12 and lab.sleepers(), 60, "a commit between the ends is measured")
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said.endswith("stopped; what is measured is kept, and the same command goes on from there\n")
    whole = measured(lab)
    tried = lab.counted("traffic")
    done = bisect(lab, tree)
    assert done.exit_code == 0, done.output
    assert f"{tree.ids[5]} is the first" in done.stdout
    assert whole < measured(lab)
    again = lab.counted("traffic") - tried
    assert set(again.values()) == {1}
    assert len(again) == len(measured(lab) - whole)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ("--firewall", "statefull"),
            "--firewall: 'statefull' is none that can be used here; did you mean 'stateful'?",
        ),
        (("--hardware", "bx"), "--hardware: 'bx' is none that can be used here; did you mean 'box'?"),
        (("--traffic", "tcp"), "--traffic: 'tcp' is none that can be used here; known are 'udp4'"),
        (("--fixup", "x.patch"), "--fixup: 'x.patch' has no range"),
    ],
)
def test_what_is_wrong_with_the_command_line_is_said_before_anything_is_measured(
    lab: FakeLab, more: tuple[str, ...], said: str
) -> None:
    done = bisect(lab, checked_out(lab, line(3, {})), *more)
    assert done.exit_code == 2
    assert said in done.stderr
    assert lab.calls == []


def test_local_changes_and_equal_ends_are_refused(lab: FakeLab) -> None:
    tree = checked_out(lab, line(3, {}))
    same = bisect(lab, replace(tree, ids=(tree.ids[0],) * 2))
    assert same.exit_code == 2
    assert f"both ends are {tree.ids[0][:12]}; name two commits" in same.stderr
    (tree.folder / "state").write_text("mine")
    done = bisect(lab, tree)
    assert done.exit_code == 2
    assert done.stderr == f"{tree.folder}: local changes in 'state'; commit them or put them aside\n"
    assert lab.calls == []
