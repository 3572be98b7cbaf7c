"""Debian's archive: which package a revision means today, and what is said where it cannot be known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from platform import node

import pytest

from tests.scripts.runner.bench import Bench
from tests.scripts.runner.packages import KERNEL, LATEST, SIGNPOST

AWAY = "E: Failed to fetch http://archive.example/debian/dists/bookworm/InRelease"
LINE = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://archive.example/debian/"


def test_latest_is_the_newest_version_with_its_hash(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "x86_64")
    assert (done.status, done.said) == (0, "")
    assert done.out == f"{KERNEL}\t{LATEST}\t{bench.archive.kernels[LATEST]}\n"


def test_a_signpost_leads_to_the_kernel_of_the_day(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(SIGNPOST, "latest", "aarch64")
    assert done.out == f"{KERNEL}\t{LATEST}\t{bench.archive.kernels[LATEST]}\n"


def test_a_version_stays_that_version(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(KERNEL, "2.0-1", "x86_64")
    assert done.out == f"{KERNEL}\t2.0-1\t{bench.archive.kernels['2.0-1']}\n"


@pytest.mark.parametrize(("package", "version"), [(KERNEL, "7.0-1"), ("linux-image-nowhere", "latest")])
def test_what_is_not_in_the_archive_is_refused(bench: Bench, shell: str, package: str, version: str) -> None:
    done = replace(bench, interpreter=shell).resolve(package, version, "aarch64")
    assert (done.status, done.out) == (2, "")
    assert done.said == (
        f"debian/arm64: no package '{package}' in version '{version}'; "
        "see 'apt-cache search linux-image' and mend the revision\n"
    )


@pytest.mark.parametrize("package", ["-oDir::Bin::methods=/tmp", "--help", "", "a b", "$(touch x)", "../a", "a=b"])
@pytest.mark.parametrize("odd", ["package", "version"])
def test_no_name_becomes_an_option_or_a_path(bench: Bench, package: str, odd: str) -> None:
    words = (package, "latest") if odd == "package" else (KERNEL, package)
    done = bench.resolve(*words, "x86_64")
    assert (done.status, done.did) == (2, [])
    assert done.last == f"package '{words[0]}' in version '{words[1]}' cannot be one of Debian's; mend the revision"


def test_an_arch_nobody_knows_is_refused(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "sparc64")
    assert (done.status, done.did) == (2, [])
    assert done.said == "arch 'sparc64' is neither 'x86_64' nor 'aarch64'; mend the hardware entry of the matrix\n"


def test_an_archive_that_is_away_is_the_labs_fault(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "x86_64", APT="away")
    assert (done.status, done.out) == (3, "")
    expected = f"debian/amd64: the archive does not answer ({AWAY}); check the network and apt's sources\n"
    assert done.said == expected
    assert bench.resolve(KERNEL, "latest", "x86_64").status == 0, "it is asked again as soon as it is back"


def test_an_old_index_will_do_where_the_archive_is_away(bench: Bench, shell: str) -> None:
    bench = replace(bench, interpreter=shell)
    bench.resolve(KERNEL, "1.0-1", "x86_64")
    done = bench.resolve(KERNEL, "latest", "x86_64", APT="away", FWDLAB_INDEX_AGE_MINUTES="0")
    assert (done.status, done.out.split("\t")[1]) == (0, LATEST)
    today = date.today().isoformat()
    assert done.said == f"debian/amd64: the archive does not answer; using the package index of {today}\n"


def test_an_answer_is_kept_while_the_index_is_fresh(bench: Bench) -> None:
    first = bench.resolve(KERNEL, "latest", "x86_64")
    again = bench.resolve(KERNEL, "latest", "x86_64", APT="away")
    assert (again.did, again.out) == ([], first.out)
    later = bench.resolve(KERNEL, "latest", "x86_64", FWDLAB_INDEX_AGE_MINUTES="0")
    assert any("update" in line for line in later.did)


def test_two_at_once_fetch_one_index(bench: Bench) -> None:
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(bench.resolve, KERNEL, "latest", "x86_64", APT="slow") for _ in range(2)]
    assert [call.result().status for call in calls] == [0, 0]
    assert sum("update" in line for line in bench.log()) == 1


def test_the_sources_of_the_machine_that_carry_the_suite_are_used(bench: Bench) -> None:
    bench.resolve(KERNEL, "latest", "x86_64", SOURCES="bookworm bookworm bookworm-updates bookworm-backports sid")
    sources = (bench.cache / "apt/amd64/sources.list").read_text()
    assert sources == f"{LINE} bookworm main\n{LINE} bookworm-updates main\n"


def test_the_operator_may_name_other_sources(bench: Bench, shell: str) -> None:
    (bench.workspace / "mirror.list").write_text("deb [trusted=yes] file:/srv/mirror bookworm main\n")
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "x86_64", FWDLAB_APT_SOURCES="mirror.list")
    assert done.status == 0
    assert not any("indextargets" in line for line in done.did)
    assert (bench.cache / "apt/amd64/sources.list").read_text() == (bench.workspace / "mirror.list").read_text()


def test_sources_that_cannot_be_read_are_named(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "x86_64", FWDLAB_APT_SOURCES="no.list")
    assert done.status == 3
    assert done.last == "no.list: cannot be read; mend FWDLAB_APT_SOURCES"


def test_a_machine_without_a_source_of_the_suite_hears_what_to_set(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "x86_64", SOURCES="trixie sid")
    assert done.status == 3
    assert done.last == (
        f"{node()}: apt knows no source of Debian bookworm; set FWDLAB_APT_SOURCES to a sources.list that does"
    )


def test_a_machine_without_apt_hears_what_is_missing(bench: Bench, shell: str) -> None:
    done = replace(bench, interpreter=shell).without("apt-get").resolve(KERNEL, "latest", "x86_64")
    assert (done.status, done.last) == (3, f"{node()}: 'apt-get' is missing; install the Debian package 'apt'")


def test_a_cache_that_cannot_be_written_is_the_labs_fault(bench: Bench, shell: str) -> None:
    bench.cache.write_text("a file where the folder should be")
    done = replace(bench, interpreter=shell).resolve(KERNEL, "latest", "x86_64")
    assert done.status == 3
    assert done.last == (f"{bench.cache}/apt/amd64: cannot be made; free space, or set FWDLAB_CACHE to another folder")


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ({"FWDLAB_CACHE": "near"}, "near"),
        ({"FWDLAB_CACHE": "", "XDG_CACHE_HOME": "{}/xdg"}, "xdg/fwdlab"),
        ({"FWDLAB_CACHE": ""}, ".cache/fwdlab"),
    ],
)
def test_the_cache_lies_where_it_is_asked_for(bench: Bench, settings: dict[str, str], folder: str) -> None:
    places = {name: value.format(bench.workspace) for name, value in settings.items()}
    bench.resolve(KERNEL, "latest", "x86_64", **places)
    configuration = (bench.workspace / folder / "apt/amd64/apt.conf").read_text()
    assert f'Dir::State "{bench.workspace / folder}/apt/amd64";' in configuration
