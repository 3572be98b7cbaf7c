from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.run.fakelab import FakeLab


def site(lab: FakeLab, public: Path) -> Result:
    words = ["site", "--results", str(lab.results), "--public", str(public)]
    return CliRunner(env=lab.variables).invoke(main, words)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_built_twice_a_site_is_the_same_to_the_byte(lab: FakeLab) -> None:
    lab.run()
    first, second = lab.folder / "first", lab.folder / "second"
    assert site(lab, first).exit_code == site(lab, second).exit_code == 0
    assert tree(first) == tree(second) == tree(lab.public)
    assert site(lab, first).exit_code == 0
    assert tree(first) == tree(second)
    assert any(name.endswith(".png") for name in tree(first))


def test_results_that_were_moved_give_the_same_site(lab: FakeLab) -> None:
    lab.run()
    before = tree(lab.public)
    moved = FakeLab(folder=lab.folder / "elsewhere")
    moved.folder.mkdir()
    lab.results.rename(moved.results)
    assert site(moved, moved.public).exit_code == 0
    assert tree(moved.public) == before


def test_the_table_is_printed_again(lab: FakeLab) -> None:
    table = lab.run().stdout.partition("\nsite:")[0]
    assert table in site(lab, lab.public).stdout


def test_records_and_raw_logs_are_in_the_site_to_the_byte(lab: FakeLab) -> None:
    lab.run()
    for kind in ("records", "runs"):
        kept = tree(lab.results / kind)
        (folder,) = lab.public.rglob(kind)
        carried = tree(folder)
        assert carried
        assert carried == {name: kept[name] for name in carried}
        assert {name for name in kept if "repeat-" in name} <= set(carried)


def test_what_leads_out_of_a_run_folder_is_not_published(lab: FakeLab) -> None:
    lab.run()
    secret = lab.folder / "secret"
    secret.write_text("9d1c07 is for nobody")
    for facts in (lab.results / "runs").rglob("prepare/facts"):
        facts.unlink()
        facts.symlink_to(secret)
    site(lab, lab.public)
    assert b"9d1c07 is for nobody" not in b"".join(tree(lab.public).values())


def test_a_refused_record_is_told_with_4_and_the_site_is_built_without_it(lab: FakeLab) -> None:
    lab.run()
    next((lab.results / "records").rglob("repeat-2.json")).write_text("{}")
    done = site(lab, lab.public)
    assert done.exit_code == 4
    assert "repeat-2.json: $: " in done.stderr
    assert f"set aside in {lab.results}/refused" in done.stderr
    assert "site: " in done.stdout
    assert site(lab, lab.public).exit_code == 0, "told once; 'fwdlab record' makes it again"


def test_without_campaigns_there_is_nothing_to_publish(lab: FakeLab) -> None:
    done = site(lab, lab.public)
    assert done.exit_code == 4
    assert done.stderr == (
        f"{lab.results}/campaigns.json: cannot be read (No such file or directory); measure first with './lab run'\n"
    )
    (lab.results).mkdir()
    (lab.results / "campaigns.json").write_text("[{}]")
    assert site(lab, lab.public).exit_code == 4


def test_a_folder_that_is_no_site_of_ours_is_not_replaced(lab: FakeLab) -> None:
    lab.run()
    shutil.rmtree(lab.public)
    lab.public.mkdir()
    (lab.public / "thesis.tex").write_text("ten years")
    done = site(lab, lab.public)
    assert done.exit_code == 2
    assert (lab.public / "thesis.tex").read_text() == "ten years"


@pytest.mark.parametrize("name", ["campaigns.json", "floors.json", "command"])
@pytest.mark.parametrize("content", [b"\xff\n", None], ids=["not-utf-8", "a-folder"])
def test_a_file_of_the_results_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    (tmp_path / "campaigns.json").write_text("[]\n")
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir() if content is None else (tmp_path / name).write_bytes(content)
    done = CliRunner().invoke(main, ["site", "--results", str(tmp_path), "--public", str(tmp_path / "public")])
    assert done.exit_code == 4
    assert done.stderr.startswith(f"{tmp_path / name}: ")
    assert "./lab " in done.stderr
    assert not (tmp_path / "public").exists()
