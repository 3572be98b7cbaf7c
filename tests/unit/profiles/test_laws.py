"""What holds whoever took the profile: no sample is lost or moved, and the order they are written in says nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import RecordError
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.formats import fold
from tests.unit.profiles import written
from tests.unit.profiles.written import TAKEN, Taken, stacks_of


def weights(profile: Profile) -> dict[str, int]:
    return {stack.folded: stack.weight for stack in profile.stacks}


@given(st.lists(TAKEN, min_size=1, max_size=4))
def test_pmcstats_sections_fold_to_the_stacks_that_were_taken(cores: list[Taken]) -> None:
    profile = fold(written.pmcstat([("cpu_clk", taken) for taken in cores]), "p")
    assert weights(profile) == stacks_of([item for taken in cores for item in taken])
    assert profile.samples == profile.total


@given(TAKEN)
def test_perfs_samples_fold_to_the_stacks_that_were_taken(taken: Taken) -> None:
    profile = fold(written.perf("cpu-clock", taken), "p")
    assert weights(profile) == {f"swapper;{stack}": weight for stack, weight in stacks_of(taken).items()}
    assert (profile.samples, profile.caveats) == (len(taken), ())


@given(TAKEN)
def test_dtraces_stacks_fold_to_the_stacks_that_were_taken(taken: Taken) -> None:
    profile = fold(written.dtrace(taken), "p")
    assert weights(profile) == stacks_of([(tuple(f"kernel`{frame}" for frame in stack), n) for stack, n in taken])
    assert profile.caveats == ()


@given(st.data(), TAKEN)
def test_the_order_of_samples_says_nothing(data: st.DataObject, taken: Taken) -> None:
    other = data.draw(st.permutations(taken))
    assert fold(written.folded(taken), "p") == fold(written.folded(other), "p")
    assert fold(written.perf("cpu-clock", taken), "p") == fold(written.perf("cpu-clock", other), "p")
    assert fold(written.dtrace(taken), "p") == fold(written.dtrace(other), "p")


@given(TAKEN, TAKEN)
def test_the_order_of_sections_says_nothing_where_the_event_is_one(first: Taken, second: Taken) -> None:
    sections = [("cpu_clk", first), ("cpu_clk", second)]
    assert fold(written.pmcstat(sections), "p") == fold(written.pmcstat(sections[::-1]), "p")


@given(TAKEN, TAKEN)
def test_an_event_folds_the_same_whatever_stands_beside_it(first: Taken, second: Taken) -> None:
    both = fold(written.pmcstat([("misses", first), ("clocks", second)]), "p", event="clocks")
    assert both.stacks == fold(written.pmcstat([("clocks", second)]), "p").stacks
    both = fold(written.perf("misses", first) + written.perf("clocks", second), "p", event="clocks")
    assert both.stacks == fold(written.perf("clocks", second), "p").stacks


@given(TAKEN)
def test_folding_what_is_folded_changes_nothing(taken: Taken) -> None:
    for text in (written.pmcstat([("c", taken)]), written.perf("c", taken), written.dtrace(taken)):
        once = fold(text, "p")
        again = fold(once.text, "p")
        assert (again.text, again.total, again.idle_share) == (once.text, once.total, once.idle_share)


@given(st.data(), st.lists(TAKEN, min_size=1, max_size=2))
def test_a_call_graph_cut_anywhere_is_refused_or_doubted(data: st.DataObject, cores: list[Taken]) -> None:
    whole = written.pmcstat([("cpu_clk", taken) for taken in cores])
    ends = {len(written.pmcstat([("cpu_clk", taken) for taken in cores[:count]])) for count in range(3)}
    at = data.draw(st.integers(1, len(whole) - 1).filter(lambda place: place not in ends))
    try:
        profile = fold(whole[:at], "p", "pmc")
    except RecordError:
        return
    taken = stacks_of([item for core in cores for item in core])
    assert [caveat for caveat in profile.caveats if "cut" in caveat or "announce" in caveat]
    if not whole[:at].endswith("\n"):
        assert all(weight <= taken[stack] for stack, weight in weights(profile).items())


@given(st.text("@ ;`[]%.01a\n\t+x(:)", max_size=60))
def test_any_text_is_folded_or_refused_in_a_sentence(text: str) -> None:
    for name in (None, "pmc", "perf", "dtrace", "folded"):
        try:
            profile = fold(text, "p", name)
        except RecordError as error:
            said = str(error)
        else:
            said = f"p: {profile.total}"
        assert said.startswith("p:")
        assert "\n" not in said
        assert said != "p: 0"
