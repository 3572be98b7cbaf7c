"""What each format does with damaged, odd and absurd input, each in a sentence that names the place."""

from __future__ import annotations

import pytest

from fwdlab.errors import RecordError
from fwdlab.profiles.formats import FORMATS, fold
from tests.unit.profiles import written

STACK = ("ip_tryforward", "ip_input", "fork_exit")
PMC = written.pmcstat([("cpu_clk", [(STACK, 5)]), ("cpu_clk", [(STACK, 7)])])
DEPTH = 10_000
DEEP = tuple(f"f{place}" for place in range(DEPTH))


def refusal(text: str, name: str | None = None, event: str | None = None) -> str:
    with pytest.raises(RecordError) as refused:
        fold(text, "p", name, event)
    return str(refused.value)


@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_frames_are_a_stack(name: str) -> None:
    deeper = (*DEEP[:-1], "g")  # another caller far away from the leaf
    taken = [(DEEP, 3), (deeper, 2), (DEEP[:1], 1)]
    text = {
        "pmc": flat_pmcstat(taken),
        "perf": written.perf("cpu-clock", taken),
        "dtrace": written.dtrace(taken),
        "folded": written.folded(taken),
    }[name]
    profile = fold(text, "p", name)
    assert (len(profile.stacks), profile.total) == (3, 6)
    assert max(len(stack.frames) for stack in profile.stacks) in {DEPTH, DEPTH + 1}


def flat_pmcstat(taken: written.Taken) -> str:
    """The call graph of two branches that part at the last frame, and of samples that end at the root."""
    (deep, first), (deeper, second), (_, ended) = taken
    stem = [f"{' ' * depth}50.00%  [{first + second}]   {frame}" for depth, frame in enumerate(deep[:-1])]
    stem[0] = f"100.0%  [{first + second + ended}]   {deep[0]}"
    ends = [f"{' ' * len(stem)}50.00%  [{n}]   {stack[-1]}" for stack, n in ((deep, first), (deeper, second))]
    return "\n".join([f"@ e [{first + second + ended} samples]\n", *stem, *ends, "\n"])


def test_the_format_is_recognised_or_taken_as_said() -> None:
    taken = [(STACK, 2)]
    for text in (PMC, written.perf("c", taken), written.dtrace(taken), written.folded(taken)):
        assert fold(text, "p").total in {2, 12}
    assert refusal(PMC, "folded").startswith("p:1:1: '@ cpu_clk [5 samples]' is no folded stack")
    assert refusal(written.folded(taken), "dtrace").startswith("p: holds no samples")


def test_lines_of_dos_are_lines() -> None:
    for text in (PMC, written.perf("c", [(STACK, 2)]), written.dtrace([(STACK, 2)]), written.folded([(STACK, 2)])):
        assert fold(text.replace("\n", "\r\n"), "p") == fold(text, "p")


@pytest.mark.parametrize("name", ["dtrace", "folded"])
def test_a_format_that_names_no_event_has_none_to_choose(name: str) -> None:
    text = {"dtrace": written.dtrace, "folded": written.folded}[name]([(STACK, 2)])
    assert refusal(text, event="cycles").endswith("so 'cycles' cannot be chosen; leave out --event")


def test_perf_names_the_events_there_are() -> None:
    text = written.perf("cpu-clock", [(STACK, 2)]) + written.perf("cycles", [(STACK, 2)])
    assert refusal(text, event="misses") == "p: holds no samples of event 'misses'; it has 'cpu-clock', 'cycles'"


def test_a_line_missing_from_a_later_section_is_named_by_its_number() -> None:
    lines = PMC.split("\n")
    assert lines[9].startswith(" 100.0%")
    assert refusal("\n".join(lines[:9] + lines[10:])).startswith("p:10:1: stands more than one level below")


def test_a_tree_whose_root_is_missing_is_refused() -> None:
    lines = PMC.split("\n")
    assert refusal("\n".join(lines[:2] + lines[3:])).startswith("p:3:1: stands more than one level below")


def test_a_head_nobody_understands_is_refused() -> None:
    text = PMC + "@ cpu_clk [lots]\n\n"
    assert refusal(text).startswith("p:13:1: '@ cpu_clk [lots]' is no head of a section")


def test_what_stands_before_the_first_head_is_left_out_with_a_caveat() -> None:
    profile = fold(" 100.0%  [5]         fork_exit\n\n" + PMC, "p")
    assert profile.total == 12
    assert profile.caveats == ("1 line of no known form left out, the first is line 1",)


def test_an_excerpt_without_a_head_is_folded() -> None:
    profile = fold(PMC.partition("\n\n")[2].partition("\n@")[0] + "\n", "p")
    assert (profile.event, profile.total, profile.caveats) == ("", 5, ())


def test_a_count_of_more_than_18_digits_is_no_line_of_a_call_graph() -> None:
    profile = fold(PMC.replace("[5] ", "[1234567890123456789] "), "p")
    assert profile.total == 7
    assert profile.caveats == (
        "3 lines of no known form left out, the first is line 3",
        "its stacks hold 7 samples, its heads announce 12",
    )


def test_a_dtrace_count_of_many_digits_is_refused_with_its_line() -> None:
    text = written.dtrace([(STACK, 2)]) + "1" * 5000 + "\n"
    assert refusal(text) == "p:9:1: a count has 5000 digits, more than any profiler's; check what wrote it"


def test_a_profile_in_two_octets_a_letter_is_no_text_we_read() -> None:
    text = PMC.encode("utf-16").decode("utf-8", errors="replace")
    assert refusal(text).startswith("p:1:1: is not the text of a profiler: it holds a NUL")


def test_idle_frames_count_with_the_module_before_them() -> None:
    taken = [(("acpi_cpu_c1", "sched_idletd"), 3), (("lapic_handle_timer", "acpi_cpu_c1", "sched_idletd"), 1)]
    assert fold(written.pmcstat([("e", taken)]), "p").idle_share == 0.75
    assert fold(written.dtrace(taken), "p").idle_share == 0.75


@pytest.mark.parametrize("event", ["cycles:ppp", "cpu-cycles", "CPU_CLK_UNHALTED.THREAD"])
def test_an_event_that_stops_while_halted_says_so(event: str) -> None:
    taken = [(STACK, 2)]
    for text in (written.perf(event, taken), written.pmcstat([(event, taken)])):
        assert f"'{event}' stands still while a core is halted" in fold(text, "p").caveats[0]
    assert fold(written.perf("cpu-clock", taken), "p").caveats == ()
