"""`fwdlab pps`: one line a log with a rate, every doubt on standard error."""

from __future__ import annotations

import gzip
from pathlib import Path

from click.testing import CliRunner, Result

from fwdlab.cli import main
from tests.unit.generators.pkt_gen_logs import head, log_of

STEADY = [800_000 + second for second in range(40)]


def pps(*words: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["pps", *words], input=given)


def test_each_log_with_a_rate_is_a_line_that_begins_with_it(tmp_path: Path) -> None:
    for name, data in (("a", log_of(STEADY)), ("b", log_of([7] * 18)), ("c", log_of([*STEADY, 5]))):
        (tmp_path / name).write_bytes(data)
    done = pps(*(str(tmp_path / name) for name in "abc"))
    assert done.stdout == f"800018.5 {tmp_path}/a\n800019 {tmp_path}/c\n"
    assert done.exit_code == 0
    assert done.stderr.startswith(f"{tmp_path}/b: invalid: the receiver's log has 2 seconds above 0 pps")


def test_a_log_with_a_rate_may_be_invalid(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(log_of(STEADY, last="12.1 main_thread [1] ouch, thread 0 exited with error"))
    done = pps(str(tmp_path / "a"))
    assert (done.exit_code, done.stdout) == (0, f"800018.5 {tmp_path}/a\n")
    assert "invalid: the receiver said 'ouch, thread 0 exited with error' (line 49)" in done.stderr


def test_standard_input_is_a_log() -> None:
    assert pps("-", given=log_of(STEADY)).stdout == "800018.5 -\n"


def test_what_is_no_log_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    for name, data in (("a", b"\x7fELF\0"), ("b", log_of(STEADY)), ("c", b"")):
        (tmp_path / name).write_bytes(data)
    done = pps(*(str(tmp_path / name) for name in "abc"))
    assert (done.exit_code, done.stdout) == (4, f"800018.5 {tmp_path}/b\n")
    assert done.stderr.splitlines()[-1].startswith(f"{tmp_path}/a: is no log of pkt-gen")
    assert f"{tmp_path}/c: invalid: the generator's log is empty" in done.stderr


def test_a_log_that_is_not_there_is_the_command_lines_fault(tmp_path: Path) -> None:
    done = pps(str(tmp_path / "none"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path}/none: cannot be read (No such file or directory); name a generator's log\n"


def test_a_folder_among_logs_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(log_of(STEADY))
    (tmp_path / "c").write_bytes(gzip.compress(log_of(STEADY)))
    done = pps(str(tmp_path), *(str(tmp_path / name) for name in "bc"))
    assert (done.exit_code, done.stdout) == (2, f"800018.5 {tmp_path}/b\n")
    assert done.stderr == (
        f"{tmp_path}: cannot be read (Is a directory); name a generator's log\n"
        f"{tmp_path}/c: is no log of pkt-gen; give what its sender or receiver printed, unpacked\n"
    )


def test_a_log_of_head_and_tail_alone_has_no_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("\n".join(head()))
    assert pps(str(tmp_path / "a")).stdout == ""
