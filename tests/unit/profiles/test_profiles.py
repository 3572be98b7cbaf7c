from __future__ import annotations

import pytest

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import self_weights
from fwdlab.profiles.formats import fold

SAMPLE = "swapper     0 [000]  1.5:     250000 cpu-clock: \n\tffff {leaf}+0x1 ([kernel.kallsyms])\n\n"


def test_a_sample_weighs_its_period_and_is_counted_once() -> None:
    profile = fold(SAMPLE.format(leaf="ip_forward") * 3, "p")
    assert profile.text == "swapper;ip_forward 750000\n"
    assert (profile.samples, profile.event) == (3, "cpu-clock")


def test_idle_is_what_the_leaf_does() -> None:
    profile = fold("swapper;do_idle;default_idle 3\nswapper;default_idle;net_rx_action;ip_rcv 1\n", "f")
    assert profile.idle_share == 0.75


def test_folded_text_folds_to_itself_with_equal_stacks_summed() -> None:
    assert fold("a;b 1\na;c 2\na;b 4\n", "f").text == "a;b 5\na;c 2\n"


def test_self_weight_goes_to_the_leaf_heaviest_first() -> None:
    assert self_weights(fold("a;b 1\na;c 2\nd;b 4\na 2\n", "f")) == (("b", 5), ("a", 2), ("c", 2))


def test_a_line_of_many_digits_takes_no_time() -> None:
    fold(SAMPLE.format(leaf="x") + f"a {'1' * 5000}x\n" + SAMPLE.format(leaf="y"), "p")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p: is empty; collect the profile again, while traffic is flowing"),
        (
            "# only a comment\n",
            "p: is neither a pmcstat call graph nor perf script nor DTrace stacks nor folded stacks; "
            "give a file one of these profilers wrote",
        ),
        (SAMPLE.format(leaf="x")[:-1], "p:2:1: ends within a sample, so the profile is cut; collect it again"),
        (SAMPLE.format(leaf="x")[:-3], "p:2:1: ends within a sample, so the profile is cut; collect it again"),
        ("a;b 1\na;c\n", "p:2:1: 'a;c' is no folded stack; a line is frames and a count of at most 18 digits"),
        ("a;b 0\n", "p: holds no samples; collect the profile again, while traffic is flowing"),
    ],
)
def test_what_is_no_whole_profile_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(RecordError) as refused:
        fold(text, "p")
    assert str(refused.value) == message


def test_a_profile_without_samples_is_refused() -> None:
    with pytest.raises(RecordError, match="holds no samples"):
        fold("# captured on: today\n\n", "p", "perf")
