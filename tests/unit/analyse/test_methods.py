"""Rates of different methods have different names, and are never compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fwdlab.analyse.caveats import invalid_caveats
from fwdlab.analyse.result import METRICS, Sample
from fwdlab.analyse.samples import sample_of
from fwdlab.records.model import Label, Record
from tests.unit.analyse.records import record, searched, with_trial


def repeats(of: Record) -> list[Record]:
    return [with_trial(of, repeat=number) for number in (1, 2, 3)]


CURE = "; look at its trials, or widen the goal"
FRMOL = sample_of(repeats(record()))
NDR = sample_of(repeats(searched()))
PDR = sample_of(repeats(searched(label=Label.PDR, goal="loss goal 0.5 %")))
PDR_1 = sample_of(repeats(searched(label=Label.PDR, goal="loss goal 1 %")))
FR = sample_of(repeats(with_trial(record(), intended_pps=120_000.0)))


@pytest.mark.parametrize("label", Label)
def test_every_label_has_a_metric_of_its_own(label: Label) -> None:
    found = sample_of([searched(label=label)])
    assert label is Label.FRMOL or found.metric != FRMOL.metric
    assert found.metric in METRICS
    assert len({sample_of([searched(label=other)]).metric for other in Label}) == len(Label)


def test_only_the_rate_of_rfc_2544_is_called_throughput() -> None:
    named = {label: METRICS[sample_of([searched(label=label)]).metric].label for label in Label}
    assert [label for label, text in named.items() if "hroughput" in text] == [Label.THROUGHPUT]


def test_a_rate_says_how_it_was_found() -> None:
    assert FRMOL.method == "Forwarding rate at maximum offered load"
    assert NDR.method == "NDR (MLRsearch, RFC 9971): loss goal 0 %"
    assert FR.method == "Forwarding rate at the intended load: 120000 pps"


@pytest.mark.parametrize(("base", "new"), [(FRMOL, NDR), (NDR, PDR), (PDR, PDR_1), (FRMOL, FR)])
def test_two_methods_or_two_goals_are_not_compared(base: Sample, new: Sample) -> None:
    (caveat,) = invalid_caveats(base, new)
    assert caveat.endswith("rates of two methods are not compared")


def test_one_method_is() -> None:
    assert invalid_caveats(PDR, PDR) == ()


def test_an_irregular_result_leaves_the_sample_with_its_reason() -> None:
    found = sample_of([searched("the bounds were not close enough after 60 trials")])
    assert found.values == ()
    assert found.invalid == (f"repeat-1: irregular result: the bounds were not close enough after 60 trials{CURE}",)


def test_a_search_that_came_to_no_rate_says_so_once() -> None:
    gone = replace(
        with_trial(searched("nothing came through at maximum load"), forwarded_pps=None),
        faults=("irregular result: nothing came through at maximum load",),
    )
    assert sample_of([gone]).invalid == (f"repeat-1: irregular result: nothing came through at maximum load{CURE}",)


def test_what_a_told_load_costs_the_sender_is_no_limit() -> None:
    """Its calibration would be paced as well, and seem to be the limit."""
    assert sample_of(repeats(with_trial(record(), intended_pps=120_000.0))).values


@pytest.mark.parametrize(("label", "counts"), [(Label.CURVE, True), (Label.NDR, True), (Label.FR, False)])
def test_what_was_not_sent_in_time_is_loss_of_a_search_and_no_trial_of_a_load(label: Label, counts: bool) -> None:
    late = with_trial(searched(label=label), intended_pps=150_000.0)
    assert bool(sample_of([late]).values) is counts
