"""The case file: refused where it is none, and otherwise data that no shell ever evaluates."""

from __future__ import annotations

import shutil
from dataclasses import replace
from hashlib import sha256

import pytest

from fwdlab.case import case_text
from tests.scripts.runner.bench import Bench

STEPS = ("prepare", "traffic", "collect")
AGAIN = "write it again with 'fwdlab cases --write'"
ODD = {
    "command": "$(touch evaluated)",
    "backticks": "`touch evaluated`",
    "quotes": """it's "quoted" $HOME; touch evaluated""",
    "blanks": "  two  blanks  ",
    "option": "--help",
    "dash": "-",
    "star": "*",
    "backslash": r"a\tb\n\\",
    "html": "<script>alert(1)</script>&amp;",
    "percent": "%s%n",
    "parent": "../../../evaluated",
}
odd_values = pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())


def refusal(bench: Bench, step: str) -> str:
    """What a step says when it refuses a case before anything is touched."""
    done = bench.step(step)
    assert done.status == 2, done.said
    assert not done.did, "nothing may be fetched or booted"
    assert not bench.run.exists(), "nothing may be written"
    assert done.said == f"{done.last}\n", "one sentence is enough"
    return done.last


def evaluated(bench: Bench) -> bool:
    return any(bench.workspace.parent.rglob("*evaluated*"))


@pytest.mark.parametrize("step", STEPS)
def test_a_file_that_is_not_there_is_refused(bench: Bench, shell: str, step: str) -> None:
    bench.case_file.unlink()
    (bench.workspace / "a.case").mkdir()
    expected = f"{bench.case_file}: cannot be read; write it with 'fwdlab cases --write'"
    assert refusal(replace(bench, interpreter=shell), step) == expected
    bench.case_file.rmdir()
    (bench.workspace / "a.case").symlink_to("nowhere")
    assert bench.call(f"{step}.sh", "no.case", str(bench.run), *(["1"] if step == "traffic" else [])).last == (
        "no.case: cannot be read; write it with 'fwdlab cases --write'"
    )


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("text", ["", "\n", "format\tfwdlab-case 2\n", "format fwdlab-case 1\n", "\0\xff\n"])
def test_another_format_is_refused(bench: Bench, step: str, text: str) -> None:
    bench.case_file.write_text(text, encoding="latin-1")
    assert refusal(bench, step) == f"{bench.case_file}: is no case file of format 'fwdlab-case 1'; {AGAIN}"


def test_every_line_of_a_case_file_is_needed(bench: Bench) -> None:
    lines = case_text(bench.case).splitlines(keepends=True)
    for line in lines[1:]:
        bench.case_file.write_text("".join(other for other in lines if other != line))
        done = bench.prepare()
        assert done.status == 2, line
        assert done.last == f"{bench.case_file}: no line '{line.split()[0]}'; {AGAIN}"
        assert not done.did
        shutil.rmtree(bench.run, ignore_errors=True)


@pytest.mark.parametrize("step", STEPS)
def test_a_missing_line_is_refused_by_each_shell(bench: Bench, shell: str, step: str) -> None:
    bench.case_file.write_text(case_text(bench.case).replace("traffic.flows\t20\n", ""))
    assert refusal(replace(bench, interpreter=shell), step) == f"{bench.case_file}: no line 'traffic.flows'; {AGAIN}"


@pytest.mark.parametrize("step", STEPS)
def test_a_line_break_in_a_value_gives_no_second_meaning(bench: Bench, shell: str, step: str) -> None:
    revision = replace(bench.case.revision, name="old\nrevision.version\t$(touch evaluated)")
    odd_bench = replace(bench, interpreter=shell).with_case(revision=revision)
    assert refusal(odd_bench, step) == f"{bench.case_file}: two lines 'revision.version'; {AGAIN}"
    assert not evaluated(bench)


@pytest.mark.parametrize("count", ["", "x", "-1", "1.5", "$(touch evaluated)", "1 2"])
def test_a_count_is_a_whole_number(bench: Bench, count: str) -> None:
    bench.case_file.write_text(case_text(bench.case).replace("traffic.flows\t20\n", f"traffic.flows\t{count}\n"))
    done = bench.prepare()
    assert (done.status, done.did) == (2, [])
    assert done.last == f"{bench.case_file}: 'traffic.flows' is '{count}', not a whole number; {AGAIN}"
    assert not evaluated(bench)


def test_a_lab_nobody_knows_is_refused(bench: Bench) -> None:
    bench.case_file.write_text(case_text(bench.case).replace("hardware.lab\tqemu", "hardware.lab\t../qemu"))
    assert refusal(bench, "prepare") == "lab '../qemu' is not known; mend the hardware entry of the matrix"


def test_an_arch_nobody_knows_is_refused(bench: Bench) -> None:
    bench.case_file.write_text(case_text(bench.case).replace("arch\tx86_64", "arch\tsparc64"))
    done = bench.prepare()
    assert (done.status, done.did) == (2, [])
    assert done.last == "arch 'sparc64' is neither 'x86_64' nor 'aarch64'; mend the hardware entry of the matrix"


@odd_values
def test_an_odd_name_stays_a_name(bench: Bench, shell: str, odd: str) -> None:
    odd_bench = replace(bench, interpreter=shell).with_case(
        hardware=replace(bench.case.hardware, name=odd),
        revision=replace(bench.case.revision, name=odd),
        patch=replace(bench.case.patch, name=odd),
    )
    assert odd_bench.prepare().status == 0
    done = odd_bench.traffic(GUEST="lab")
    assert done.status == 3
    assert done.last.startswith(f"{odd}/{odd}/nft/{odd}/udp4: pktgen stopped in phase 'measured' (last words ")
    assert odd_bench.traffic(GUEST="refuse").last.startswith(f"{odd}/{odd}/nft/{odd}/udp4: rules/one.nft:4:2-9: ")
    assert not evaluated(bench)


@odd_values
def test_an_odd_rule_path_is_a_file_of_that_name_or_refused(bench: Bench, shell: str, odd: str) -> None:
    text = f"# {odd}\n"
    rules = replace(bench.case.firewall, rules=odd, sha256=sha256(text.encode()).hexdigest())
    odd_bench = replace(bench, interpreter=shell).with_case(firewall=rules)
    done = odd_bench.prepare()
    assert done.status == 2
    assert done.last == f"{odd}: rule file cannot be read; mend the firewall entry of the matrix"
    assert not evaluated(bench)
    if "/" not in odd:
        (bench.workspace / odd).write_text(text)
        assert odd_bench.prepare().status == 0
        assert (bench.run / "prepare/rules").read_text() == text


@odd_values
@pytest.mark.parametrize("field", ["package", "version"])
def test_an_odd_package_reaches_neither_apt_nor_the_cache(bench: Bench, shell: str, field: str, odd: str) -> None:
    old = bench.case.revision
    revision = replace(old, package=odd) if field == "package" else replace(old, version=odd)
    done = replace(bench, interpreter=shell).with_case(revision=revision).prepare()
    assert (done.status, done.did) == (2, [])
    assert done.last == (
        f"package '{revision.package}' in version '{revision.version}' cannot be one of Debian's; mend the revision"
    )
    assert not bench.cache.exists()
    assert not evaluated(bench)


@odd_values
def test_odd_settings_of_the_machine_are_single_words_for_qemu(ready: Bench, odd: str) -> None:
    settings = (*(pair for pair in ready.case.hardware.settings if pair[0] != "memory"), ("memory", odd), ("cpu", odd))
    odd_bench = ready.with_case(hardware=replace(ready.case.hardware, settings=settings))
    (ready.run / "case").write_text(case_text(odd_bench.case))
    assert odd_bench.traffic().status == 0
    words = ready.diary.with_suffix(".words").read_text().splitlines()
    assert [words[words.index(option) + 1] for option in ("-m", "-cpu")] == [odd, odd]
    assert not evaluated(ready)


@pytest.mark.parametrize("repeat", ["", "x", "1x", "-1", "1/../../2", "$(touch evaluated)", "1 2"])
def test_a_repeat_is_a_whole_number(ready: Bench, shell: str, repeat: str) -> None:
    before = ready.files()
    done = replace(ready, interpreter=shell).traffic(repeat)
    assert (done.status, done.did) == (2, [])
    assert done.last == f"traffic.sh: repeat '{repeat}' is not a whole number"
    assert ready.files() == before
    assert not evaluated(ready)


@pytest.mark.parametrize(
    ("script", "words", "expected"),
    [
        ("prepare.sh", ["a"], "prepare.sh: expected CASE_FILE RUN_FOLDER, got 1 words"),
        ("traffic.sh", ["a", "b"], "traffic.sh: expected CASE_FILE RUN_FOLDER REPEAT, got 2 words"),
        ("collect.sh", [], "collect.sh: expected CASE_FILE RUN_FOLDER, got 0 words"),
        ("labs/qemu/resolve.sh", ["a", "b"], "resolve.sh: expected KIND PACKAGE VERSION ARCH, got 2 words"),
    ],
)
def test_too_few_words_are_refused(bench: Bench, shell: str, script: str, words: list[str], expected: str) -> None:
    done = replace(bench, interpreter=shell).call(script, *words)
    assert (done.status, done.said) == (2, f"{expected}\n")
