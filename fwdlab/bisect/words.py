"""What a search says: a line a step, and at the end what was found, each figure with its interval and n."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from fwdlab.analyse.result import Comparison
from fwdlab.analyse.synthesis import outcome
from fwdlab.analyse.words import effect_text, level_text, percent, repeats_text
from fwdlab.bisect.model import FINDINGS, Commit, Found, Mark, Measured, Outcome, Spread, Stuck, Unchanged


def commit_text(commit: Commit) -> str:
    """A commit in a line: `3f2a10b77c01 ipv4: drop early`."""
    return f"{commit.short} {commit.subject}".rstrip()


def rate_text(measured: Measured) -> str:
    """What a commit forwards: `141.5 kpps, n 5`."""
    return f"{level_text(measured.mean, 'forwarded')}, n {len(measured.values)}"


def end_text(mark: Mark, measured: Measured) -> str:
    """An end with its figure."""
    return f"{mark}: {commit_text(measured.commit)}: {rate_text(measured)}"


def left_text(suspects: int, least: int, steps: int) -> str:
    """What is left to do, in git's words; `least` is how many suspects the next step clears at least."""
    left = suspects - least - 1
    return (
        f"bisecting: {left} revision{'s' * (left != 1)} left to test after this "
        f"(roughly {steps} step{'s' * (steps != 1)})"
    )


def judged_notes(measured: Measured, good: Comparison, bad: Comparison, *, sure: bool) -> tuple[str, ...]:
    """What stands beside a judged commit: its rate, and what it is against either end of the range."""
    notes = (rate_text(measured), f"against good: {outcome(good)}; against bad: {outcome(bad)}")
    return notes if sure else (*notes, "in doubt: the repeats do not tell which end is nearer; the mean decides")


def compared_text(comparison: Comparison) -> str:
    """A comparison with its n and threshold."""
    repeats = repeats_text(len(comparison.base.values), len(comparison.new.values))
    return f"{outcome(comparison)} ({repeats}, threshold {percent(comparison.threshold)})"


def against_text(comparison: Comparison) -> str:
    """A commit against its parent."""
    return f"against its parent {comparison.base_arm}: {compared_text(comparison)}"


def report(found: Outcome) -> Iterator[str]:
    """The result, in lines."""
    match found:
        case Unchanged():
            yield from _unchanged(found)
        case Spread():
            yield from _spread(found)
        case Stuck():
            yield f"only skipped commits are left ({outcome(found.rest)} together); the first with the change is one of"
            yield from (f"  {commit_text(commit)}" for commit in found.suspects)
        case Found():
            yield from _found(found)
        case _:
            assert_never(found)


def _unchanged(found: Unchanged) -> Iterator[str]:
    whole = found.whole
    effect = "" if whole.delta is None else f"{effect_text(whole.delta, whole.low, whole.high)}, "
    repeats = repeats_text(len(whole.base.values), len(whole.new.values))
    shown = "" if whole.mde is None else f" ({repeats} resolve {percent(whole.mde)})"
    yield f"the ends do not differ by {percent(whole.threshold)}: {effect}{whole.verdict}{shown}; there is none to find"
    yield from (f"  - {caveat}" for caveat in whole.caveats)


def _spread(found: Spread) -> Iterator[str]:
    yield f"no single commit: the change of {outcome(found.whole)} is spread over several"
    yield f"  halving came down to the {found.commits} commits of {found.rest.base_arm}..{found.rest.new_arm}, together"
    yield f"  {compared_text(found.rest)}"


def _found(found: Found) -> Iterator[str]:
    yield f"{found.culprit.id} is the first commit with the change"
    yield f"  {found.culprit.subject}"
    yield f"  author date {found.culprit.date}"
    yield from (f"  {against_text(item)}" for item in found.against)
    yield from (f"  not measured: its parent {item.commit.short}: {item.reason}" for item in found.unmeasured)
    yield f"  {_verdict(found)}"
    yield from _rest(found)


def _verdict(found: Found) -> str:
    if found.verified:
        return f"verified; it is {100 * found.share:.0f} % of the change between the ends, {outcome(found.whole)}"
    if found.refuted:
        return "not verified: it does not differ from a parent; the change is spread over several commits"
    return "not verified: these repeats do not show the change against its parents; more --repeats may"


def _rest(found: Found) -> Iterator[str]:
    """Where the ends differ beside the culprit."""
    for where, item in (("before", found.before), ("after", found.after)):
        if item is not None and item.verdict in FINDINGS:
            yield f"  {outcome(item)} {where} it as well: bisect {item.base_arm} {item.new_arm}"


def step_text(mark: Mark, notes: Sequence[str]) -> str:
    """How a step ended."""
    return f"  {mark}: {'; '.join(notes)}"
