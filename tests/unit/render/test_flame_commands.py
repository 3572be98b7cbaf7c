from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.profiles import written
from tests.unit.render import examples

FEW = [(("ip_rcv", "netisr"), 3)]


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


def two_events(folder: Path, name: str = "two") -> Path:
    """A profile of cycles and of instructions, which were taken in other functions."""
    source = folder / name
    source.write_text("swapper 0 1.5: 7 cycles:\n\tffff ip_rcv (x)\n\na 1 1.6: 9 instructions:\n\tffff ip_rcv (x)\n\n")
    return source


@pytest.mark.parametrize(
    ("words", "drawn", "other"),
    [([], "cycles", "instructions"), (["--event", "instructions"], "instructions", "cycles")],
)
def test_one_event_is_drawn_and_the_other_is_told(words: list[str], drawn: str, other: str, tmp_path: Path) -> None:
    source = two_events(tmp_path)
    assert fwdlab("flame", *words, str(source)).exit_code == 0
    text = (tmp_path / "two.html").read_text()
    assert f"1 sample of {drawn}" in text
    assert f"1 sample of event &#39;{other}&#39; left out: only &#39;{drawn}&#39; is folded" in text


def test_a_difference_is_of_the_event_that_was_asked_for(tmp_path: Path) -> None:
    sides = str(two_events(tmp_path, "old")), str(two_events(tmp_path, "new"))
    assert fwdlab("flame", "--diff", "--event", "instructions", *sides).exit_code == 0
    assert "Samples of instructions: 1 in old and 1 in new" in (tmp_path / "new.diff.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no samples of event 'misses'; it has 'cycles', 'instructions'"),
        (written.pmcstat([("a", FEW), ("b", FEW)]), "holds no samples of event 'misses'; it has 'a', 'b'"),
        ("a;b 3\n", "folded stacks name no event, so 'misses' cannot be chosen; leave out --event"),
    ],
    ids=["perf", "pmcstat", "folded"],
)
def test_an_event_that_is_not_there_is_refused_with_those_that_are(text: str, said: str, tmp_path: Path) -> None:
    source = two_events(tmp_path)
    source.write_text(text or source.read_text())
    done = fwdlab("flame", "--event", "misses", str(source))
    assert (done.exit_code, done.stdout, done.stderr) == (4, "", f"{source}: {said}\n")
    assert not (tmp_path / "two.html").exists()
