"""Benches for the runner's scripts: one with nothing in its cache, one that is ready to measure."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from fwdlab.case import Case, Family, Firewall, Hardware, Kind, Lab, Patch, Revision, Traffic
from tests.scripts.runner.bench import ROOT, SHELLS, Bench, link_commands
from tests.scripts.runner.packages import KERNEL, Archive, build_archive

RULES = "table inet filter {}\n"


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Packages that the fake apt can fetch."""
    return build_archive(tmp_path_factory.mktemp("archive") / "debian")


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only folder of commands."""
    folder = tmp_path_factory.mktemp("commands") / "bin"
    link_commands(folder, Path(__file__).parent / "fakes")
    return folder


def make_bench(workspace: Path, commands: Path, archive: Archive) -> Bench:
    (workspace / "rules").mkdir(parents=True)
    (workspace / "rules/one.nft").write_text(RULES)
    return Bench(
        interpreter="dash",
        scripts=ROOT / "runner-scripts",
        commands=commands,
        archive=archive,
        workspace=workspace,
        case=make_case(archive),
    )


def make_case(archive: Archive) -> Case:
    trial = {"warmup": "10", "samples": "3", "packets": "10"}
    settings = {"arch": "x86_64", "memory": "64M", **{f"trial.{key}": value for key, value in trial.items()}}
    return Case(
        hardware=Hardware(name="qemu-x86", lab=Lab.QEMU, settings=tuple(settings.items())),
        revision=Revision(
            name="old", kind=Kind.IMAGE, package=KERNEL, version="1.0-1", sha256=archive.kernels["1.0-1"]
        ),
        firewall=Firewall(name="nft", rules="rules/one.nft", sha256=hashlib.sha256(RULES.encode()).hexdigest()),
        patch=Patch(name="none", file="", sha256="", options=""),
        traffic=Traffic(name="udp4", family=Family.INET, frame_size=64, flows=20, load="max"),
        runner_sha256="0" * 64,
    )


@pytest.fixture
def bench(tmp_path: Path, commands: Path, archive: Archive) -> Bench:
    """A host that has measured nothing yet."""
    return make_bench(tmp_path / "work", commands, archive)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, commands: Path, archive: Archive) -> Path:
    """The workspace of a host whose case is prepared; to be copied."""
    bench = make_bench(tmp_path_factory.mktemp("prepared") / "work", commands, archive)
    done = bench.prepare()
    assert done.status == 0, done.said
    bench.diary.unlink()
    return bench.workspace


@pytest.fixture
def ready(tmp_path: Path, commands: Path, archive: Archive, prepared: Path) -> Bench:
    """A host whose case is prepared."""
    bench = make_bench(tmp_path / "ready", commands, archive)
    shutil.copytree(prepared, bench.workspace, dirs_exist_ok=True)
    return bench


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    """Each shell a host may have as its `sh`."""
    return str(request.param)
