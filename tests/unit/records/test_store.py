from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from fwdlab.records.model import Record
from fwdlab.records.store import Folders, load_records, make_records, record_path, run_folders
from fwdlab.records.text import parse_record
from tests.unit.records import example

CASE = example.case()


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    found = Folders(results=tmp_path / "results")
    example.write_run(found.runs, CASE, repeats=3)
    assert make_records(found, [CASE.folder]) == ()
    return found


def file_of(folders: Folders, number: int) -> Path:
    return folders.records / CASE.folder / f"repeat-{number}.json"


def bend(folders: Folders, **values: object) -> None:
    """Change the second record's first raw file, or its names."""
    path = file_of(folders, 2)
    document = json.loads(path.read_text())
    for name, value in values.items():
        (document["case"] if name in document["case"] else document["raw"][0])[name] = value
    path.write_text(json.dumps(document))


def refused(folders: Folders) -> str:
    """The one sentence, of the second record, that was set aside; the others are there."""
    loaded = load_records(folders, [CASE.folder])
    assert [record.trial.repeat for record in loaded.records] == [1, 3]
    (said,) = loaded.refused
    assert not file_of(folders, 2).exists()
    aside = folders.refused / CASE.folder / "repeat-2.json"
    reason = aside.with_suffix(".reason").read_text()
    assert said == f"{reason.strip()}; set aside in {folders.refused}"
    assert aside.is_symlink() or aside.exists()
    return reason.strip().removeprefix(f"{folders.results}/")


def test_every_record_is_written_where_its_names_say_and_read_again(folders: Folders) -> None:
    loaded = load_records(folders, [CASE.folder])
    assert loaded.refused == ()
    assert [record.trial.repeat for record in loaded.records] == [1, 2, 3]
    assert [folders.records / record_path(item) for item in loaded.records] == [file_of(folders, n) for n in (1, 2, 3)]
    assert folders.run_of(loaded.records[0]) == folders.runs / CASE.folder
    assert run_folders(folders.runs) == [CASE.folder]
    assert not folders.refused.exists()


def test_records_of_other_cases_are_left_alone(folders: Folders) -> None:
    other = example.case(revision="debian-6.12")
    assert load_records(folders, [other.folder]).records == ()
    assert file_of(folders, 1).exists()


def test_made_twice_they_have_the_same_bytes(folders: Folders) -> None:
    before = file_of(folders, 1).read_bytes()
    make_records(folders, [CASE.folder])
    assert file_of(folders, 1).read_bytes() == before


def test_a_record_that_does_not_fit_the_schema_is_set_aside(folders: Folders) -> None:
    bend(folders, sha256="none")
    assert refused(folders).startswith(f"records/{CASE.folder}/repeat-2.json: $.raw[0].sha256: 'none' does not match")


def test_a_record_cut_off_is_set_aside(folders: Folders) -> None:
    file_of(folders, 2).write_text(file_of(folders, 2).read_text()[:500])
    assert "is no JSON" in refused(folders)


def test_a_record_whose_raw_output_changed_is_set_aside(folders: Folders) -> None:
    (folders.runs / CASE.folder / "repeat-2" / "facts").write_text("order\t1\n")
    assert refused(folders) == (
        f"runs/{CASE.folder}/repeat-2/facts: is not what the record was read from; remove its folder and run again"
    )


def test_a_record_whose_raw_output_is_gone_is_set_aside(folders: Folders) -> None:
    (folders.runs / CASE.folder / "repeat-2" / "facts").unlink()
    assert "repeat-2/facts: raw output of a record is missing" in refused(folders)


@pytest.mark.parametrize("path", ["../../../../../../../../etc/hostname", "/etc/hostname", "repeat-2/../../x", "."])
def test_raw_output_outside_the_run_folder_is_none(folders: Folders, path: str) -> None:
    bend(folders, path=path)
    assert "raw output of a record is missing" in refused(folders)


def test_a_link_out_of_the_run_folder_is_no_raw_output(folders: Folders, tmp_path: Path) -> None:
    raw = folders.runs / CASE.folder / "repeat-2" / "facts"
    raw.rename(tmp_path / "facts")
    raw.symlink_to(tmp_path / "facts")
    assert "raw output of a record is missing" in refused(folders)


def test_a_record_in_another_cases_place_is_set_aside(folders: Folders) -> None:
    bend(folders, hardware="qemu-arm64")
    assert f"belongs at 'qemu-arm64/debian-6.1/nft-stateful/none/udp4-64/{CASE.key}/repeat-2.json'" in refused(folders)


def test_a_record_of_another_repeat_is_set_aside(folders: Folders) -> None:
    file_of(folders, 2).write_text(file_of(folders, 1).read_text())
    assert "belongs at" in refused(folders)


def test_a_folder_in_a_records_place_is_set_aside(folders: Folders) -> None:
    file_of(folders, 2).unlink()
    file_of(folders, 2).mkdir()
    assert "cannot be read (Is a directory)" in refused(folders)


def test_a_dead_link_in_a_records_place_is_set_aside(folders: Folders) -> None:
    file_of(folders, 2).unlink()
    file_of(folders, 2).symlink_to("nowhere")
    assert "cannot be read (No such file or directory)" in refused(folders)


def run(folders: Folders) -> Result:
    return CliRunner().invoke(main, ["record", "--results", str(folders.results)])


def test_the_command_reads_every_run_folder(folders: Folders) -> None:
    example.write_run(folders.runs, example.case(firewall="forwarding"), repeats=2)
    done = run(folders)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"5 records of 2 cases in {folders.records}\n"


def test_the_command_tells_each_that_cannot_be_trusted_and_keeps_the_rest(folders: Folders) -> None:
    (folders.runs / CASE.folder / "repeat-1" / "result").write_text("cut")
    done = run(folders)
    assert done.exit_code == 4
    assert done.stdout.startswith("2 records of 1 cases")
    made, loaded = done.stderr.splitlines()
    assert "repeat-1/result: its SHA-256 is not the manifest's" in made
    assert loaded.endswith(f"set aside in {folders.refused}")
    assert run(folders).exit_code == 4, "it stays refused"


def test_without_runs_there_is_nothing_to_read(tmp_path: Path) -> None:
    done = run(Folders(results=tmp_path))
    assert (done.exit_code, done.stderr) == (
        4,
        f"{tmp_path}/runs: holds no run; measure first with './lab run'\n",
    )


def test_a_record_is_a_whole_document(folders: Folders) -> None:
    assert isinstance(parse_record(file_of(folders, 1).read_text(), "x"), Record)
    assert [path.name for path in file_of(folders, 1).parent.iterdir() if path.name.startswith(".")] == []
