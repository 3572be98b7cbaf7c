"""What goes wrong in one case ends that case alone, with a sentence, a status and its raw output kept."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.run.fakelab import CASES, REPEATS, ROOT, FakeLab

FINE = CASES * REPEATS


def slugs(lab: FakeLab, firewall: str) -> list[str]:
    """How often each repeat of a firewall's cases was tried."""
    return sorted(f"{slug} x{times}" for slug, times in lab.counted("traffic").items() if f"/{firewall}/" in slug)


def test_a_wrong_rule_file_is_tried_once_and_told_with_2(lab: FakeLab) -> None:
    done = lab.write(firewalls=["refused"]).run("--jobs", "1")
    assert done.exit_code == 2
    assert slugs(lab, "refused") == ["box/new/refused/none/udp4 1 x1", "box/old/refused/none/udp4 1 x1"]
    last = done.stderr.splitlines()[-2:]
    assert sorted(last) == [
        f"box/{revision}/refused/none/udp4: repeat 1: nft refuses 'rules.nft'; mend the rule file"
        for revision in ("new", "old")
    ]
    assert len(lab.measured) == FINE
    assert not list((lab.results / "records").rglob("refused"))


def test_a_broken_lab_is_tried_twice_and_told_with_3(lab: FakeLab) -> None:
    done = lab.write(firewalls=["broken"]).run("--jobs", "1")
    assert done.exit_code == 3
    assert slugs(lab, "broken") == ["box/new/broken/none/udp4 1 x2", "box/old/broken/none/udp4 1 x2"]
    assert (
        "box/old/broken/none/udp4: repeat 1: box: the guest stopped with 'Kernel panic'; read console.log"
        in done.stderr
    )
    assert len(lab.measured) == FINE


def test_the_author_of_the_change_is_told_first(lab: FakeLab) -> None:
    assert lab.write(firewalls=["broken", "refused"]).run().exit_code == 2


def test_the_page_says_what_could_not_be_compared_and_keeps_what_was_said(lab: FakeLab) -> None:
    done = lab.write(firewalls=["broken"]).run("--jobs", "1")
    assert done.stdout.count("invalid") == 1
    page = (lab.public / "campaigns/step.html").read_text()
    assert "the guest stopped with" in page
    reasons = sorted(path.parent.name for path in (lab.results / "runs").rglob("reason"))
    assert reasons == ["repeat-1.1", "repeat-1.1", "repeat-1.2", "repeat-1.2"]


def test_a_lab_that_recovers_is_no_failure_and_its_first_attempt_stands_on_the_page(lab: FakeLab) -> None:
    done = lab.write(firewalls=["flaky"]).run()
    assert done.exit_code == 0
    assert slugs(lab, "flaky") == [
        f"box/{revision}/flaky/none/udp4 {n} x2" for revision in ("new", "old") for n in (1, 2, 3)
    ]
    assert "the guest was killed; run again" in (lab.public / "campaigns/step.html").read_text()


def test_what_was_given_up_is_tried_again_by_the_next_run(lab: FakeLab) -> None:
    lab.write(firewalls=["broken"]).run("--jobs", "1")
    before = lab.evidence()
    assert lab.run("--jobs", "1").exit_code == 3
    assert slugs(lab, "broken") == ["box/new/broken/none/udp4 1 x4", "box/old/broken/none/udp4 1 x4"]
    assert lab.evidence() == before


def test_a_result_that_is_cut_off_is_no_record_and_told_with_4(lab: FakeLab) -> None:
    done = lab.write(firewalls=["cut"]).run()
    assert done.exit_code == 4
    assert done.stderr.count("the result is cut off; remove its folder and run again") == 2 * REPEATS
    assert "no figure; 'fwdlab record' says why" in done.stderr
    assert (lab.public / "index.html").exists()


def test_when_everything_fails_there_is_a_site_that_says_so(lab: FakeLab) -> None:
    lab.write(firewalls=["refused"])
    text = (lab.folder / "matrix.yaml").read_text()
    for old in ("  forwarding: {}\n", "  stateful: {rules: rules.nft}\n"):
        text = text.replace(old, "")
    (lab.folder / "matrix.yaml").write_text(text.replace("firewall: forwarding", "firewall: refused"))
    done = lab.run()
    assert done.exit_code == 2
    assert "invalid" in done.stdout
    assert "invalid" in (lab.public / "campaigns/step.html").read_text()


def test_a_changed_raw_file_is_refused_by_name_and_the_others_are_compared(lab: FakeLab) -> None:
    lab.run()
    raw = next((lab.results / "runs").glob("box/old/stateful/*/*/*/repeat-2/result"))
    raw.write_text(raw.read_text().replace("4000\t0\t5000", "4000\t0\t1000"))
    done = lab.run()
    assert done.exit_code == 4
    assert f"{raw}: its SHA-256 is not the manifest's, the file was changed" in done.stderr
    assert "set aside in" in done.stderr
    assert (lab.results / "refused" / raw.relative_to(lab.results / "runs").parent).with_suffix(".reason").exists()
    assert lab.run().exit_code == 4, "and it stays refused"
    shutil.rmtree(raw.parent)
    assert lab.run().exit_code == 0, "until it is measured again"


FULL = """
set -e
mount -t tmpfs -o size={size}k none {results}
set +e
{python} -m fwdlab {words} >{folder}/out 2>{folder}/err
echo $? >{folder}/status
cp -r {results} {folder}/kept
"""


def may_mount(folder: Path) -> bool:
    """Whether a small disk can be had in a mount namespace of our own."""
    probe = f"mount -t tmpfs none {folder}"
    return subprocess.run(["unshare", "-rm", "sh", "-c", probe], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("size", [16, 200])
def test_a_full_disk_ends_the_run_with_a_sentence_and_nothing_half_counts(lab: FakeLab, size: int) -> None:
    if not may_mount(lab.folder):
        pytest.skip("no mount namespace may be had here, so no small disk")
    lab.results.mkdir()
    words = " ".join(lab.words("--jobs", "1"))
    script = FULL.format(size=size, results=lab.results, folder=lab.folder, words=words, python=sys.executable)
    environment = {**lab.variables, "PYTHONPATH": str(ROOT)}
    subprocess.run(["unshare", "-rm", "sh", "-c", script], env=environment, check=True)
    said = (lab.folder / "err").read_text()
    assert (lab.folder / "status").read_text() == "3\n", said
    assert "No space left on device" in said
    assert "Traceback" not in said
    for repeat in (lab.folder / "kept/runs").rglob("repeat-[0-9]"):
        assert (repeat / "result").read_text().endswith("end\tok\n")
