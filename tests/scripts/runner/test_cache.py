"""What is kept between runs: kernels and programs, unpacked once, whole, and the same bytes wherever they are made."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from tests.scripts.runner.bench import Bench
from tests.scripts.runner.packages import BARE_VERSION, IMAGE, KERNEL, NOT_A_BZIMAGE, PACKED, RELEASE, bz_image


def asking_for(bench: Bench, version: str, sha256: str = "") -> Bench:
    digest = sha256 or bench.archive.kernels[version]
    return bench.with_case(revision=replace(bench.case.revision, version=version, sha256=digest))


def cached(bench: Bench, kind: str) -> Path:
    """The one whole entry of the cache."""
    (entry,) = (path for path in (bench.cache / kind).iterdir() if path.suffix != ".lock")
    return entry


def listed(archive: Path) -> list[str]:
    """The files of an initramfs archive."""
    with archive.open("rb") as stream:
        done = subprocess.run(["cpio", "--quiet", "-it"], stdin=stream, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("version", [version for version, (tool, *_) in PACKED.items() if tool != "gzip"])
def test_a_compressed_kernel_is_kept_unpacked(bench: Bench, shell: str, version: str) -> None:
    assert asking_for(replace(bench, interpreter=shell), version).prepare().status == 0
    assert (cached(bench, "kernels") / "image").read_bytes() == IMAGE


@pytest.mark.parametrize("version", ["3.0-1", BARE_VERSION])
def test_any_other_kernel_is_booted_as_packaged(bench: Bench, shell: str, version: str) -> None:
    assert asking_for(replace(bench, interpreter=shell), version).prepare().status == 0
    kernel = cached(bench, "kernels")
    assert (kernel / "image").read_bytes() == (kernel / "vmlinuz").read_bytes()
    assert ((kernel / "image").read_bytes() == NOT_A_BZIMAGE) is (version == BARE_VERSION)


def test_a_kernel_that_does_not_unpack_is_not_kept(bench: Bench, shell: str) -> None:
    name = f"{KERNEL}_1.0-1"
    archive = shutil.copytree(bench.archive.folder, bench.workspace / "archive")
    boot = archive / "trees" / name / "boot" / f"vmlinuz-{RELEASE}"
    boot.write_bytes(bz_image(b"\x28\xb5\x2f\xfd" + b"no frame"))
    deb = archive / "debs" / f"{name}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "-b", str(archive / "trees" / name), str(deb)], check=True
    )
    broken = replace(bench, interpreter=shell, archive=replace(bench.archive, folder=archive))
    done = asking_for(broken, "1.0-1", sha256=sha256(deb.read_bytes()).hexdigest()).prepare()
    assert done.status == 3
    assert done.last.startswith(f"{bench.run}: prepare stopped with status 1 (")
    assert not list(bench.cache.glob("kernels/*/release"))


def test_a_kernel_comes_with_its_configuration_and_the_modules_of_the_network(bench: Bench) -> None:
    bench.prepare()
    kernel = cached(bench, "kernels")
    assert (kernel / "release").read_text() == f"{RELEASE}\n"
    assert (kernel / "config").read_text() == (bench.run / "prepare/kernel.config").read_text() == "CONFIG_NET=y\n"
    modules = [name.removeprefix(f"lib/modules/{RELEASE}/") for name in listed(kernel / "modules.cpio")]
    assert "kernel/net/core/pktgen.ko" in modules
    assert "kernel/drivers/net/veth.ko" in modules
    assert "kernel/lib/crc.ko" in modules
    assert "modules.dep" in modules
    assert not any("wireless" in name for name in modules)


def test_programs_come_with_the_libraries_their_bytes_name_and_no_others(bench: Bench) -> None:
    bench.prepare()
    userland = cached(bench, "userland")
    base = listed(userland / "base.cpio")
    assert {"bin/busybox", "sbin/ip", "usr/sbin/nft", "sbin/modprobe"} <= set(base)
    assert [name for name in base if ".so" in name] == [
        "lib/x86_64-linux-gnu/libone.so.1",
        "usr/lib/x86_64-linux-gnu/libtwo.so",
    ]
    assert "usr/lib/aarch64-linux-gnu/libperf.so.1" in listed(userland / "perf.cpio")
    packages = (userland / "packages").read_text()
    assert packages == (bench.run / "prepare/guest.packages").read_text()
    assert packages.splitlines() == [
        f"Package: {name} Version: 1" for name in ("busybox-static", "iproute2", "linux-perf", "nftables")
    ]


def bytes_made(host: Bench, umask: str) -> list[str]:
    """The hashes of everything that a guest is given, made under an umask."""
    case = [str(host.case_file), str(host.run)]
    for words in (["prepare.sh", *case], ["traffic.sh", *case, "1"]):
        command = [*host.command(words[0]), *words[1:]]
        done = host.do(["sh", "-c", f'umask {umask}; exec "$@"', "sh", *command])
        assert done.status == 0, done.said
    archives = [
        cached(host, "kernels") / "modules.cpio",
        cached(host, "userland") / "base.cpio",
        cached(host, "userland") / "perf.cpio",
        host.diary.with_suffix(".initramfs"),
    ]
    return [sha256(path.read_bytes()).hexdigest() for path in archives]


def test_the_same_packages_give_the_same_bytes_anywhere(bench: Bench, tmp_path: Path) -> None:
    other = replace(bench, interpreter="bash --posix", workspace=tmp_path / "another place")
    shutil.copytree(bench.workspace / "rules", other.workspace / "rules")
    made = [bytes_made(host, umask) for host, umask in ((bench, "022"), (other, "077"))]
    assert made[0] == made[1]


def test_a_guests_first_file_system_holds_its_case_and_its_rules(ready: Bench) -> None:
    ready.traffic()
    names = subprocess.run(
        ["sh", "-c", 'while cpio --quiet -it 2>/dev/null; do :; done <"$0"', ready.diary.with_suffix(".initramfs")],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    assert {"bin/busybox", "init", "guest/trial.sh", "guest/case", "guest/rules"} <= set(names)


def test_what_is_in_the_cache_is_not_fetched_again(ready: Bench, shell: str) -> None:
    shutil.rmtree(ready.run)
    done = replace(ready, interpreter=shell).prepare(APT="away")
    assert (done.status, done.did) == (0, [])


def test_another_package_than_planned_is_not_unpacked(bench: Bench, shell: str) -> None:
    done = asking_for(replace(bench, interpreter=shell), "1.0-1", sha256="0" * 64).prepare()
    assert done.status == 3
    assert done.last == (
        f"{KERNEL}: the package's SHA-256 is {bench.archive.kernels['1.0-1']}, planned was {'0' * 64}; plan again"
    )
    assert not list(bench.cache.glob("kernels/*/release"))


def test_a_version_that_left_the_archive_is_told(bench: Bench, shell: str) -> None:
    gone = replace(bench.case.revision, version="0.9-1")
    done = replace(bench, interpreter=shell).with_case(revision=gone).prepare()
    assert done.status == 3
    assert done.last == (
        f"{KERNEL}: version '0.9-1' cannot be downloaded (E: Version '0.9-1' for '{KERNEL}' was not found); "
        "plan again, or check the network"
    )


def test_a_network_that_goes_away_before_the_programs_came_is_told(bench: Bench, shell: str) -> None:
    bench = replace(bench, interpreter=shell)
    bench.resolve(KERNEL, "latest", "x86_64")
    done = bench.prepare(APT="away")
    assert done.status == 3
    assert done.last == (
        "debian/amd64: 'busybox-static iproute2 nftables linux-perf' cannot be downloaded "
        "(E: Failed to fetch http://archive.example/busybox-static.deb); check the network"
    )
    assert bench.prepare().status == 0


def test_what_a_killed_attempt_left_in_the_cache_goes(bench: Bench) -> None:
    bench.prepare()
    for kind, mark in (("kernels", "release"), ("userland", "packages")):
        entry = cached(bench, kind)
        (entry / mark).unlink()
        work = entry.with_name(f"{entry.name}.work")
        (work / "done").mkdir(parents=True)
        (work / "done/half").write_text("of it")
    shutil.rmtree(bench.run)
    assert bench.prepare().status == 0
    for kind in ("kernels", "userland"):
        assert not list(cached(bench, kind).rglob("half"))


@pytest.mark.parametrize(
    "tool", ["qemu-system-x86_64:qemu-system-x86", "cpio:cpio", "zstd:zstd", "lz4:lz4", "unxz:xz-utils"]
)
def test_a_host_that_lacks_a_program_hears_which_package_has_it(bench: Bench, tool: str) -> None:
    command, package = tool.split(":")
    done = bench.without(command).prepare()
    assert (done.status, done.did) == (3, [])
    assert done.last.endswith(f": '{command}' is missing; install the Debian package '{package}'")


def test_two_scripts_at_once_make_everything_once(bench: Bench, shell: str) -> None:
    bench = replace(bench, interpreter=shell)
    case = str(bench.case_file)
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(bench.call, "prepare.sh", case, str(bench.run / str(n)), APT="slow") for n in range(3)]
    assert [call.result().status for call in calls] == [0, 0, 0], [call.result().said for call in calls]
    did = bench.log()
    assert [sum(word in line for line in did) for word in (" update", " install ", " download ")] == [1, 1, 1]


def test_what_no_run_used_for_long_goes_when_another_of_its_kind_comes(bench: Bench) -> None:
    assert bench.prepare().status == 0
    kernel = cached(bench, "kernels")
    unused, lock = kernel.with_name("unused"), kernel.with_name("unused.lock")
    unused.mkdir()
    (unused / "image").touch()
    lock.touch()
    for path in (kernel, unused, lock):
        os.utime(path, (0, 0))
    shutil.rmtree(bench.run)
    assert bench.prepare().status == 0
    assert unused.exists(), "nothing new came"
    shutil.rmtree(bench.run)
    assert asking_for(bench, "2.0-1").prepare().status == 0
    assert kernel.exists(), "a run used it"
    assert not unused.exists()
    assert lock.exists(), "somebody may be waiting for it"
