"""From a store to the site: what a lab's own results give, to the byte; notes on the pages; nothing drawn twice."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from fwdlab.files import tree_sha256
from fwdlab.store.entry import Kind, entry_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.gather import gathered
from tests.unit.records import example as recorded
from tests.unit.store import example


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def kept(tmp_path: Path, results: Path) -> Path:
    """A store with those results."""
    done = run("store", "add", "--to", tmp_path / "kept", results)
    assert (done.exit_code, done.stderr) == (0, "")
    return tmp_path / "kept"


def site(store: Path, folder: Path, *more: str) -> Path:
    done = run("site", "--store", store, "--results", folder / "from", "--public", folder / "public", *more)
    assert done.exit_code == 0, done.output
    return folder / "public"


def test_the_site_is_that_of_the_results_to_the_byte(tmp_path: Path, results: Path, kept: Path) -> None:
    assert run("site", "--results", results, "--public", tmp_path / "public").exit_code == 0
    assert tree_sha256(site(kept, tmp_path / "other")) == tree_sha256(tmp_path / "public")


def test_verdicts_come_from_a_store_as_well(tmp_path: Path, results: Path, kept: Path) -> None:
    asked = ("report", "--json", "-")
    from_store = run(*asked, "--store", kept, "--results", tmp_path / "from")
    assert (from_store.exit_code, from_store.stderr) == (0, "")
    assert from_store.stdout == run(*asked, "--results", results).stdout


def test_whatever_the_order_of_additions_the_site_is_the_same(tmp_path: Path, results: Path) -> None:
    entries = list(gathered(results).entries)
    sites = []
    for name, order in (("one", entries), ("other", entries[::-1])):
        for entry in order:
            FolderStore(root=tmp_path / name).add([entry])
        sites.append(tree_sha256(site(tmp_path / name, tmp_path / f"{name}.site")))
    assert sites[0] == sites[1]


def record_of(store: Path, number: int) -> str:
    """The hash of a repeat of the first case, as a list prints it."""
    said = run("store", "list", store, "--campaign", "newer").stdout
    return next(line.split()[0] for line in said.splitlines() if "debian-6.1/" in line and line.endswith(f"-{number}"))


def test_an_invalidated_trial_stands_there_as_invalid_with_who_when_and_why(tmp_path: Path, kept: Path) -> None:
    why = "fan <b>stood</b> still"
    done = run("store", "invalidate", kept, record_of(kept, 2), "--why", why, "--who", "ann")
    assert (done.exit_code, done.stderr) == (0, "")
    page = (site(kept, tmp_path) / "campaigns/newer.html").read_text()
    assert "repeat-2" in page
    assert "invalidated by ann on 20" in page
    assert "fan &lt;b&gt;stood&lt;/b&gt; still" in page
    assert "<b>stood" not in page
    assert "Nobody invalidated the trial after it was measured." in page
    assert "only 2 valid repeats" in page or "2 valid repeats" in page


def test_what_is_taken_back_leaves_the_site_as_it_was(tmp_path: Path, kept: Path) -> None:
    before = tree_sha256(site(kept, tmp_path))
    run("store", "invalidate", kept, record_of(kept, 2), "--why", "cable")
    assert tree_sha256(site(kept, tmp_path)) != before
    (note,) = FolderStore(root=kept).opened().names("notes")
    assert run("store", "invalidate", kept, note.rpartition("/")[2][:12], "--why", "it was not").exit_code == 0
    assert tree_sha256(site(kept, tmp_path)) == before


def test_a_note_stands_among_the_conditions(tmp_path: Path, kept: Path) -> None:
    run("store", "annotate", kept, record_of(kept, 1), "--why", "<i>hot</i> day", "--who", "ann")
    page = (site(kept, tmp_path) / "campaigns/newer.html").read_text()
    assert "repeat-1: noted by ann on 20" in page
    assert "&lt;i&gt;hot&lt;/i&gt; day" in page


def test_a_repeat_that_was_measured_again_takes_the_place_of_the_first(tmp_path: Path, kept: Path) -> None:
    record = recorded.record(tmp_path / "again", example.cases()[0])
    later = example.record_entry(record, 1, "2026-12-01T00:00:00Z", 12345.0)
    FolderStore(root=kept).add([*example.record_entries(tmp_path / "raw", []), later])
    said = run("store", "list", kept, "--campaign", "newer", "--all").stdout
    assert said.count("superseded") == 1
    assert "12.3" in run("report", "--store", kept, "--results", tmp_path / "from").stdout or "12.3" in said
    old = run("report", "--store", kept, "--as-of", "2026-11-30", "--results", tmp_path / "from", "--json", "-").stdout
    new = run("report", "--store", kept, "--results", tmp_path / "from", "--json", "-").stdout
    assert "12345.0" in new
    assert "12345.0" not in old


def test_colours_that_were_kept_stay_whatever_comes_before_them(tmp_path: Path, kept: Path) -> None:
    first = run("store", "colours", kept, "--keep")
    assert first.stdout == "#0072b2  revision debian-6.1\n#d55e00  revision debian-6.12\n"
    earlier = example.campaign(example.cases(), "a-earlier")
    write = example.write_results(tmp_path / "more", earlier)
    text = (write / "campaigns.json").read_text().replace('debian-6.1"', 'debian-6.0"', 1)
    (write / "campaigns.json").write_text(text)
    assert run("store", "add", "--to", kept, write).exit_code == 0
    after = run("store", "colours", kept, "--keep").stdout
    assert first.stdout.splitlines()[0] in after
    assert first.stdout.splitlines()[1] in after
    assert "#009e73  revision debian-6.0" in after
    assert run("store", "colours", kept, "--keep").stdout == after


def test_laying_out_again_writes_only_what_is_new(tmp_path: Path, kept: Path) -> None:
    site(kept, tmp_path)
    evidence = {path: path.stat().st_mtime_ns for path in (tmp_path / "from/history/runs").rglob("*")}
    for path in evidence:
        os.utime(path, (1, 1))
    run("store", "annotate", kept, record_of(kept, 1), "--why", "hot")
    site(kept, tmp_path)
    assert {path.stat().st_mtime for path in (tmp_path / "from/history/runs").rglob("*")} == {1.0}


def test_only_the_figures_of_campaigns_that_changed_are_drawn_again(tmp_path: Path) -> None:
    of = example.cases()
    arms = example.campaign(of, "arms")
    base = replace(example.campaign(of[:1], "base"), arms=example.REVISIONS[:1])
    results = example.write_results(tmp_path / "results", arms, base)
    run("store", "add", "--to", tmp_path / "kept", results)
    site(tmp_path / "kept", tmp_path)
    drawn = tmp_path / "from/history/drawn"
    before = {path.name: (path / "sums").stat().st_mtime_ns for path in drawn.iterdir()}
    assert len(before) == 2
    again = example.record_entry(recorded.record(tmp_path / "x", of[1]), 1, "2026-12-01T00:00:00Z", 150e3)
    FolderStore(root=tmp_path / "kept").add([again, *example.record_entries(tmp_path / "y", [])])
    run("site", "--store", tmp_path / "kept", "--results", tmp_path / "from", "--public", tmp_path / "public")
    after = {path.name: (path / "sums").stat().st_mtime_ns for path in drawn.iterdir()}
    assert len(after) == 2
    assert len(before.items() & after.items()) == 1, "the other campaign has no such case"


def test_what_no_longer_stands_is_taken_away_and_what_was_damaged_is_mended(tmp_path: Path, kept: Path) -> None:
    before = tree_sha256(site(kept, tmp_path))
    laid = tmp_path / "from/history"
    (laid / "runs/qemu-x86/stray").mkdir(parents=True)
    (laid / "runs/qemu-x86/stray/reason").write_text("x")
    next((laid / "runs").rglob("repeat-2/result")).write_text("changed")
    next((laid / "records").rglob("repeat-1.json")).unlink()
    assert tree_sha256(site(kept, tmp_path)) == before
    assert not (laid / "runs/qemu-x86/stray").exists()


def test_a_folder_of_others_is_not_laid_out_in(tmp_path: Path, kept: Path) -> None:
    (tmp_path / "from/history").mkdir(parents=True)
    (tmp_path / "from/history/thesis.tex").write_text("ten years")
    done = run("report", "--store", kept, "--results", tmp_path / "from")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "holds files that no store was laid out as" in done.stderr
    assert (tmp_path / "from/history/thesis.tex").read_text() == "ten years"


@pytest.mark.parametrize("path", ["../../../../../../../escape", "/etc/passwd", "repeat-1/../../../x", "/etc"])
@pytest.mark.parametrize("field", ["path", "hardware"])
def test_an_entry_that_names_a_place_outside_is_refused(tmp_path: Path, kept: Path, field: str, path: str) -> None:
    record = recorded.record(tmp_path / "odd", example.cases()[0])
    entry = example.record_entry(record, 1, "2026-12-01T00:00:00Z")
    named = record.raw[0].path if field == "path" else record.names[0]
    text = entry.content().decode().replace(f'"{field}": "{named}"', f'"{field}": "{path}"')
    FolderStore(root=kept).add([entry_of(Kind.RECORD, text, record.key)])
    done = run("report", "--store", kept, "--results", tmp_path / "from")
    assert done.exit_code == 4
    assert f"{entry_of(Kind.RECORD, text, record.key).path}: names '{path}', which is outside its folder" in done.stderr
    assert done.stdout.startswith("6.12 against 6.1")
    assert not (tmp_path / "escape").exists()


def test_a_damaged_entry_is_told_and_the_rest_is_on_the_site(tmp_path: Path, kept: Path) -> None:
    damaged = next(path for path in (kept / "records").rglob("*") if path.is_file())
    damaged.chmod(0o644)
    damaged.write_text(damaged.read_text()[:100])
    done = run("site", "--store", kept, "--results", tmp_path / "from", "--public", tmp_path / "public")
    assert done.exit_code == 4
    assert f"{damaged.relative_to(kept)}: its bytes are not those of its name, 100 octets" in done.stderr
    assert "2 valid repeats" in (tmp_path / "public/campaigns/newer.html").read_text()


def test_a_day_is_for_stores(tmp_path: Path) -> None:
    done = run("report", "--as-of", "2026-11-21", "--results", tmp_path)
    assert (done.exit_code, done.stderr) == (2, "--as-of: a folder of results is as it is; name a --store\n")
