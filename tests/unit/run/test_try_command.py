"""`fwdlab try` against a lab of fakes: what it says of a patch, how it ends, and what it leaves."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.bisect.trees import git, line, made
from tests.unit.run.example import FAKE_LAB
from tests.unit.run.fakelab import MATRIX, ROOT, FakeLab
from tests.unit.run.processes import until

SOURCES = """\
  src: {title: Source, os: linux, source: linux-source-6.12, version: latest}
  later: {title: Later, os: linux, source: linux-source-6.13, version: latest}
firewalls:
"""
TEXT = MATRIX.replace("firewalls:\n", SOURCES)
ODD = 'it\'s, a "$HOME" `x` <b> \\n ü.patch'


@pytest.fixture
def lab(lab: FakeLab) -> FakeLab:
    """A lab of fakes whose matrix has two revisions that are built."""
    return lab.write(TEXT)


def patch(lab: FakeLab, word: str, name: str = "a.patch") -> Path:
    """A patch that comes out as the word says."""
    path = lab.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{word}\n")
    return path


def words(lab: FakeLab, path: Path, *more: str) -> list[str]:
    """The command line, without the program."""
    places = {"-m": lab.folder / "matrix.yaml", "--results": lab.results, "--public": lab.public}
    options = [str(word) for option in places.items() for word in option]
    return ["try", str(path), *options, "--runner-scripts", str(FAKE_LAB), *more]


def tried(lab: FakeLab, path: Path, *more: str) -> Result:
    return CliRunner(env=lab.variables).invoke(main, words(lab, path, *more))


@pytest.mark.parametrize(
    ("word", "status", "verdict"), [("costs", 1, "worse"), ("wins", 0, "better"), ("idle", 0, "same")]
)
def test_what_a_patch_does_is_the_verdict_and_the_exit_status(
    lab: FakeLab, word: str, status: int, verdict: str
) -> None:
    done = tried(lab, patch(lab, word))
    assert done.exit_code == status, done.output
    assert "What a changes (virtual kpps, baseline none)" in done.stdout
    assert re.search(rf"^.* a .*  {verdict}\b", done.stdout, re.MULTILINE)
    assert f"site: {lab.public}/index.html" in done.stdout
    page = (lab.public / "campaigns/try.html").read_text()
    assert "What does a.patch cost or win on Source?" in page


def test_both_kernels_are_measured_in_turns(lab: FakeLab) -> None:
    tried(lab, patch(lab, "costs"), "--jobs", "1")
    order = [call.split()[1:] for call in lab.calls if call.startswith("traffic")]
    assert len(order) == 10
    for number in range(5):
        pair = order[2 * number : 2 * number + 2]
        assert sorted(pair) == [[f"box/src/forwarding/{name}/udp4", str(number + 1)] for name in ("a", "none")]


def test_a_patch_that_is_worse_behind_one_firewall_is_worse(lab: FakeLab) -> None:
    done = tried(lab, patch(lab, "costs"), "--firewall", "stateful", "--firewall", "forwarding", "--threshold", "1.9%")
    assert done.exit_code == 1
    assert {slug.split("/")[2] for slug in lab.counted("prepare")} == {"forwarding", "stateful"}


def test_a_threshold_says_what_is_small(lab: FakeLab) -> None:
    done = tried(lab, patch(lab, "costs"), "--threshold", "3%")
    assert (done.exit_code, "same" in done.stdout) == (0, True)


def test_a_firewall_that_is_named_twice_is_measured_once(lab: FakeLab) -> None:
    assert tried(lab, patch(lab, "wins"), "--firewall", "stateful", "--firewall", "stateful").exit_code == 0
    assert set(lab.counted("traffic").values()) == {1}


@pytest.mark.parametrize(("options", "repeats"), [((), 5), (("--quick",), 3), (("--repeats", "7"), 7)])
def test_repeats_are_as_asked(lab: FakeLab, options: tuple[str, ...], repeats: int) -> None:
    assert tried(lab, patch(lab, "wins"), *options).exit_code == 0
    assert len(lab.counted("traffic")) == 2 * repeats


def test_the_unpatched_kernel_is_measured_once_for_all_patches(lab: FakeLab) -> None:
    tried(lab, patch(lab, "costs"))
    before = lab.evidence()
    assert tried(lab, patch(lab, "wins", "b.patch")).exit_code == 0
    assert len(lab.counted("traffic")) == 15
    assert lab.evidence().items() >= before.items()
    assert "What does b.patch cost" in (lab.public / "campaigns/try.html").read_text()


def test_the_same_patch_again_measures_nothing_and_says_the_same(lab: FakeLab) -> None:
    first = tried(lab, patch(lab, "costs"))
    calls = lab.calls
    again = tried(lab, patch(lab, "costs"))
    assert (again.exit_code, lab.calls) == (1, calls)
    assert again.stdout.partition("spent:")[0] == first.stdout.partition("spent:")[0]


def test_a_patch_that_changed_is_another(lab: FakeLab) -> None:
    tried(lab, patch(lab, "costs"))
    assert tried(lab, patch(lab, "wins")).exit_code == 0
    assert len(lab.counted("traffic")) == 10, "by name and repeat"
    assert sum(lab.counted("traffic").values()) == 15


@pytest.mark.parametrize(
    ("word", "status", "said"),
    [
        ("unfit", 2, "prepare: a.patch: hunk 2 of net/a.c (line 7) does not fit src; read x.log, and write it anew"),
        ("panics", 2, "repeat 1: box: the guest stopped with 'Kernel panic'; read console.log"),
        ("homeless", 3, "prepare: box: 'gcc' is missing; install the Debian package 'gcc'"),
    ],
)
def test_a_patch_without_a_verdict_says_why_last_and_the_other_kernel_is_kept(
    lab: FakeLab, word: str, status: int, said: str
) -> None:
    done = tried(lab, patch(lab, word))
    assert done.exit_code == status, done.output
    last = re.sub("repeat [1-9]", "repeat 1", done.stderr.splitlines()[-1])  # two are made side by side
    assert last == f"box/src/forwarding/a/udp4: {said}"
    assert len([name for name in lab.measured if "/none/" in name]) == 5
    assert not [name for name in lab.measured if "/a/" in name]
    assert tried(lab, patch(lab, "wins")).exit_code == 0
    assert sum(count for name, count in lab.counted("traffic").items() if "/none/" in name) == 5


def test_a_patch_that_applies_with_an_offset_is_measured_and_told(lab: FakeLab) -> None:
    done = tried(lab, patch(lab, "offset"))
    assert done.exit_code == 0
    said = "a.patch: applies to src with offsets (hunk 1 of net/a.c by 3 lines); see x.log"
    assert f"prepare box/src/forwarding/a/udp4: {said}" in done.stderr.splitlines()


def test_of_a_broken_lab_and_a_wrong_patch_the_author_hears_first(lab: FakeLab) -> None:
    lab.write(TEXT, firewalls=["broken"])
    done = tried(lab, patch(lab, "panics"), "--firewall", "broken", "--firewall", "forwarding")
    assert done.exit_code == 2
    assert "box/src/broken/none/udp4: repeat 1: box: the guest stopped with 'Kernel panic'" in done.stderr


def test_no_verdict_is_no_success(lab: FakeLab) -> None:
    lab.write(TEXT, firewalls=["cut"])
    done = tried(lab, patch(lab, "costs"), "--firewall", "cut")
    assert done.exit_code == 4, done.output


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("none.patch", "patch"),
        ("0001-net-look-twice.patch", "0001-net-look-twice"),
        ("-x.patch", "x"),
        ("...", "patch"),
        (f"{'long' * 30}.patch", "long" * 10),
        ("sub/dir.d/b.diff", "b"),
        (ODD, "it-s-a-HOME-x-b-n"),
    ],
)
def test_a_patch_may_have_any_name(lab: FakeLab, name: str, called: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = patch(lab, "wins", name)
    monkeypatch.chdir(path.parent)
    done = tried(lab, path)
    assert done.exit_code == 0, done.output
    assert {slug.split("/")[3] for slug in lab.counted("prepare")} == {called, "none"}
    pages = "".join(page.read_text() for page in lab.public.rglob("*.html"))
    assert "<b> " not in pages


def test_a_patch_may_lie_outside_the_folder_of_the_matrix(
    lab: FakeLab, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("elsewhere") / "a.patch"
    path.write_text("costs\n")
    assert tried(lab, path).exit_code == 1


def test_a_patch_is_found_from_where_we_stand(lab: FakeLab, monkeypatch: pytest.MonkeyPatch) -> None:
    patch(lab, "costs", "sub/a.patch")
    monkeypatch.chdir(lab.folder / "sub")
    assert tried(lab, Path("a.patch")).exit_code == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.patch", "cannot be read (No such file or directory); name a unified diff, as git writes it"),
        ("", "cannot be read (Is a directory); name a unified diff, as git writes it"),
    ],
)
def test_a_patch_that_cannot_be_read_is_told_before_anything_is_built(lab: FakeLab, name: str, said: str) -> None:
    done = tried(lab, lab.folder / name)
    assert (done.exit_code, lab.calls) == (2, [])
    assert done.stderr == f"{lab.folder / name}: {said}\n"


def test_a_name_that_no_case_file_holds_is_refused(lab: FakeLab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(patch(lab, "costs", "two\nlines.patch").parent)
    done = tried(lab, Path("two\nlines.patch"))
    assert (done.exit_code, lab.calls) == (2, [])
    assert done.stderr == "'two\\nlines.patch': has characters that no case file can hold; rename it\n"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--base", "old"), "--base: 'old' is none that can be used here; known are 'src', 'later'"),
        (("--base", "sec"), "--base: 'sec' is none that can be used here; did you mean 'src'?"),
        (("--firewall", "statful"), "--firewall: 'statful' is none that can be used here; did you mean 'stateful'?"),
        (("--hardware", "bix"), "--hardware: 'bix' is none that can be used here; did you mean 'box'?"),
        (("--traffic", "udp6"), "--traffic: 'udp6' is none that can be used here; did you mean 'udp4'?"),
        (("--threshold", "2"), "'2'"),
        (("--repeats", "2"), "2 is not in the range x>=3"),
        (("-m", "gone.yaml"), "gone.yaml: does not exist; write one, or name another with --matrix"),
    ],
)
def test_what_the_command_line_gets_wrong_is_told_with_what_there_is(
    lab: FakeLab, option: tuple[str, ...], said: str
) -> None:
    done = tried(lab, patch(lab, "costs"), *option)
    assert (done.exit_code, lab.calls) == (2, [])
    assert said in done.stderr


def test_a_matrix_in_which_nothing_is_built_is_told(lab: FakeLab) -> None:
    lab.write(MATRIX)
    done = tried(lab, patch(lab, "costs"))
    assert (done.exit_code, done.stderr) == (
        2,
        "--base: the matrix has none to take; name a matrix that has with --matrix\n",
    )


def test_another_revision_is_patched_by_its_name(lab: FakeLab) -> None:
    assert tried(lab, patch(lab, "costs"), "--base", "later").exit_code == 1
    assert {slug.split("/")[1] for slug in lab.counted("prepare")} == {"later"}


def test_what_the_matrix_excludes_may_be_tried(lab: FakeLab) -> None:
    lab.write(TEXT.replace("campaigns:\n", "exclude: [{revision: src, firewall: stateful}]\ncampaigns:\n"))
    assert tried(lab, patch(lab, "costs"), "--firewall", "stateful").exit_code == 1


# A git tree instead of a revision.


def tree(lab: FakeLab, name: str = "tree") -> Path:
    found = made(lab.folder / name, line(3, {}))
    git(found.folder, "reset", "--quiet", "--hard")
    return found.folder


@pytest.mark.parametrize("name", ["tree", "a 'tree', of $HOME"])
@pytest.mark.parametrize("base", [(), ("--base", "main~1"), ("--base", "HEAD^{/change 1}")])
def test_a_git_tree_is_patched_at_any_commit(lab: FakeLab, name: str, base: tuple[str, ...]) -> None:
    made_there = tree(lab, name)
    done = tried(lab, patch(lab, "costs"), "--source", str(made_there), *base)
    assert done.exit_code == 1, done.output
    commit = git(made_there, "rev-parse", base[1] if base else "HEAD").strip()
    files = [path.read_text() for path in (lab.results / "cases").rglob("*.case")]
    assert len(files) == 2
    assert all(f"revision.version\t{commit}\n" in text for text in files)


def test_a_git_tree_that_cannot_be_taken_is_told_without_a_line_of_the_matrix(lab: FakeLab) -> None:
    made_there = tree(lab)
    (made_there / "state").write_text("edited\n")
    done = tried(lab, patch(lab, "costs"), "--source", str(made_there))
    assert (done.exit_code, done.stderr) == (
        2,
        "tree: has local changes (state), and only what is committed is measured; commit or stash them\n",
    )
    git(made_there, "reset", "--quiet", "--hard")
    done = tried(lab, patch(lab, "costs"), "--source", str(made_there), "--base", "v9")
    assert (done.exit_code, done.stderr) == (
        2,
        "tree: has no branch, tag or commit 'v9'; mend 'version' of the revision\n",
    )
    done = tried(lab, patch(lab, "costs"), "--source", str(lab.folder / "nowhere"))
    assert (done.exit_code, done.stderr.partition(" (")[0]) == (2, "nowhere: is no git repository that can be read")
    assert lab.calls == []


@pytest.mark.parametrize("source", ["https://x/\ty", "https://x/\ny", "tr\nee"])
def test_a_git_tree_that_no_case_file_holds_is_refused(lab: FakeLab, source: str) -> None:
    done = tried(lab, patch(lab, "costs"), "--source", source)
    assert (done.exit_code, lab.calls) == (2, [])
    assert "': has characters that no case file can hold; rename it" in done.stderr


@pytest.mark.parametrize("base", ["--output=hurt", "-h"])
def test_a_commit_whose_name_looks_like_an_option_is_none(lab: FakeLab, base: str) -> None:
    done = tried(lab, patch(lab, "costs"), "--source", str(tree(lab)), f"--base={base}")
    assert (done.exit_code, f"tree: has no branch, tag or commit '{base}'" in done.stderr) == (2, True)


# Stopped and called again.


def started(lab: FakeLab, path: Path, seconds: str) -> subprocess.Popen[str]:
    """A try in a process of its own, whose trials last so long."""
    environment = {**os.environ, **lab.variables, "PYTHONPATH": str(ROOT), "FAKE_SECONDS": seconds}
    command = [sys.executable, "-m", "fwdlab", *words(lab, path, "--jobs", "2")]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, cwd=lab.folder, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_try_that_is_stopped_goes_on_where_it_was(lab: FakeLab, sent: int) -> None:
    path = patch(lab, "costs")
    process = started(lab, path, "0.4")
    until(lambda: len(lab.measured) >= 2 and len(lab.sleepers()) == 2, 30, "trials are under way")
    process.send_signal(sent)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert said.endswith("stopped; what is measured is kept, and the same command goes on from there\n")
    before, calls = lab.evidence(), len(lab.counted("traffic"))
    assert tried(lab, path).exit_code == 1
    assert lab.evidence().items() >= before.items()
    assert len(lab.measured) == 10
    assert sum(lab.counted("traffic").values()) <= 10 + 2, calls


def test_two_tries_at_once_do_not_mix(lab: FakeLab) -> None:
    process = started(lab, patch(lab, "costs"), "60")
    until(lab.sleepers, 20, "a trial begins")
    done = tried(lab, patch(lab, "wins", "b.patch"))
    assert (done.exit_code, done.stderr) == (
        3,
        f"{lab.results}: another run (process {process.pid}) is at work there; wait for it, or choose --results\n",
    )
    process.kill()
    process.communicate()
