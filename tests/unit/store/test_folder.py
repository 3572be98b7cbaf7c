"""A store in a folder: whole files only, on any disk that lets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fwdlab.errors import LabError, MatrixError, RecordError
from fwdlab.store.entry import Kind, entry_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.verify import verified
from tests.unit.run.test_run_faults import may_mount
from tests.unit.store import example


def test_a_folder_with_other_files_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("ten years")
    with pytest.raises(MatrixError, match=f"^{tmp_path}: holds files and is no store; name a new or an empty folder"):
        FolderStore(root=tmp_path).add([entry_of(Kind.RAW, "x")])
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MatrixError, match="is no folder to keep a store in"):
        FolderStore(root=tmp_path / "file").add([entry_of(Kind.RAW, "x")])


def test_a_store_of_another_format_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "fwdlab-store").write_text("fwdlab-store 2\n")
    for use in (FolderStore(root=tmp_path).opened, lambda: FolderStore(root=tmp_path).add([entry_of(Kind.RAW, "x")])):
        with pytest.raises(RecordError, match="is a store of format 'fwdlab-store 2', and 'fwdlab-store 1' is known"):
            use()
    assert [path.name for path in tmp_path.iterdir()] == ["fwdlab-store"]


def test_entries_cannot_be_written_over_by_accident(tmp_path: Path) -> None:
    entry = entry_of(Kind.RAW, "x")
    FolderStore(root=tmp_path).add([entry])
    assert (tmp_path / entry.path).stat().st_mode & 0o777 == 0o444
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_place_that_is_taken_is_the_labs_fault(tmp_path: Path) -> None:
    entry = entry_of(Kind.RAW, "x")
    store = FolderStore(root=tmp_path)
    store.add([])
    (tmp_path / entry.path).mkdir(parents=True)
    with pytest.raises(LabError, match=r"cannot be written \(Is a directory\); free space or choose another store"):
        store.add([entry])
    assert list((tmp_path / "tmp").iterdir()) == []


FULL = """
set -e
mount -t tmpfs -o size={size}k none {disk}
cp -r {seed}/. {disk}
cd {disk}
set +e
{python} -m fwdlab store add --to {word} {results} >{folder}/out 2>{folder}/err
echo $? >{folder}/status
{python} -m fwdlab store verify {word} >{folder}/verified 2>&1
cp -r {disk} {folder}/kept
"""


@pytest.mark.parametrize("word", ["store", "git:history"])
@pytest.mark.parametrize("size", [160, 200, 240])
def test_a_full_disk_is_a_sentence_and_nothing_half_is_kept(tmp_path: Path, word: str, size: int) -> None:
    if not may_mount(tmp_path):
        pytest.skip("no mount namespace may be had here, so no small disk")
    results = example.write_results(tmp_path / "results")
    for case in (results / "runs").rglob("prepare"):
        (case / "kernel.config").write_bytes(os.urandom(60_000))
    (tmp_path / "disk").mkdir()
    seed = example.repository(tmp_path / "seed")
    subprocess.run(["rm", "-rf", seed / ".git/hooks"], check=True)
    script = FULL.format(
        size=size, disk=tmp_path / "disk", seed=seed, word=word, results=results, folder=tmp_path, python=sys.executable
    )
    environment = {**os.environ, "PYTHONPATH": str(example.ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(["unshare", "-rm", "sh", "-c", script], env=environment, check=True)
    said = (tmp_path / "err").read_text()
    assert (tmp_path / "status").read_text() == "3\n", said
    assert "No space left on device" in said or "cannot be written" in said
    assert "Traceback" not in said
    if word == "store":
        assert verified(FolderStore(root=tmp_path / "kept/store").opened()).faults == ()
