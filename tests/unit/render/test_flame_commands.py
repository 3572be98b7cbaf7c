from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.render import examples


def fwdlab(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_profile_becomes_one_file_that_needs_no_other(tmp_path: Path) -> None:
    source = tmp_path / "a.folded"
    source.write_text(examples.FOLDED)
    done = fwdlab("flame", str(source), "--title", "<b>{{ x }}")
    page = tmp_path / "a.folded.html"
    assert (done.exit_code, done.stdout) == (0, f"{page}\n")
    text = page.read_text()
    assert "<h1>&lt;b&gt;{{ x }}</h1>" in text
    assert "29 samples, idle share 6.9 %" in text
    assert 'src="' not in text
    assert "http-equiv" not in text


def test_a_frame_cannot_end_the_script_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "a.folded").write_text("swapper;</script><script>alert(1)</script> 1\n")
    assert fwdlab("flame", str(tmp_path / "a.folded")).exit_code == 0
    assert "<script>alert" not in (tmp_path / "a.folded.html").read_text()


def test_folded_text_goes_to_standard_output_and_doubts_to_standard_error(tmp_path: Path) -> None:
    source = tmp_path / "perf.script"
    source.write_text("swapper 0 1.5: 7 cpu-clock:\n\tffff ip_rcv (x)\n\na 1 1.6: 7 cycles:\n\tffff b (x)\n\n")
    done = fwdlab("fold", str(source))
    assert (done.exit_code, done.stdout) == (0, "swapper;ip_rcv 7\n")
    assert done.stderr == f"{source}: 1 sample of event 'cycles' left out: only 'cpu-clock' is folded\n"


@pytest.mark.parametrize("command", ["fold", "flame"])
def test_a_cut_profile_is_a_sentence_and_exit_status_4(command: str, tmp_path: Path) -> None:
    source = tmp_path / "perf.script"
    source.write_text("swapper 0 1.5: 7 cpu-clock:\n\tffff ip_rc")
    done = fwdlab(command, str(source))
    assert (done.exit_code, done.stdout) == (4, "")
    assert done.stderr == f"{source}:2:1: ends within a sample, so the profile is cut; collect it again\n"
