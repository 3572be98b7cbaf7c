"""A git tree as it is read: what is refused, and what a fix-up is put on."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.bisect.fixup import mending, parse_fixup
from fwdlab.bisect.history import History
from fwdlab.bisect.log import skipped_text
from fwdlab.errors import MatrixError
from tests.unit.bisect.trees import git, line, made


def checked_out(folder: Path) -> History:
    """A tree of six commits with its files."""
    tree = made(folder, line(6, {}))
    git(tree.folder, "reset", "--quiet", "--hard")
    return History(tree=tree.folder, first_parent=False)


def test_local_changes_are_refused_by_name_and_other_files_are_not(tmp_path: Path) -> None:
    history = checked_out(tmp_path / "tree")
    (history.tree / "untracked").write_text("")
    history.refuse_changed()
    (history.tree / "state").write_text("changed")
    with pytest.raises(MatrixError, match=r"tree: local changes in 'state'; commit them"):
        history.refuse_changed()


def test_a_staged_file_with_an_evil_name_is_quoted(tmp_path: Path) -> None:
    history = checked_out(tmp_path / "tree")
    (history.tree / "a\x1b[31mb\nc").write_text("")
    git(history.tree, "add", "-A")
    with pytest.raises(MatrixError) as refused:
        history.refuse_changed()
    assert "local changes in 'a\\x1b[31mb\\nc'; " in str(refused.value)


def test_a_bare_repository_has_no_local_changes(tmp_path: Path) -> None:
    history = checked_out(tmp_path / "tree")
    git(tmp_path, "clone", "--quiet", "--bare", str(history.tree), "bare")
    bare = History(tree=tmp_path / "bare", first_parent=False)
    bare.refuse_changed()
    assert bare.commit("main") == history.commit("main")


@pytest.mark.parametrize("revision", ["nowhere", "--all", "", "main..main~2", "main:state", "-n1"])
def test_what_names_no_commit_is_refused(revision: str, tmp_path: Path) -> None:
    history = checked_out(tmp_path / "tree")
    with pytest.raises(MatrixError, match="is no commit of it"):
        history.commit(revision)


@pytest.mark.parametrize("kind", ["missing", "plain"])
def test_a_folder_that_is_no_git_tree_is_refused(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / kind
    if kind == "plain":
        folder.mkdir()
    history = History(tree=folder, first_parent=False)
    with pytest.raises(MatrixError, match=rf"{kind}: .*git tree"):
        history.refuse_changed()


def test_variables_of_a_git_that_called_us_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook or `git bisect run` has them set, to its own repository."""
    history = checked_out(tmp_path / "tree")
    other = made(tmp_path / "other", line(2, {}))
    before = history.commit("main")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    assert history.commit("main") == before


def test_a_subject_is_safe_to_print_and_to_log(tmp_path: Path) -> None:
    history = checked_out(tmp_path / "tree")
    git(
        history.tree, "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", "red \x1b[31m\rgit bisect bad x"
    )
    commit = history.commit("main")
    assert commit.subject == "red ?[31m?git bisect bad x"
    entry = skipped_text(commit, "make: error\ngit bisect bad y\x1b[31m")
    assert [text[0] for text in entry.splitlines()] == ["#", "#", "g"]
    assert "\x1b" not in entry


def test_a_fix_up_goes_on_what_contains_its_first_commit_and_not_its_last(tmp_path: Path) -> None:
    tree = made(tmp_path / "tree", line(6, {}))
    history = History(tree=tree.folder, first_parent=False)
    patch, other = tmp_path / "a:b.patch", tmp_path / "other.patch"
    patch.write_bytes(b"--- a\n+++ b")
    other.write_bytes(b"--- c\n+++ d\n")
    fixups = [
        parse_fixup(f"{patch}:{tree.ids[1]}..{tree.ids[4]}", history),
        parse_fixup(f"{other}:{tree.ids[3]}..", history),
    ]
    mended = [mending(history.at(commit), fixups, history) for commit in tree.ids]
    one, two = b"--- a\n+++ b\n", b"--- c\n+++ d\n"
    assert mended == [b"", one, one, one + two, two, two]
    everywhere = parse_fixup(f"{patch}:..", history)
    assert mending(history.at(tree.ids[0]), [everywhere], history) == one


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mend.patch", "--fixup: 'mend.patch' has no range; write it like"),
        ("mend.patch:main", "--fixup: 'mend.patch:main' has no range"),
        ("nowhere.patch:a..b", "nowhere.patch: cannot be read (No such file or directory)"),
        ("empty.patch:..", "empty.patch: is empty"),
        ("mend.patch:nowhere..main", "'nowhere' is no commit of it"),
    ],
)
def test_a_fix_up_that_is_none_is_refused(
    word: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = checked_out(tmp_path / "tree")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.patch").write_text("\n")
    (tmp_path / "mend.patch").write_text("--- a\n+++ b\n")
    with pytest.raises(MatrixError) as refused:
        parse_fixup(word, history)
    assert said in str(refused.value)
