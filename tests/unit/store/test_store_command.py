"""`fwdlab store`: what it prints, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from fwdlab.store.entry import Kind, entry_of
from fwdlab.store.folder import FolderStore
from fwdlab.store.text import SCHEMA_FILE
from tests.unit.store import example
from tests.unit.store.test_clear import aged


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["store", *map(str, words)])


@pytest.fixture
def kept(tmp_path: Path, results: Path) -> Path:
    run("add", "--to", tmp_path / "kept", results)
    return tmp_path / "kept"


def hashes(kept: Path, *words: str) -> list[str]:
    return [line.split()[0] for line in run("list", kept, *words).stdout.splitlines()]


def test_adding_says_what_came(tmp_path: Path, results: Path) -> None:
    first = run("add", "--to", tmp_path / "kept", results)
    assert (first.exit_code, first.stderr) == (0, "")
    count = len(FolderStore(root=tmp_path / "kept").opened().names(""))
    assert first.stdout.startswith(f"{tmp_path}/kept: {count} entries added, ")
    assert run("add", "--to", tmp_path / "kept", results).stdout.startswith(f"{tmp_path}/kept: 0 entries added, ")


def test_a_list_names_campaigns_and_the_records_of_one(kept: Path) -> None:
    (line,) = run("list", kept).stdout.splitlines()
    assert line.split("  ")[1:] == ["2026-11-21", "2 cases x 3", "newer: 6.12 against 6.1"]
    lines = run("list", kept, "--campaign", "newer").stdout.splitlines()
    assert [line.split("  ")[1:] for line in lines[:2]] == [
        ["2026-11-21", "91.01 kpps", "qemu-x86/debian-6.1/nft-stateful/none/udp4-64 repeat-1"],
        ["2026-11-21", "91.01 kpps", "qemu-x86/debian-6.1/nft-stateful/none/udp4-64 repeat-2"],
    ]
    assert len(lines) == 6


def test_notes_stand_below_what_they_are_about_until_they_are_taken_back(kept: Path) -> None:
    record, campaign = hashes(kept, "--campaign", "newer")[0], hashes(kept)[0]
    assert run("invalidate", kept, record, "--why", "cable", "--who", "ann").stdout.startswith("invalidated: records/")
    assert run("annotate", kept, campaign, "--why", "hot day", "--who", "bob").exit_code == 0
    lines = run("list", kept, "--campaign", "newer").stdout.splitlines()
    assert lines[1].startswith("  ")
    assert "invalidated by ann on 20" in lines[1]
    assert lines[1].endswith(": cable")
    assert "noted by bob on 20" in run("list", kept).stdout
    assert run("invalidate", kept, lines[1].split()[0], "--why", "it was not").exit_code == 0
    assert "cable" not in run("list", kept, "--campaign", "newer").stdout
    assert run("verify", kept).exit_code == 0


def test_who_says_so_is_the_user_unless_said_otherwise(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITLAB_USER_LOGIN", "maintainer")
    run("annotate", kept, hashes(kept)[0], "--why", "x")
    assert "noted by maintainer on" in run("list", kept).stdout


def test_several_are_invalidated_in_one_go(kept: Path) -> None:
    three = hashes(kept, "--campaign", "newer")[:3]
    assert len(run("invalidate", kept, *three, "--why", "cable").stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["invalidate", "KEPT", "xyz", "--why", "x"], "'xyz': is no hash; give at least 6 digits"),
        (["invalidate", "KEPT", "abc", "--why", "x"], "'abc': is no hash; give at least 6 digits"),
        (["annotate", "KEPT", "0" * 64, "--why", "x"], "no record, campaign, floor or note of the store begins so"),
        (["list", "KEPT", "--campaign", "older"], "there is no campaign 'older'; 'fwdlab store list' prints those"),
        (["list", "KEPT/no"], "is no store (No such file or directory); make one with 'fwdlab store add'"),
        (["verify", "KEPT/raw"], "is no store"),
        (["gc", "git:no-such-branch"], "there is no such branch"),
    ],
)
def test_what_is_asked_wrongly_is_the_askers(kept: Path, clone: Path, words: list[str], said: str) -> None:
    assert clone.exists()
    done = run(*(word.replace("KEPT", str(kept)) for word in words))
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_noise_floor_cannot_be_annotated_and_an_invalid_one_is_passed_over(tmp_path: Path, kept: Path) -> None:
    (floor,) = FolderStore(root=kept).opened().names("floors")
    digits = floor.rpartition("/")[2][:12]
    refused = run("annotate", kept, digits, "--why", "x")
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"'{floor}': no floor can be annotated; name a record or a campaign\n",
    )
    asked = ["report", "--store", str(kept), "--results", str(tmp_path / "from"), "--json", "-"]
    with_floor = json.loads(CliRunner().invoke(main, asked).stdout)
    run("invalidate", kept, digits, "--why", "fan")
    without = json.loads(CliRunner().invoke(main, asked).stdout)
    assert with_floor["campaigns"][0]["comparisons"][0]["noise_floor"] == 0.0003
    assert without["campaigns"][0]["comparisons"][0]["noise_floor"] is None


def test_a_hash_that_begins_several_is_refused(tmp_path: Path) -> None:
    store = FolderStore(root=tmp_path)
    store.add([entry_of(Kind.RAW, "x")])
    for name in ("abcdef" + "0" * 58, "abcdef" + "1" * 58):
        path = tmp_path / "campaigns/ab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    done = run("annotate", tmp_path, "abcdef", "--why", "x")
    assert done.exit_code == 2
    assert "begins 2 entries, such as 'campaigns/ab/abcdef0000" in done.stderr


def test_verify_says_what_there_is_or_every_fault(kept: Path) -> None:
    whole = run("verify", kept)
    assert whole.exit_code == 0
    assert whole.stdout.endswith(" octets, all whole\n")
    (kept / "stray").touch()
    next(path for path in (kept / "floors").rglob("*") if path.is_file()).unlink()
    next(path for path in (kept / "profiles").rglob("*") if path.is_file()).unlink()
    done = run("verify", kept)
    assert (done.exit_code, done.stdout) == (4, "")
    assert len(done.stderr.splitlines()) == 3


def test_a_list_of_what_cannot_all_be_read_tells_the_rest(kept: Path) -> None:
    record = next(path for path in (kept / "records").rglob("*") if path.is_file())
    record.chmod(0o644)
    record.write_text("{}")
    done = run("list", kept, "--campaign", "newer")
    assert done.exit_code == 4
    assert "its bytes are not those of its name, 2 octets" in done.stderr


def test_gc_says_what_goes_before_it_goes(kept: Path) -> None:
    orphan = entry_of(Kind.RAW, "nobody's")
    FolderStore(root=kept).add([orphan])
    aged(FolderStore(root=kept))
    assert run("gc", kept, "--dry-run").stdout == f"{orphan.path}\n"
    assert (kept / orphan.path).exists()
    assert run("gc", kept).stdout == f"{kept}: 1 entries and 0 temporary files removed\n"
    assert run("gc", kept, "--older-than", "1").stdout == f"{kept}: 0 entries and 0 temporary files removed\n"
    assert run("verify", kept).exit_code == 0


def test_results_with_a_refused_record_are_added_but_for_it(tmp_path: Path, results: Path) -> None:
    (broken, *_) = sorted((results / "records").rglob("repeat-2.json"))
    broken.write_text("{}")
    done = run("add", "--to", tmp_path / "kept", results)
    assert done.exit_code == 4
    assert str(broken) in done.stderr
    assert len(FolderStore(root=tmp_path / "kept").opened().names("records")) == 5


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("floors.json", "{", "is no list of noise floors"),
        ("floors.json", "[1]", "is no list of noise floors"),
        ("floors.json", '[{"hardware": "x"}]', "$: 'deviation' is a required property"),
        ("campaigns.json", "{}]", "is no list of campaigns"),
        ("campaigns.json", "\udcff", "cannot be read"),
    ],
)
def test_results_that_cannot_be_read_add_nothing(
    tmp_path: Path, results: Path, name: str, content: str, said: str
) -> None:
    (results / name).write_bytes(content.encode(errors="surrogateescape"))
    done = run("add", "--to", tmp_path / "kept", results)
    assert (done.exit_code, done.stdout) == (4, "")
    assert said in done.stderr
    assert not (tmp_path / "kept").exists()


def test_without_results_there_is_nothing_to_add(tmp_path: Path) -> None:
    done = run("add", "--to", tmp_path / "kept", tmp_path / "none")
    assert (done.exit_code, done.stderr) == (
        4,
        f"{tmp_path}/none: holds no results; measure first with './lab run'\n",
    )


def test_a_profile_that_does_not_fold_is_kept_as_it_is(tmp_path: Path) -> None:
    results = example.write_results(tmp_path / "results", profile="nonsense\n")
    run("add", "--to", tmp_path / "kept", results)
    reader = FolderStore(root=tmp_path / "kept").opened()
    assert reader.names("profiles") == []
    assert entry_of(Kind.RAW, "nonsense\n").path in reader.names("raw")


def test_the_raw_text_of_a_folded_profile_stays_behind_and_its_hash_does_not(kept: Path) -> None:
    reader = FolderStore(root=kept).opened()
    raw = entry_of(Kind.RAW, example.PERF)
    assert raw.path not in reader.names("raw")
    assert all(raw.sha256 in (kept / path).read_text() for path in reader.names("runs"))


def test_a_link_in_a_run_folder_is_not_followed(tmp_path: Path, results: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    case = next((results / "runs").rglob("prepare"))
    (case / "leak").symlink_to(tmp_path / "secret")
    run("add", "--to", tmp_path / "kept", results)
    assert entry_of(Kind.RAW, "secret").path not in FolderStore(root=tmp_path / "kept").opened().names("raw")


def test_the_schema_is_published() -> None:
    done = CliRunner().invoke(main, ["schema", "store"])
    assert (done.exit_code, done.stdout) == (0, SCHEMA_FILE.read_text())
