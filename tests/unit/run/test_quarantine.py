"""Machines that no job may use are known by the files that the runner scripts leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.run.quarantine import machines_folder, quarantine_of


def test_a_machine_without_a_file_is_in_no_quarantine(tmp_path: Path) -> None:
    assert quarantine_of("apu2", tmp_path) == ""


def test_a_quarantine_says_since_when_why_and_what_lifts_it(tmp_path: Path) -> None:
    (tmp_path / "apu2.quarantine").write_text("since\t2026-01-02T03:04:05Z\nwhy\tdut 192.0.2.1: no \033[2Jlink\n")
    assert quarantine_of("apu2", tmp_path) == (
        "apu2: quarantined since 2026-01-02T03:04:05Z because dut 192.0.2.1: no [2Jlink; "
        "'./lab doctor apu2' lifts it when all is well"
    )


def test_a_file_that_was_written_by_hand_holds_as_well(tmp_path: Path) -> None:
    (tmp_path / "apu2.quarantine").write_bytes(b"\xff")
    assert quarantine_of("apu2", tmp_path).startswith("apu2: quarantined since ? because ?; ")


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"FWDLAB_MACHINES": "/m", "FWDLAB_CACHE": "/c", "HOME": "/h"}, "/m"),
        ({"FWDLAB_CACHE": "/c", "HOME": "/h"}, "/c/machines"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/fwdlab/machines"),
        ({"HOME": "/h"}, "/h/.cache/fwdlab/machines"),
    ],
)
def test_the_folder_is_the_runner_scripts(environ: dict[str, str], folder: str) -> None:
    if "FWDLAB_MACHINES" in environ or not Path("/var/lib/fwdlab/machines").is_dir():
        assert machines_folder(environ) == Path(folder)
