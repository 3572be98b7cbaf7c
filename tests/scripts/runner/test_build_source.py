"""Where a kernel's source comes from: a source package, or a commit of a git repository, near or far."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripts.runner.bench import Bench
from tests.scripts.runner.builds import (
    FORWARD,
    compiled,
    differences,
    folder,
    git,
    image,
    of_commit,
    of_package,
    patched,
    slower,
    tree,
)
from tests.scripts.runner.packages import LATER, LINUX, NO_SOURCE, SOURCE, SOURCE_SIGNPOST

ODD = "a 'tree', of $HOME \\n ü \"x\""
MEND = "mend 'version' of the revision"


def repository(bench: Bench, name: str = "tree") -> Path:
    """A git repository: the source, then a branch, a tag and an annotated tag of what is later."""
    made = bench.workspace / name
    made.mkdir()
    git(made, "init", "--quiet", "--initial-branch=main")
    for path in (item for item in LINUX.rglob("*") if item.is_file()):
        copy = made / path.relative_to(LINUX)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())
    commit(made, "first")
    git(made, "tag", "v1")
    (made / FORWARD).write_bytes((LINUX / FORWARD).read_bytes() + LATER)
    commit(made, "second")
    git(made, "tag", "--annotate", "-m", "two", "v2")
    git(made, "branch", "feature/v3")
    git(made, "branch", "feature/main", "v1")
    return made


def commit(made: Path, subject: str) -> None:
    git(made, "add", "--all")
    git(made, "commit", "--quiet", "-m", subject)


def resolved(bench: Bench, place: str, ref: str) -> str:
    """The commit that a name means in a repository."""
    done = bench.resolve(place, ref, "x86_64", kind="git")
    assert done.status == 0, done.said
    said, commit, digest = done.out.split("\t")
    assert (said, digest, done.said) == (place, "\n", "")
    return commit


def places(made: Path) -> list[str]:
    return [made.name, str(made), f"file://{made}"]


# Names of commits.


def test_a_name_means_the_same_commit_near_and_far(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    first, second = git(made, "rev-parse", "v1"), git(made, "rev-parse", "main")
    meant = {"HEAD": second, "main": second, "v1": first, "v2": second, "feature/v3": second, "feature/main": first}
    meant |= {"refs/heads/main": second, "tags/v2": second, first: first}
    for place in places(made):
        assert {ref: resolved(bench, place, ref) for ref in meant} == meant


def test_a_tag_goes_before_a_branch_of_its_name(bench: Bench) -> None:
    made = repository(bench)
    git(made, "branch", "v2", "v1")
    assert {resolved(bench, place, "v2") for place in places(made)} == {git(made, "rev-parse", "main")}


def test_near_by_a_commit_may_be_told_by_its_way(bench: Bench) -> None:
    made = repository(bench)
    first = git(made, "rev-parse", "v1")
    assert {resolved(bench, "tree", ref) for ref in (first[:10], "main~1", "v2^")} == {first}


@pytest.mark.parametrize("ref", ["v9", "ain", "*", "0" * 39, "main:net", "refs/heads/v1", "v1 "])
def test_a_name_that_means_nothing_is_refused(bench: Bench, shell: str, ref: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    near = bench.resolve("tree", ref, "x86_64", kind="git")
    assert (near.status, near.out) == (2, "")
    assert near.last == f"tree: has no branch, tag or commit '{ref}'; {MEND}"
    far = bench.resolve(f"file://{made}", ref, "x86_64", kind="git")
    assert (far.status, far.out) == (2, "")
    assert far.last == f"file://{made}: has no branch or tag '{ref}'; {MEND}, where a commit has its 40 digits"


@pytest.mark.parametrize("ref", ["--all", "--upload-pack=touch hurt;", "-h", "--git-dir", "--since=now", "--exec=x"])
def test_no_name_becomes_an_option(bench: Bench, shell: str, ref: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    for place in places(made):
        done = bench.resolve(place, ref, "x86_64", kind="git")
        assert (done.status, done.out) == (2, "")
        assert f" '{ref}'; {MEND}" in done.last
    assert not list(bench.workspace.rglob("hurt"))


def test_a_repository_whose_name_looks_like_an_option_is_none(bench: Bench, shell: str) -> None:
    bench = replace(bench, interpreter=shell)
    made = repository(bench)
    for place in ("--upload-pack=touch hurt;://x", "ext::sh -c 'touch hurt' ://"):
        done = bench.resolve(place, "main", "x86_64", kind="git")
        assert (done.status, done.out) == (3, "")
        assert done.last.startswith(f"{place}: does not answer (")
    done = bench.resolve("ext::sh -c 'touch hurt'", "main", "x86_64", kind="git")
    assert (done.status, done.out) == (2, "")
    assert made.exists()
    assert not list(bench.workspace.rglob("hurt"))


def test_a_repository_may_have_any_path(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench, ODD)
    assert resolved(bench, ODD, "main") == git(made, "rev-parse", "main")
    kernel = folder(of_commit(bench, ODD, git(made, "rev-parse", "v1")).build())
    assert compiled(kernel)


def test_a_repository_may_lie_behind_a_link_to_any_path(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench, 'two\n\\lines"')
    (bench.workspace / "link").symlink_to(made)
    folder(of_commit(bench, "link", git(made, "rev-parse", "v1")).build())


@pytest.mark.parametrize(
    ("changed", "told"),
    [(FORWARD, FORWARD), ("mm/heap.c", "mm/heap.c"), ("net/a b.c", '"net/a b.c"')],
)
def test_local_changes_are_refused(bench: Bench, shell: str, changed: str, told: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    path = made / changed
    path.write_text("int x;\n")
    if changed.endswith("a b.c"):
        git(made, "add", "--all")
    done = bench.resolve("tree", "main", "x86_64", kind="git")
    assert (done.status, done.out) == (2, "")
    assert (
        done.last == f"tree: has local changes ({told}), and only what is committed is measured; commit or stash them"
    )
    git(made, "stash", "--quiet")
    assert resolved(bench, "tree", "main")


def test_files_that_git_does_not_follow_are_no_changes(bench: Bench) -> None:
    made = repository(bench)
    (made / "notes").write_text("mine\n")
    assert resolved(bench, "tree", "main")


def test_looking_at_a_repository_leaves_it_alone(bench: Bench) -> None:
    made = repository(bench)
    (made / FORWARD).touch()
    before = (made / ".git/index").read_bytes()
    resolved(bench, "tree", "main")
    folder(of_commit(bench, "tree", git(made, "rev-parse", "main")).build())
    assert (made / ".git/index").read_bytes() == before
    assert not (made / ".config").exists()


@pytest.mark.parametrize("place", ["nowhere", "rules", "rules/one.nft", "-", ""])
def test_what_is_no_repository_is_refused(bench: Bench, shell: str, place: str) -> None:
    done = replace(bench, interpreter=shell).resolve(place, "main", "x86_64", kind="git")
    assert (done.status, done.out) == (2, "")
    assert done.last.startswith(f"{place}: is no git repository that can be read (")
    assert done.last.endswith("); mend 'git' of the revision")


def test_a_repository_without_a_commit_has_none(bench: Bench) -> None:
    git(bench.workspace, "init", "--quiet", "tree")
    done = bench.resolve("tree", "HEAD", "x86_64", kind="git")
    assert (done.status, done.last) == (2, f"tree: has no branch, tag or commit 'HEAD'; {MEND}")


def test_what_a_hook_says_of_its_repository_is_not_believed(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    git(bench.workspace, "init", "--quiet", "other")
    hook = {"GIT_DIR": f"{bench.workspace}/other/.git", "GIT_INDEX_FILE": "/nonexistent", "GIT_PREFIX": "net/"}
    done = bench.resolve("tree", "main", "x86_64", kind="git", **hook)
    assert (done.status, done.out.split("\t")[1]) == (0, git(made, "rev-parse", "main"))


@pytest.mark.parametrize("scheme", ["git", "http", "ssh"])
def test_a_repository_that_cannot_be_reached_is_the_labs_fault(bench: Bench, shell: str, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    place = f"{scheme}://127.0.0.1:{port}/linux.git"
    host = replace(bench, interpreter=shell).with_command("ssh", "echo 'no route to host' >&2; exit 255\n")
    done = host.resolve(place, "main", "x86_64", kind="git")
    assert (done.status, done.out) == (3, "")
    assert done.last.startswith(f"{place}: does not answer (")
    assert "()" not in done.last
    assert done.last.endswith("); check the network, or 'git' of the revision")


@contextmanager
def silent() -> Iterator[str]:
    """A server that takes a connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []
        thread = threading.Thread(target=lambda: held.append(server.accept()[0]))
        thread.start()
        yield f"git://127.0.0.1:{server.getsockname()[1]}/linux.git"
        thread.join()
        for connection in held:
            connection.close()


def test_a_repository_that_says_nothing_is_waited_for_only_so_long(bench: Bench, shell: str) -> None:
    with silent() as place:
        host = replace(bench, interpreter=shell).with_command("timeout", 'shift; exec {real} 1 "$@"\n')
        done = host.resolve(place, "main", "x86_64", kind="git")
    assert (done.status, done.out) == (3, "")
    assert done.last == f"{place}: does not answer within 120 s; check the network, or 'git' of the revision"


def test_a_host_without_git_hears_what_is_missing(bench: Bench) -> None:
    done = bench.without("git").resolve("tree", "main", "x86_64", kind="git")
    assert done.status == 3
    assert done.last.endswith(": 'git' is missing; install the Debian package 'git'")


# Source packages.


def test_the_newest_source_is_found_behind_its_signpost(bench: Bench, shell: str) -> None:
    for name in (SOURCE, SOURCE_SIGNPOST):
        done = replace(bench, interpreter=shell).resolve(name, "latest", "x86_64", kind="source")
        assert (done.status, done.out) == (0, f"{SOURCE}\t9.9.2-1\t{bench.archive.sources['9.9.2-1']}\n")


def test_a_source_that_is_not_in_the_archive_is_refused(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve("linux-source-7.7", "latest", "x86_64", kind="source")
    assert (done.status, done.last) == (
        2,
        "debian/amd64: no package 'linux-source-7.7' in version 'latest'; "
        "see 'apt-cache search linux-source' and mend the revision",
    )


def test_a_kind_that_no_guest_can_boot_is_refused(bench: Bench, shell: str) -> None:
    bench = replace(bench, interpreter=shell)
    done = bench.resolve("kernel", "latest", "x86_64", kind="running")
    assert (done.status, done.last.partition(";")[0]) == (2, "a guest boots a kernel of its own")
    done = bench.resolve("kernel", "latest", "x86_64", kind="tarball")
    assert (done.status, done.last) == (2, "resolve.sh: kind 'tarball' is none of 'image', 'source' and 'git'")


def test_a_package_without_a_source_in_it_is_refused(bench: Bench, shell: str) -> None:
    deb = bench.archive.folder / f"debs/{NO_SOURCE}_1.deb"
    host = of_package(replace(bench, interpreter=shell), "1", NO_SOURCE)
    digest = hashlib.sha256(deb.read_bytes()).hexdigest()
    done = host.with_case(revision=replace(host.case.revision, sha256=digest)).build()
    assert (done.status, done.last) == (
        2,
        f"{NO_SOURCE}: has no /usr/src/{NO_SOURCE}.tar.xz in it; name a source package such as 'linux-source-6.12'",
    )


def test_another_package_than_planned_is_not_built(bench: Bench, shell: str) -> None:
    host = of_package(replace(bench, interpreter=shell))
    done = host.with_case(revision=replace(host.case.revision, sha256="0" * 64)).build()
    assert (done.status, done.last) == (
        3,
        f"{SOURCE}: the package's SHA-256 is {bench.archive.sources['9.9.1-1']}, planned was {'0' * 64}; plan again",
    )
    assert not list(bench.cache.glob("kernels/*/release"))


def test_a_version_that_left_the_archive_is_told(bench: Bench, shell: str) -> None:
    done = of_package(replace(bench, interpreter=shell), "9.9.0-1").build()
    assert (done.status, done.last) == (
        3,
        f"{SOURCE}: version '9.9.0-1' cannot be downloaded (E: Version '9.9.0-1' for '{SOURCE}' was not found); "
        "plan again, or check the network",
    )


def test_a_source_is_fetched_once_for_all_its_patches(bench: Bench) -> None:
    host = of_package(bench)
    for times in (1, 2):
        folder(patched(host, slower(times)).build())
    assert sum(f"download {SOURCE}" in line for line in bench.log()) == 1


# Kernels from git.


@pytest.mark.parametrize("far", [False, True])
def test_a_commit_gives_the_same_kernel_as_its_package(bench: Bench, shell: str, far: bool) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    place = f"file://{made}" if far else "tree"
    kernels = {
        ref: folder(of_commit(bench, place, git(made, "rev-parse", f"{ref}^{{}}")).build()) for ref in ("v1", "v2")
    }
    assert differences(bench) == [FORWARD]
    assert sorted(compiled(kernels["v2"])) == ["net/forward.o"]
    folder(patched(of_commit(bench, place, git(made, "rev-parse", "v1")), slower()).build())
    package = Bench(**{**vars(bench), "workspace": bench.workspace / "package"})
    package.workspace.mkdir()
    assert image(folder(of_package(package).build())) == image(kernels["v1"])


def test_a_repository_is_known_by_its_whole_path(bench: Bench) -> None:
    made = repository(bench)
    first = git(made, "rev-parse", "v1")
    (bench.workspace / "link").symlink_to(made)
    for place in ("tree", str(made), "./tree", "link"):
        folder(of_commit(bench, place, first).build())
    assert len(list(bench.cache.glob("sources/git-*/tree"))) == 1


def test_a_bare_repository_will_do(bench: Bench) -> None:
    made = repository(bench)
    git(bench.workspace, "clone", "--quiet", "--bare", "tree", "bare")
    assert resolved(bench, "bare", "main") == git(made, "rev-parse", "main")
    folder(of_commit(bench, "bare", git(made, "rev-parse", "main")).build())


def test_a_work_tree_of_another_repository_will_do(bench: Bench) -> None:
    made = repository(bench)
    git(made, "worktree", "add", "--quiet", "../other", "v1")
    assert resolved(bench, "other", "HEAD") == git(made, "rev-parse", "v1")
    folder(of_commit(bench, "other", git(made, "rev-parse", "v1")).build())


def test_a_repository_that_moved_is_told(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    host = of_commit(bench, "tree", git(made, "rev-parse", "v1"))
    kernel = folder(host.build())
    made.rename(made.with_name("moved"))
    assert folder(host.build()) == kernel, "what is built needs no source"
    done = patched(host, slower()).build()
    assert done.status == 2
    assert done.last.startswith("tree: is no git repository that can be read (")
    folder(patched(of_commit(bench, "moved", git(made.with_name("moved"), "rev-parse", "v1")), slower()).build())


def test_a_commit_that_is_gone_is_told(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    gone = "1" * 40
    done = of_commit(bench, "tree", gone).build()
    assert (done.status, done.last) == (2, f"tree: has no commit {gone}; plan again")
    done = of_commit(bench, f"file://{made}", gone).build()
    assert done.status == 3
    assert done.last.startswith(f"file://{made}: commit {gone} cannot be fetched (")
    assert done.last.endswith("); plan again, or check the network")
    assert "()" not in done.last


def test_a_repository_that_says_nothing_is_fetched_from_only_so_long(bench: Bench, shell: str) -> None:
    with silent() as place:
        host = of_commit(replace(bench, interpreter=shell), place, "1" * 40)
        done = host.with_command("timeout", 'shift; exec {real} 1 "$@"\n').build()
    assert done.status == 3
    assert done.last == f"{place}: commit {'1' * 40} is not fetched within 3600 s; check the network"


@pytest.mark.parametrize("version", ["main", "--upload-pack=touch hurt;", "", "$(touch hurt)", "1111 --all"])
def test_a_case_file_names_a_commit_whole(bench: Bench, shell: str, version: str) -> None:
    bench = replace(bench, interpreter=shell)
    repository(bench)
    done = of_commit(bench, "tree", version).build()
    assert (done.status, done.last) == (
        2,
        f"tree (tree {version}): the version is no commit's whole name; write the case file again",
    )
    assert not list(bench.workspace.rglob("hurt"))


def test_a_commit_that_does_not_build_is_its_authors(bench: Bench, shell: str) -> None:
    bench, made = replace(bench, interpreter=shell), repository(bench)
    (made / FORWARD).write_text("int forwarded = nothing;\n")
    commit(made, "break it")
    broken = git(made, "rev-parse", "HEAD")
    done = of_commit(bench, "tree", broken).build()
    assert done.status == 2
    assert done.last.startswith(f"tree (tree {broken}): does not build ({FORWARD}:1:")
    assert ".log" in done.last.partition("; read ")[2]
    folder(of_commit(bench, "tree", git(made, "rev-parse", "main~1")).build())


def test_settings_of_a_repository_do_not_change_its_kernel(bench: Bench) -> None:
    made = repository(bench)
    for name, value in {"core.autocrlf": "true", "core.sparseCheckout": "true", "core.fsmonitor": "touch hurt"}.items():
        git(made, "config", name, value)
    first = git(made, "rev-parse", "v1")
    folder(of_commit(bench, "tree", first).build(GIT_CONFIG_GLOBAL=str(made / ".git/config")))
    assert differences(bench) == []
    assert b"\r" not in (tree(bench) / FORWARD).read_bytes()
