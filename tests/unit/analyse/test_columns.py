from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.columns import NotANumberError, c_float, column_values


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=20))
def test_what_is_written_is_read(values: list[float]) -> None:
    text = "".join(f"{value!r} # {index}\n" for index, value in enumerate(values))
    assert column_values(text, 1, " \t") == tuple(values)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("-.5e1", -5.0), ("7.", 7.0), ("0x1p4", 16.0), ("  3", 3.0), ("0x1p99999", math.inf)],
)
def test_numbers_are_those_of_strtod(text: str, value: float) -> None:
    assert c_float(text) == value


@pytest.mark.parametrize("text", ["", "1_000", "nan", "1 ", "e5", "1e", "0x", "\u0661"])
def test_texts_that_are_no_numbers(text: str) -> None:
    assert c_float(text) is None


def test_a_bad_field_is_named_with_its_line() -> None:
    with pytest.raises(NotANumberError, match="line 3 holds '1,5'") as caught:
        column_values("1\n# none\n1,5\n", 1, " ")
    assert caught.value.line == 3


def test_delimiters_are_characters_not_patterns() -> None:
    assert column_values("1^2]3\n4-5\\6\n", 3, "^]-\\") == (3.0, 6.0)
