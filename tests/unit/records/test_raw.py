from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example as seen
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import RecordError
from fwdlab.records.facts import Facts, parse_facts
from fwdlab.records.model import Clock
from fwdlab.records.raw import Result, parse_result
from tests.unit.records.example import SLICES, result_text


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        parse_result(text, "r")
    return str(caught.value)


def test_a_result_is_read_in_its_own_order() -> None:
    result = parse_result(result_text(), "r")
    assert [round(item.duration_s * 1e6) for item in result.phase("measured")] == list(SLICES)
    assert [item.packets for item in result.phase("calibration")] == [4000]
    assert result.facts[0] == ("kernel_release", "6.1.0-56-cloud-amd64")
    assert result.sysctls[-1] == ("net/core/netdev_budget", "300")
    assert {item.moment for item in result.counters} == {"before", "after"}
    assert result.phase("measured")[0].pps == pytest.approx(91056.0, rel=1e-5)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense\tx", "r:1: 'nonsense' is no line of a result; remove its folder and run again"),
        ("", "r:1: '' is no line of a result; remove its folder and run again"),
        ("end\tok", "r:1: 'end' is no line of a result; remove its folder and run again"),
        ("fact\tname", "r:1: 'fact' has 1 values, not 2; remove its folder and run again"),
        ("sysctl\ta\tb\tc", "r:1: 'sysctl' has 3 values, not 2; remove its folder and run again"),
        ("sample\tmeasured\t1\t0", "r:1: 'sample' has 3 values, not 4; remove its folder and run again"),
        ("sample\tmeasured\t1\t0\t-5", "r:1: '-5' is not a count; remove its folder and run again"),
        ("sample\tmeasured\t1.5\t0\t5", "r:1: '1.5' is not a count; remove its folder and run again"),
        ("sample\tmeasured\t\t0\t5", "r:1: '' is not a count; remove its folder and run again"),
        ("sample\tmeasured\t\u0661\t0\t5", "r:1: '\u0661' is not a count; remove its folder and run again"),
        ("sample\tmeasured\t7\t0\t0", "r:1: a sample of 7 packets took no time; remove its folder and run again"),
        (
            "sample\tcooldown\t7\t0\t1",
            "r:1: 'cooldown' is none of warmup, measured, calibration, validation; remove its folder and run again",
        ),
        (
            "counter\tduring\tdut:d0\trx_packets\t1",
            "r:1: 'during' is none of before, after; remove its folder and run again",
        ),
        ("counter\tbefore\tdut:d0\trx_packets\tmany", "r:1: 'many' is not a count; remove its folder and run again"),
    ],
)
def test_a_malformed_line_is_told_with_its_number(line: str, said: str) -> None:
    assert refusal(f"{line}\n{result_text()}") == said


def test_the_number_of_the_line_is_that_of_the_file() -> None:
    assert refusal(f"fact\ta\tb\nsample\tmeasured\tx\t0\t1\n{result_text()}").startswith("r:2: 'x'")


def test_a_count_of_too_many_digits_is_refused() -> None:
    assert "is not a count" in refusal(f"sample\tmeasured\t{'9' * 5000}\t0\t1\n{result_text()}")


@pytest.mark.parametrize("cut", [0, 1, 100, -1, -2, -len("end\tok\n")])
def test_a_result_that_is_cut_off_is_no_result(cut: int) -> None:
    text = result_text()[:cut]
    assert refusal(text) == f"r:{text.count(chr(10)) + 1}: the result is cut off; remove its folder and run again"


def test_a_guest_that_gave_up_left_no_result() -> None:
    assert "cut off" in refusal(result_text().replace("end\tok", "end\tfailed"))


def test_what_follows_the_end_is_not_the_end() -> None:
    assert "cut off" in refusal(result_text() + "fact\tlate\t1\n")


WORD = st.sampled_from(
    ["fact", "sysctl", "sample", "counter", "end", "ok", "measured", "before", "dut:d0", "12", "0", "-1"]
)
LINES = st.lists(st.lists(WORD | st.text(max_size=5), max_size=6).map("\t".join), max_size=8).map("\n".join)


@given(text=st.text() | LINES | LINES.map(lambda text: f"{text}\nend\tok\n"))
@seen(text="")
@seen(text="end\tok\n")
def test_whatever_a_file_holds_it_is_a_result_or_refused(text: str) -> None:
    with suppress(RecordError):
        assert isinstance(parse_result(text, "r"), Result)


def test_facts_are_read_by_name_and_the_last_one_counts() -> None:
    assert parse_facts("a\t1\nb\t2\t3\u2028\na\t4\n", "f") == {"a": "4", "b": "2\t3\u2028"}
    assert parse_facts("", "f") == {}


@pytest.mark.parametrize("text", ["nothing\n", "a\t1\n\n", "a\t1\nb"])
def test_a_fact_without_a_tab_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(RecordError, match=r"^f:\d: no tab in '.*'; remove its folder and run again$"):
        parse_facts(text, "f")


@given(st.text())
def test_whatever_facts_hold_they_are_facts_or_refused(text: str) -> None:
    with suppress(RecordError):
        assert isinstance(parse_facts(text, "f"), dict)


@pytest.mark.parametrize("text", ["soon", "nan", "inf", "-inf", "1e999"])
def test_a_fact_that_is_to_be_a_number_is_one(text: str) -> None:
    facts = Facts(Path("run/repeat-1"), {"boot_s": text, "empty": "", "fine": "1.5"})
    assert facts.number("fine") == 1.5
    assert facts.number("empty") is None
    assert facts.number("missing") is None
    with pytest.raises(RecordError, match=f"^run/repeat-1/facts: boot_s '{text}' is not a number"):
        facts.number("boot_s")


def test_a_clock_is_one_of_two() -> None:
    assert Facts(Path("r"), {}).clock() is Clock.WALL
    assert Facts(Path("r"), {"time": "virtual"}).clock() is Clock.VIRTUAL
    with pytest.raises(RecordError, match=r"^r/facts: time 'sun' is none of virtual, wall"):
        Facts(Path("r"), {"time": "sun"}).clock()
