"""Where the matrix meets scripts and folders: exact packages, hashes of scripts, what was measured."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from fwdlab.case import Lab
from fwdlab.errors import LabError, MatrixError
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.plan import NO_HISTORY
from fwdlab.matrix.resolve import resolve, resolved_cases, runner_sha256
from tests.unit.matrix.example import FAKES, Bench, bent


def test_a_moving_revision_becomes_an_exact_package(bench: Bench) -> None:
    pins = resolve(bench.load(), FAKES)
    old, new = pins["arm", "old"], pins["box", "new"]
    assert (old.name, old.package, old.version) == ("old", "linux-arm64-5", "6.1.158-1")
    assert (new.name, new.package, new.version) == ("new", "linux-6.12-amd64-5", "6.12.1-1")
    assert len(new.sha256) == 64


def test_each_package_is_asked_for_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    log = bench.folder / "log"
    monkeypatch.setenv("FAKE_RESOLVE_LOG", str(log))
    twin = "  twin: {lab: qemu, title: T, arch: x86_64, memory: 1G, trial: {warmup: 1, samples: 1, packets: 1}}\n"
    pins = resolve(bench.load(bent("revisions:\n", f"{twin}revisions:\n")), FAKES)
    assert len(pins) == 6
    assert sorted(log.read_text().splitlines()) == [
        "linux-6.12-amd64 6.12.1-1 x86_64",
        "linux-6.12-arm64 6.12.1-1 aarch64",
        "linux-amd64 latest x86_64",
        "linux-arm64 latest aarch64",
    ]


def test_a_package_that_no_case_boots_is_not_asked_for(bench: Bench) -> None:
    text = bent("linux-{arch}", "gone-{arch}", bent("{hardware: arm, firewall: [nft-stateful]}", "{revision: old}"))
    text = text[: text.index("include:")]
    assert {revision for _, revision in resolve(bench.load(text), FAKES)} == {"new"}


def test_packages_that_do_not_exist_are_told_with_their_lines(bench: Bench) -> None:
    text = bent("linux-{arch}", "gone-{arch}", bent("linux-6.12-{arch}", "unreachable-gone"))
    with pytest.raises(MatrixError) as error:
        resolve(bench.load(text), FAKES)
    assert str(error.value).splitlines() == [
        f"{bench.path}:8:41: revision 'old': debian: no package 'gone-amd64' in version 'latest'; mend the revision",
        f"{bench.path}:8:41: revision 'old': debian: no package 'gone-arm64' in version 'latest'; mend the revision",
        f"{bench.path}:9:41: revision 'new': debian: no package 'unreachable-gone' in version '6.12.1-1'; "
        "mend the revision",
    ]


@pytest.mark.parametrize(
    ("package", "message"),
    [
        ("unreachable", r"resolve\.sh: deb\.example: no answer after 60 s; check the network$"),
        ("mute", r"resolve\.sh: ended with status 4; run it by hand$"),
        ("garbled", r"resolve\.sh: answered 'all is well' for 'garbled'; run it by hand$"),
    ],
)
def test_an_archive_that_cannot_be_asked_is_the_labs_fault(bench: Bench, package: str, message: str) -> None:
    with pytest.raises(LabError, match=message):
        resolve(bench.load(bent("linux-{arch}", package)), FAKES)


def test_scripts_that_are_not_there_are_the_labs_fault(bench: Bench) -> None:
    with pytest.raises(LabError, match=r"resolve\.sh: cannot be run \(No such file or directory\)"):
        resolve(bench.load(), bench.folder)
    with pytest.raises(LabError, match=r"labs/qemu: no such folder; check --runner-scripts"):
        runner_sha256(Lab.QEMU, bench.folder)


def test_a_changed_script_changes_the_hash_and_a_rule_file_does_not(tmp_path: Path) -> None:
    root = tmp_path / "runner-scripts"
    shutil.copytree(FAKES, root)
    seen = [runner_sha256(Lab.QEMU, root)]
    for name in ("traffic.sh", "lib/common.sh", "labs/qemu/guest/init", "generators/pktgen.sh", "profilers/perf.sh"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("exit 0\n")
        seen.append(runner_sha256(Lab.QEMU, root))
    assert len(set(seen)) == len(seen)
    for name in ("firewalls/a.nft", "labs/ssh/lab.sh", "labs/qemu/.lab.sh.swp"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    assert runner_sha256(Lab.QEMU, root) == seen[-1]


def test_the_hash_is_the_same_wherever_the_scripts_lie(tmp_path: Path) -> None:
    shutil.copytree(FAKES, tmp_path / "elsewhere")
    assert runner_sha256(Lab.QEMU, FAKES) == runner_sha256(Lab.QEMU, tmp_path / "elsewhere")


def test_whole_repeats_and_profiles_are_found_and_timed(bench: Bench) -> None:
    cases = resolved_cases(bench.load(), FAKES)
    results = bench.folder / "results"
    assert history_of(results, cases) == NO_HISTORY
    folder = results / "runs" / cases[0].folder
    for name, ended in (("repeat-1", "12:00:04"), ("repeat-3", "12:00:05"), ("repeat-4.partial", "12:09:00")):
        (folder / name).mkdir(parents=True)
        times = f"started\t2026-01-01T12:00:00Z\nended\t2026-01-01T{ended}Z\n"
        (folder / name / "facts").write_text(f"order\t3\nodd line\n{times}")
    (folder / "failed" / "repeat-2.1").mkdir(parents=True)
    (folder / "repeat-0").mkdir()
    (folder / "profile").mkdir()
    history = history_of(results, cases)
    assert history.done[cases[0].key] == {1, 3}
    assert not any(done for key, done in history.done.items() if key != cases[0].key)
    assert history.profiled == {cases[0].key}
    assert history.boot_s == {"box": 4.5}


def test_trials_that_were_kept_of_an_earlier_attempt_took_no_time(bench: Bench) -> None:
    cases = resolved_cases(bench.load(), FAKES)
    repeat = bench.folder / "runs" / cases[0].folder / "repeat-1"
    for number in (1, 2, 3, 4, 5):
        (repeat / f"trial-{number}").mkdir(parents=True)
    times = "started\t2026-01-01T12:00:00Z\nended\t2026-01-01T12:00:08Z\n"
    (repeat / "facts").write_text(f"{times}kept_trials\t3\n")
    assert history_of(bench.folder, cases).boot_s == {"box": 4.0}


@pytest.mark.parametrize("facts", ["", "started\tnow\nended\tthen\n", "started\t2026-01-01T12:00:00Z\n", "\xff"])
def test_facts_without_a_time_leave_the_boot_untimed(bench: Bench, facts: str) -> None:
    cases = resolved_cases(bench.load(), FAKES)
    repeat = bench.folder / "runs" / cases[0].folder / "repeat-1"
    repeat.mkdir(parents=True)
    (repeat / "facts").write_bytes(os.fsencode(facts))
    history = history_of(bench.folder, cases)
    assert history.done[cases[0].key] == {1}
    assert history.boot_s == {}
