"""A store in a branch: nobody's work tree is touched, nobody's commit is lost, and every refusal is a sentence."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from fwdlab.errors import FwdlabError, LabError, MatrixError, RecordError
from fwdlab.store.branch import BranchStore
from fwdlab.store.entry import Entry, Kind, entry_of
from fwdlab.store.place import store_at
from fwdlab.store.verify import verified
from tests.unit.store import example

HERE, THERE = "git:history", "git:history@origin"

pytestmark = pytest.mark.usefixtures("clone")


def at(word: str, deadline_s: float = 20) -> BranchStore:
    store = store_at(word, deadline_s)
    assert isinstance(store, BranchStore)
    return store


def raw(text: str) -> Entry:
    return entry_of(Kind.RAW, text)


def hook(repository: Path, name: str, script: str) -> Path:
    path = repository / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def spooled(store: BranchStore) -> list[str]:
    return store.spool.waiting()


@pytest.mark.parametrize("word", [HERE, THERE])
def test_every_addition_is_one_commit_on_top_of_the_last(clone: Path, remote: Path, word: str) -> None:
    for text in "abc":
        at(word).add([raw(text), raw(f"{text}{text}")])
    where = clone if word == HERE else remote
    log = example.git(where, "log", "--format=%s%n%b", "history").split("\n")
    assert [line for line in log if line] == ["store: 2 added", "[skip ci]"] * 3
    assert example.git(where, "log", "--merges", "--format=%H", "history") == ""
    assert spooled(at(word)) == []


@pytest.mark.parametrize("word", [HERE, THERE])
def test_neither_work_tree_nor_index_nor_branches_are_touched(clone: Path, word: str) -> None:
    (clone / "draft").write_text("mine")
    example.git(clone, "add", "draft")
    (clone / "draft").write_text("mine, later")
    before = example.git(clone, "status", "--porcelain=v2", "--branch"), example.git(clone, "stash", "list")
    at(word).add([raw("x")])
    assert (example.git(clone, "status", "--porcelain=v2", "--branch"), example.git(clone, "stash", "list")) == before
    assert (clone / "draft").read_text() == "mine, later"
    refs = example.git(clone, "for-each-ref", "--format=%(refname)").split()
    assert "refs/heads/main" in refs
    assert not [ref for ref in refs if ref.startswith("refs/fwdlab/new-")]


def test_a_detached_head_and_a_folder_below_are_as_good(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example.git(clone, "checkout", "--quiet", "--detach")
    (clone / "below").mkdir()
    monkeypatch.chdir(clone / "below")
    at(THERE).add([raw("x")])
    assert at(THERE).opened().names("") == [raw("x").path]


def test_two_clones_that_diverged_lose_nothing(tmp_path: Path, clone: Path, remote: Path, chdir: Chdir) -> None:
    other = example.repository(tmp_path / "other", remote)
    at(THERE).add([raw("first")])
    chdir(other)
    at(THERE).add([raw("second")])
    chdir(clone)
    at(THERE).add([raw("third")])
    assert at(THERE).opened().names("") == sorted(raw(text).path for text in ("first", "second", "third"))


def test_who_comes_second_puts_his_entries_on_top(clone: Path, remote: Path) -> None:
    """The branch moves between the look at it and the push."""
    at(THERE).add([raw("first")])
    late = example.git(clone, "commit-tree", "-p", "refs/fwdlab/" + memory(clone), "-m", "late", tree(clone)).strip()
    example.git(clone, "push", "--quiet", "origin", f"{late}:refs/heads/kept")
    script = f"[ -e {remote}/raced ] || {{ touch {remote}/raced; git update-ref refs/heads/history {late}; }}"
    hook(remote, "pre-receive", f"unset GIT_QUARANTINE_PATH; {script}")
    at(THERE).add([raw("second")])
    assert (remote / "raced").exists()
    assert at(THERE).opened().names("") == sorted(raw(text).path for text in ("first", "second"))
    assert late in example.git(remote, "rev-list", "history").split()


def memory(clone: Path) -> str:
    (ref,) = example.git(clone, "for-each-ref", "--format=%(refname)", "refs/fwdlab").split()
    return ref.removeprefix("refs/fwdlab/")


def tree(clone: Path) -> str:
    return example.git(clone, "rev-parse", f"refs/fwdlab/{memory(clone)}^{{tree}}").strip()


def test_a_remote_that_refuses_says_why_and_the_entries_wait(remote: Path) -> None:
    refusal = hook(remote, "pre-receive", "echo 'GitLab: You are not allowed to push code' >&2; exit 1")
    with pytest.raises(LabError) as said:
        at(THERE).add([raw("x")])
    assert str(said.value) == (
        f"{THERE}: did not take the entries (remote: GitLab: You are not allowed to push code); look at what the "
        f"branch allows; 1 entries wait in {at(THERE).spool.folder} and go with the next addition"
    )
    assert spooled(at(THERE)) == [raw("x").path]
    refusal.unlink()
    at(THERE).add([raw("y")])
    assert at(THERE).opened().names("") == sorted([raw("x").path, raw("y").path])
    assert spooled(at(THERE)) == []


def test_a_remote_that_is_gone_is_told_and_the_next_addition_brings_all(remote: Path) -> None:
    at(THERE).add([raw("x")])
    remote.rename(remote.with_name("away"))
    unread = rf"^{THERE}: the remote cannot be read \(.+\); look at network and access; 1 entries wait in"
    with pytest.raises(LabError, match=unread):
        at(THERE).add([raw("y")])
    with pytest.raises(LabError, match="cannot be read"):
        at(THERE).opened()
    remote.with_name("away").rename(remote)
    at(THERE).add([raw("z")])
    assert at(THERE).opened().names("") == sorted(raw(text).path for text in "xyz")
    assert spooled(at(THERE)) == []


def test_a_wrong_place_keeps_nothing_waiting() -> None:
    with pytest.raises(MatrixError):
        at("git:main").add([raw("x")])
    assert not at("git:main").spool.folder.exists()


def test_thousands_of_entries_come_in_one_commit(clone: Path) -> None:
    """More than a pipe holds, in both directions."""
    entries = [raw(str(number)) for number in range(4000)]
    assert at(HERE).add(entries).new == 4000
    assert at(HERE).add(entries).new == 0
    assert len(at(HERE).opened().names("")) == 4000
    assert example.git(clone, "rev-list", "--count", "history").strip() == "1"


def test_a_remote_that_goes_while_it_is_written_to_leaves_them_waiting(remote: Path) -> None:
    at(THERE).add([raw("x")])
    hook(remote, "pre-receive", f"mv {remote} {remote}.away; exit 1")
    with pytest.raises(LabError, match="1 entries wait in"):
        at(THERE).add([raw("y")])
    remote.with_name("remote.git.away").rename(remote)
    (remote / "hooks/pre-receive").unlink()
    at(THERE).add([])
    assert raw("y").path in at(THERE).opened().names("")


def test_a_remote_that_does_not_answer_ends_at_the_deadline(remote: Path) -> None:
    hook(remote, "pre-receive", "sleep 60")
    with pytest.raises(LabError, match=r"git push: gave no answer within .* s; look at network and remote; 1 entries"):
        at(THERE, deadline_s=2).add([raw("x")])


def test_a_branch_that_somebody_rewrote_is_told_with_what_is_gone(clone: Path, remote: Path) -> None:
    at(THERE).add([raw("x")])
    at(THERE).add([raw("y")])
    lost = example.git(remote, "rev-parse", "history").strip()
    example.git(remote, "update-ref", "refs/heads/history", "history~1")
    for use in (lambda: at(THERE).opened(), lambda: at(THERE).add([raw("z")])):
        with pytest.raises(RecordError) as said:
            use()
        assert f"somebody rewrote the branch, and 1 entries that were there are gone, such as '{raw('y').path}'" in str(
            said.value
        )
    advised = str(said.value)
    assert f"'git branch saved {lost[:12]}' keeps them" in advised
    example.git(clone, "branch", "saved", lost[:12])
    example.git(clone, "update-ref", "-d", advised.split("'git update-ref -d ")[1].partition("'")[0])
    done = example.fwdlab("store", "add", "--to", THERE, "git:saved", within=clone)
    assert (done.returncode, done.stderr) == (0, "")
    assert raw("y").path in at(THERE).opened().names("")


def test_a_branch_that_was_deleted_is_told(remote: Path) -> None:
    at(THERE).add([raw("x")])
    example.git(remote, "update-ref", "-d", "refs/heads/history")
    with pytest.raises(RecordError, match="rewrote the branch, and 1 entries"):
        at(THERE).opened()


def test_a_branch_rewritten_with_all_its_entries_is_none_the_worse(clone: Path) -> None:
    at(THERE).add([raw("x")])
    squashed = example.git(clone, "commit-tree", "-m", "squashed", tree(clone)).strip()
    example.git(clone, "push", "--quiet", "--force", "origin", f"{squashed}:history")
    at(THERE).add([raw("y")])
    assert len(at(THERE).opened().names("")) == 2


def test_entries_that_were_cleared_away_are_no_loss(clone: Path, tmp_path: Path, remote: Path, chdir: Chdir) -> None:
    at(THERE).add([raw("x"), raw("y")])
    chdir(example.repository(tmp_path / "other", remote))
    at(THERE).remove(lambda _: [raw("x").path])
    chdir(clone)
    assert at(THERE).opened().names("") == [raw("y").path]
    assert raw("x").path in example.git(remote, "ls-tree", "-r", "--name-only", "history~1")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("git:history@nowhere", "there is no remote 'nowhere'; the repository has 'origin'"),
        ("git:history@", "'' is no remote"),
        ("git:history@--upload-pack=x", "'--upload-pack=x' is no remote"),
        ("git:", "'' is no name of a branch"),
        ("git:-x", "'-x' is no name of a branch"),
        ("git:a..b@origin", "'a..b' is no name of a branch"),
        ("git:main", "is checked out, and a store has no work tree"),
        ("git:other", "holds files and is no store; name a branch of its own"),
    ],
)
def test_a_place_that_is_none_is_refused(clone: Path, word: str, message: str) -> None:
    example.git(clone, "branch", "other")
    with pytest.raises(MatrixError, match=message):
        store_at(word, deadline_s=5).add([raw("x")])


def test_a_token_in_an_address_is_told_to_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = example.fwdlab("store", "list", f"git:history@http://ci:s3cret@127.0.0.1:{port}/lab.git", within=Path.cwd())
    assert done.returncode == 3
    assert f"git:history@http://127.0.0.1:{port}/lab.git: the remote cannot be read (" in done.stderr
    assert "s3cret" not in done.stdout + done.stderr


def test_a_shallow_clone_adds_as_well(tmp_path: Path, clone: Path, remote: Path, chdir: Chdir) -> None:
    for text in "abc":
        at(THERE).add([raw(text)])
    example.git(clone, "push", "--quiet", "origin", "main")
    example.git(tmp_path, "clone", "--quiet", "--depth=1", remote.as_uri(), "shallow")
    chdir(tmp_path / "shallow")
    at(THERE).add([raw("d")])
    assert len(at(THERE).opened().names("")) == 4
    assert example.git(remote, "rev-list", "--count", "history").strip() == "4"


def test_without_a_repository_there_is_no_branch(tmp_path: Path, chdir: Chdir) -> None:
    chdir(tmp_path)
    with pytest.raises(MatrixError, match=r"not a git repository.*; call it in a git repository, or name a folder"):
        store_at(HERE)


def test_a_repository_without_a_remote_says_so(tmp_path: Path, chdir: Chdir) -> None:
    chdir(example.repository(tmp_path / "alone"))
    with pytest.raises(MatrixError, match="there is no remote 'origin'; the repository has none"):
        at(THERE).add([raw("x")])


def test_a_store_of_another_format_is_left_alone(clone: Path) -> None:
    at(HERE).add([raw("x")])
    blob = example.git(clone, "hash-object", "-w", "--no-filters", str(newer(clone))).strip()
    listed = f"100644 blob {blob}\tfwdlab-store\n"
    (clone / "tree").write_text(listed)
    made = os.popen(f"cd {clone} && git mktree <tree").read().strip()  # noqa: S605 - a line of our own
    commit = example.git(clone, "commit-tree", "-m", "newer", made).strip()
    example.git(clone, "update-ref", "refs/heads/history", commit)
    with pytest.raises(RecordError, match="is a store of format 'fwdlab-store 2', and 'fwdlab-store 1' is known here"):
        at(HERE).add([raw("y")])


def newer(clone: Path) -> Path:
    (clone / "marker").write_text("fwdlab-store 2\n")
    return clone / "marker"


def test_a_foreign_file_in_the_branch_is_a_fault_that_additions_leave_alone(clone: Path) -> None:
    at(HERE).add([raw("x")])
    example.git(clone, "worktree", "add", "--quiet", "../tree", "history")
    (clone.parent / "tree/README.md").write_text("hello")
    example.git(clone.parent / "tree", "add", "README.md")
    example.git(clone.parent / "tree", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "readme")
    example.git(clone, "worktree", "remove", "../tree")
    at(HERE).add([raw("y")])
    assert verified(at(HERE).opened()).faults == ("README.md: is no entry of a store; move it elsewhere",)


def test_what_a_crash_cut_off_in_the_spool_waits_no_longer() -> None:
    store = at(HERE)
    store.add([raw("x")])
    (store.spool.folder / raw("lost").path.replace("/", ",")).write_text("lo")
    (store.spool.folder / ".new-dead").write_text("")
    os.utime(store.spool.folder / ".new-dead", (0, 0))
    (store.spool.folder / ".new-alive").write_text("")
    store.add([raw("y")])
    assert len(store.opened().names("")) == 2
    assert verified(store.opened()).faults == ()
    assert store.tidy() == 1
    assert [path.name for path in store.spool.folder.iterdir()] == [".new-alive"]


def test_writers_of_one_clone_take_turns_until_the_deadline() -> None:
    store = at(HERE, deadline_s=1)
    store.add([raw("x")])
    with (store.folder / "lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(LabError, match=f"{HERE}: other writers were at it for 1 s; 1 entries wait in"):
            store.add([raw("y")])
    assert store.add([raw("y")]).new == 1


def test_a_lock_that_git_left_is_named(clone: Path) -> None:
    store = at(HERE, deadline_s=3)
    store.add([raw("x")])
    (clone / ".git/refs/heads/history.lock").touch()
    with pytest.raises(FwdlabError, match=r"history\.lock': File exists"):
        store.add([raw("y")])


Chdir = Callable[[Path], None]


@pytest.fixture
def chdir(monkeypatch: pytest.MonkeyPatch) -> Chdir:
    return monkeypatch.chdir
