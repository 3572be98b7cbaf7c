"""The search: ends, merge bases, halving, and the culprit against its parents.

The next commit follows from the log alone, so a search that was cut off goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fwdlab.analyse.result import Comparison, Verdict
from fwdlab.bisect import log, words
from fwdlab.bisect.history import History
from fwdlab.bisect.journal import Journal
from fwdlab.bisect.judge import Judge, nearer, next_suspect, steps_of
from fwdlab.bisect.model import (
    FINDINGS,
    Commit,
    Found,
    Mark,
    Measure,
    Measured,
    Outcome,
    Skipped,
    Spread,
    Stuck,
    Tried,
    Unchanged,
)
from fwdlab.campaign import FEWEST_REPEATS
from fwdlab.errors import MatrixError, RecordError

_LOOKS = 3  # at a commit that lies near the middle, each with twice the repeats of the one before


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is asked."""

    good: Commit
    bad: Commit
    repeats: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """How far the search is: the nearest measured commits on both sides, and what was ruled out."""

    good: Measured  # the last that was judged good
    bad: Measured  # the last that was judged bad
    goods: tuple[str, ...]
    skipped: frozenset[str]

    def after(self, mark: Mark, measured: Measured) -> Range:
        """The range once that commit is judged."""
        if mark is Mark.BAD:
            return replace(self, bad=measured)
        return replace(self, good=measured, goods=(*self.goods, measured.commit.id))

    def without(self, commit: str) -> Range:
        """The range once that commit is skipped."""
        return replace(self, skipped=self.skipped | {commit})


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A commit with the end it is nearer to."""

    measured: Measured
    mark: Mark
    sure: bool  # the repeats tell; else the mean decided


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """A question with everything that is needed to answer it."""

    question: Question
    history: History
    judge: Judge
    measure: Measure
    journal: Journal
    tell: Callable[[str], object]

    def found(self) -> Outcome:
        """Carry the search out, as far as the log does not have it already."""
        begun = self._ends()
        whole = self._compared(begun.good, begun.bad)
        if whole.verdict is Verdict.INVALID:
            raise RecordError(f"{self.journal.path}: {'; '.join(whole.caveats)}; remove it to start anew")
        if whole.verdict not in FINDINGS:
            return Unchanged(whole=whole)
        self.tell(f"  bad against good: {words.compared_text(whole)}")
        suspects = len(self.history.suspects(begun.bad.commit.id, begun.goods))
        looks = _LOOKS * max(1, (suspects - 1).bit_length())
        return self._halved(self._past_merge_bases(self._resumed(begun), looks), whole, looks)

    def _ends(self) -> Range:
        """Both ends measured; they are not judged, since the user says which is which."""
        question = self.question
        if question.good.id == question.bad.id:
            raise MatrixError(f"{self.history.tree}: both ends are {question.good.short}; name two commits")
        known = log.parse_log(self.journal.text, str(self.journal.path))
        if known.ends not in {None, (question.good.id, question.bad.id)}:
            raise RecordError(f"{self.journal.path}: is the log of other ends; remove it to start anew")
        values = [known.values.get(commit.id) for commit in (question.good, question.bad)]
        if values[0] and values[1]:
            good = Measured(commit=question.good, values=values[0], invalid=())
            bad = Measured(commit=question.bad, values=values[1], invalid=())
        else:
            good, bad = (_whole(end) for end in self._tried([question.good, question.bad], question.repeats))
            start = log.start_text(good.commit, bad.commit, first_parent=self.history.first_parent)
            self.journal.add(log.ends_text(good, bad) + ("" if known.ends else start))
        self.tell(words.end_text(Mark.GOOD, good))
        self.tell(words.end_text(Mark.BAD, bad))
        return Range(good=good, bad=bad, goods=(good.commit.id,), skipped=frozenset())

    def _resumed(self, begun: Range) -> Range:
        """The range after every commit that the log has a mark of."""
        known = log.parse_log(self.journal.text, str(self.journal.path))
        for commit, mark in known.marks:
            begun = self._with(begun, commit, mark, known.values.get(commit))
        if known.marks:
            self.tell(f"  going on after {len(known.marks)} commits that {self.journal.path} has")
        return begun

    def _with(self, of: Range, commit: str, mark: Mark, values: tuple[float, ...] | None) -> Range:
        if mark is Mark.SKIP:
            return of.without(commit)
        at = self.history.at(commit)
        if values is None:  # marked by hand
            measured = _whole(self._tried([at], self.question.repeats)[0])
        else:
            measured = Measured(commit=at, values=values, invalid=())
        return of.after(mark, measured)

    def _past_merge_bases(self, of: Range, looks: int) -> Range:
        """The range after the merge bases, where the good end is no ancestor of the bad one.

        Halving takes for granted that whatever the bad end has in common with the good one is good.
        """
        good, bad = self.question.good, self.question.bad
        if self.history.is_ancestor(good.id, bad.id):
            return of
        bases = self.history.merge_bases(good.id, bad.id)
        if not bases:
            raise MatrixError(f"{self.history.tree}: {good.short} and {bad.short} have no commit in common")
        if bad.id in bases:
            raise MatrixError(
                f"{self.history.tree}: {good.short} contains {bad.short}; give them in the other order, since a change "
                "is found in either direction"
            )
        for base in map(self.history.at, bases):
            if base.id not in {*of.goods, *of.skipped}:
                self.tell(f"the ends have a merge base, which is to be good: {words.commit_text(base)}")
                of = self._past(base, of, looks)
        return of

    def _past(self, base: Commit, of: Range, looks: int) -> Range:
        tried = self._tried([base], self.question.repeats)[0]
        if isinstance(tried, Skipped):
            return self._without(tried, of)
        judged = self._judged(tried, of, looks)
        if judged.mark is Mark.BAD:
            raise MatrixError(
                f"{self.history.tree}: merge base {base.short} is like the bad end, so the change lies on the other "
                f"branch; bisect {base.short} {self.question.good.short}"
            )
        return self._with_judged(judged, of)

    def _halved(self, of: Range, whole: Comparison, looks: int) -> Outcome:
        """What is left in the end."""
        while True:
            suspects = self.history.suspects(of.bad.commit.id, of.goods)
            rest = self._compared(of.good, of.bad)
            if len(suspects) > 1 and rest.verdict is Verdict.SAME:
                return Spread(whole=whole, rest=rest, commits=len(suspects))
            chosen = next_suspect(suspects, of.skipped)
            if chosen is None:
                return self._stuck(of, rest) if len(suspects) > 1 else self._verified(of.bad.commit, whole)
            commit = self.history.at(chosen.id)
            self.tell(words.left_text(len(suspects), chosen.apart, steps_of(len(suspects))))
            self.tell(f"  {words.commit_text(commit)}")
            tried = self._tried([commit], self.question.repeats)[0]
            if isinstance(tried, Skipped):
                of = self._without(tried, of)
            else:
                of = self._with_judged(self._judged(tried, of, looks), of)

    def _without(self, skipped: Skipped, of: Range) -> Range:
        """The range without a commit that cannot be measured; the log has it from now on."""
        self.journal.add(log.skipped_text(skipped.commit, skipped.reason))
        self.tell(words.step_text(Mark.SKIP, [skipped.reason]))
        return of.without(skipped.commit.id)

    def _with_judged(self, judged: Judged, of: Range) -> Range:
        """The range after a commit; the log has it from now on."""
        good, bad = (self._compared(end, judged.measured) for end in (of.good, of.bad))
        notes = words.judged_notes(judged.measured, good, bad, sure=judged.sure)
        self.journal.add(log.judged_text(judged.mark, judged.measured, notes))
        self.tell(words.step_text(judged.mark, notes))
        return of.after(judged.mark, judged.measured)

    def _judged(self, measured: Measured, of: Range, looks: int) -> Judged:
        """The end a commit is nearer to, with more repeats while they do not tell; at last the mean decides."""
        for look in range(1, _LOOKS + 1):
            mark = self.judge.side(of.good, of.bad, measured, looks)
            if mark is not None:
                return Judged(measured=measured, mark=mark, sure=True)
            if look < _LOOKS:
                measured = _whole(self._tried([measured.commit], self.question.repeats << look)[0])
        return Judged(measured=measured, mark=nearer(of.good, of.bad, measured), sure=False)

    def _stuck(self, of: Range, rest: Comparison) -> Stuck:
        suspects = self.history.oldest_first(of.bad.commit.id, of.goods)
        self.journal.add(log.stuck_text(suspects))
        return Stuck(suspects=suspects, rest=rest)

    def _verified(self, culprit: Commit, whole: Comparison) -> Found:
        """The culprit against its parents, all with twice the repeats, measured in turns."""
        parents = self.history.parents(culprit.id)
        self.tell(f"verifying {words.commit_text(culprit)} against its parent{'s' * (len(parents) != 1)}")
        *tried, last = self._tried([*parents, culprit], 2 * self.question.repeats)
        found = self._proof(_whole(last), tried, whole)
        self.journal.add(log.found_text(culprit, [words.against_text(item) for item in found.against]))
        return found

    def _proof(self, culprit: Measured, parents: Sequence[Tried], whole: Comparison) -> Found:
        measured = [parent for parent in parents if isinstance(parent, Measured)]
        good, bad = (
            Measured(commit=commit, values=side.values, invalid=())
            for commit, side in ((self.question.good, whole.base), (self.question.bad, whole.new))
        )
        return Found(
            culprit=culprit.commit,
            whole=whole,
            against=self.judge.compared(measured, culprit),
            unmeasured=tuple(parent for parent in parents if isinstance(parent, Skipped)),
            before=self._compared(good, measured[0]) if measured else None,
            after=self._compared(culprit, bad),
        )

    def _compared(self, base: Measured, new: Measured) -> Comparison:
        return self.judge.compared([base], new)[0]

    def _tried(self, commits: Sequence[Commit], repeats: int) -> list[Tried]:
        return [_usable(tried) for tried in self.measure(commits, repeats)]


def _usable(tried: Tried) -> Tried:
    """A commit whose repeats say nothing is skipped like one that does not boot."""
    if isinstance(tried, Skipped) or (len(tried.values) >= FEWEST_REPEATS and min(tried.values) > 0):
        return tried
    total = len(tried.values) + len(tried.invalid)
    reasons = "; ".join(tried.invalid) or "a repeat forwarded nothing"
    valid = sum(value > 0 for value in tried.values)
    return Skipped(commit=tried.commit, reason=f"only {valid} of {total} repeats are valid: {reasons}")


def _whole(tried: Tried) -> Measured:
    """A commit that must be measured, since the search stands on it."""
    if isinstance(tried, Skipped):
        raise MatrixError(
            f"{words.commit_text(tried.commit)}: {tried.reason}; choose another commit, or mend it with --fixup"
        )
    return tried
