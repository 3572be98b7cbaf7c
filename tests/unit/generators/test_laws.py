"""What holds for every log of pkt-gen, and for every file that somebody takes for one."""

from __future__ import annotations

import io
import resource
from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import RecordError
from fwdlab.generators.faults import faults_of
from fwdlab.generators.pkt_gen import read_log
from fwdlab.generators.rule import BENCH_LAB, rate_text
from tests.unit.generators.pkt_gen_logs import Layout, log_of

RATES = st.lists(st.integers(min_value=0, max_value=10**9), max_size=80)


@given(RATES, st.sampled_from(Layout))
def test_the_rate_is_the_median_of_what_counts(rates: list[int], layout: Layout) -> None:
    log = read_log(io.BytesIO(log_of(rates, layout)), "log")
    counting = [rate for rate in rates[7 : max(7, len(rates) - 9)] if rate]
    assert BENCH_LAB.rate(log) == (median(counting) if len(counting) >= 3 else None)


@given(
    RATES,
    st.lists(st.integers(0, 10**9), min_size=7, max_size=7),
    st.lists(st.integers(0, 10**9), min_size=9, max_size=9),
)
def test_what_lies_outside_moves_nothing(rates: list[int], before: list[int], after: list[int]) -> None:
    first = read_log(io.BytesIO(log_of([*[0] * 7, *rates, *[0] * 9])), "log")
    second = read_log(io.BytesIO(log_of([*before, *rates, *after])), "log")
    assert BENCH_LAB.rate(first) == BENCH_LAB.rate(second)


@given(st.lists(st.integers(min_value=1, max_value=10**9), min_size=19, max_size=60))
def test_a_log_without_a_zero_has_no_fault(rates: list[int]) -> None:
    assert faults_of(read_log(io.BytesIO(log_of(rates)), "log"), BENCH_LAB) == ()


@given(st.binary(max_size=2000), st.integers(0, 3000))
def test_a_damaged_log_is_read_or_refused(noise: bytes, place: int) -> None:
    whole = log_of([800_000] * 40)
    try:
        log = read_log(io.BytesIO(whole[:place] + noise + whole[place:]), "log")
    except RecordError:
        return
    assert all(fault == fault.strip() and fault.isprintable() for fault in faults_of(log, BENCH_LAB))


@given(st.floats(min_value=1, max_value=1e15))
def test_a_rate_is_eight_digits(rate: float) -> None:
    assert abs(float(rate_text(rate)) - rate) <= rate * 5e-8


def test_a_line_of_a_hundred_megabytes_takes_little_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    log = read_log(_Endless(log_of([800_000] * 40), 100_000_000), "log")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes
    assert log.troubles[-1].said == "it is longer than any of pkt-gen"


class _Endless(io.BytesIO):
    """A log followed by one line of so many octets."""

    def __init__(self, log: bytes, octets: int) -> None:
        super().__init__(log)
        self.left = octets

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line of the log, then the long one."""
        if line := super().readline(size):
            return line
        taken = min(self.left, size or 0)
        self.left -= taken
        return b"x" * taken
