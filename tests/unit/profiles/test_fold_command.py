from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from fwdlab.cli import main


def fwdlab(*words: str, given: str = "") -> Result:
    return CliRunner().invoke(main, ["fold", *words], input=given)


def test_several_files_become_a_folder_of_folded_stacks(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x;idle 1\nx;cpu_idle 3\n")
    (tmp_path / "b").write_text("swapper 0 1.5: 7 cpu-clock:\n\tffff ip_rcv (x)\n\n")
    done = fwdlab(str(tmp_path / "a"), str(tmp_path / "b"), "-o", str(tmp_path / "out"))
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            f"{tmp_path}/out/a.folded: 2 stacks, 4 samples, 75.0 % idle",
            f"{tmp_path}/out/b.folded: 1 stack, 1 sample of cpu-clock, 0.0 % idle",
        ],
    )
    assert (tmp_path / "out" / "a.folded").read_text() == "x;cpu_idle 3\nx;idle 1\n"
    assert done.stderr == f"{tmp_path}/a: 75.0 % of it is idle; profile while the load is offered\n"


def test_a_bad_file_is_a_sentence_and_the_others_go_on(tmp_path: Path) -> None:
    for name, text in (("a", "x 1\n"), ("b", ""), ("c", "x\0"), ("d", "y 2\n")):
        (tmp_path / name).write_text(text)
    done = fwdlab(*(str(tmp_path / name) for name in "abcd"), "-o", str(tmp_path))
    assert done.exit_code == 4
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == [f"{tmp_path}/b", f"{tmp_path}/c:1:1"]
    assert (tmp_path / "d.folded").read_text() == "y 2\n"
    assert not (tmp_path / "b.folded").exists()


def test_several_files_need_a_folder(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text("x 1\n")
    done = fwdlab(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "--output: 2 files need a folder for their folded stacks; name one\n"


def test_files_of_one_name_are_refused_before_any_is_written(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a").write_text("x 1\n")
    done = fwdlab(str(tmp_path / "one" / "a"), str(tmp_path / "two" / "a"), "-o", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert done.stderr == "--output: 2 files are called 'a'; give each a folder of its own\n"
    assert not (tmp_path / "out").exists()


def test_standard_input_is_a_file() -> None:
    done = fwdlab("-", given="b 1\na 2\n")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "a 2\nb 1\n", "")


def test_a_folder_that_cannot_be_written_is_the_labs_fault(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x 1\n")
    (tmp_path / "out").write_text("")
    assert fwdlab(str(tmp_path / "a"), "-o", str(tmp_path / "out" / "deeper")).exit_code == 3
