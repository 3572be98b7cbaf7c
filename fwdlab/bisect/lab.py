"""Commits measured by the real laboratory: each is built, booted in rounds with the others, and recorded like any case.

What is measured already is kept among the results and not measured again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.analyse.samples import sample_of
from fwdlab.bisect.fixup import Fixup, mending
from fwdlab.bisect.history import History
from fwdlab.bisect.mend import Mended
from fwdlab.bisect.model import Commit, Measured, Skipped, Tried
from fwdlab.case import Case, Kind, Revision
from fwdlab.errors import LabError, MatrixError
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.plan import Plan, Planned
from fwdlab.records.store import Folders, load_records, make_records
from fwdlab.run.carry import Event, Failure
from fwdlab.run.scripts import Bench
from fwdlab.run.session import carry_plan
from fwdlab.run.tasks import Step


@dataclass(frozen=True, kw_only=True, slots=True)
class CommitLab:
    """Everything a commit is measured with."""

    like: Case  # the case to measure, but for its revision
    ends: tuple[Commit, Commit]
    history: History
    fixups: tuple[Fixup, ...]
    mended: Mended
    bench: Bench
    seed: int
    jobs: int | None
    figure: Callable[[Event], str]

    def measure(self, commits: Sequence[Commit], repeats: int) -> list[Tried]:
        """So many repeats of each commit, in turns; LabError where it is the lab that is broken."""
        found = {commit.id: self.case(commit) for commit in commits}
        cases = [case for case in found.values() if isinstance(case, Case)]
        failures = self._carried(cases, repeats, self.bench)
        self._refuse_broken_lab(failures)
        return [
            case if isinstance(case, Skipped) else self._tried(commit, case, repeats, failures.get(case.key))
            for commit, case in zip(commits, found.values(), strict=True)
        ]

    def case(self, commit: Commit) -> Case | Skipped:
        """The case of a commit, its fix-ups on top; skipped where one does not fit."""
        tree, version = self.history.tree.resolve(), commit.id
        if patch := mending(commit, self.fixups, self.history):
            mended = self.mended.commit(commit, patch)
            if isinstance(mended, Skipped):
                return mended
            tree, version = self.mended.folder.resolve(), mended
        revision = Revision(name=commit.short, kind=Kind.GIT, package=str(tree), version=version, sha256="")
        return replace(self.like, revision=revision)

    def _carried(self, cases: Sequence[Case], repeats: int, bench: Bench) -> dict[str, Failure]:
        """What failed, by the case's key; a profile that failed leaves the repeats as they are."""
        past = history_of(bench.results, cases)
        planned = tuple(
            Planned(
                case=case,
                key=case.key,
                repeats=repeats,
                done=past.done.get(case.key, frozenset()),
                profiled=case.key in past.profiled,
            )
            for case in cases
        )
        plan = Plan(origin=str(self.history.tree), seed=self.seed, planned=planned, machines=(), campaigns=(), notes=())
        failures = carry_plan(plan, bench, self.jobs, self.figure)
        return {failure.task.key: failure for failure in failures if failure.task.step is not Step.COLLECT}

    def _tried(self, commit: Commit, case: Case, repeats: int, failure: Failure | None) -> Tried:
        """The first so many repeats: an earlier search may have measured more, and the log is to be the same."""
        if failure:
            return Skipped(commit=commit, reason=_reason(failure))
        folders = Folders(results=self.bench.results)
        refused = make_records(folders, [case.folder])
        loaded = load_records(folders, [case.folder])
        records = [record for record in loaded.records if record.trial.repeat <= repeats]
        if not records:
            return Skipped(commit=commit, reason="; ".join((*refused, *loaded.refused)))
        sample = sample_of(records)
        return Measured(commit=commit, values=sample.values, invalid=(*sample.invalid, *refused, *loaded.refused))

    def _refuse_broken_lab(self, failures: Mapping[str, Failure]) -> None:
        """LabError where a failure may be the lab's own: it is no commit's, or an end that booted does so no more.

        A guest that does not come up is put down to its kernel, and may as well be the host's fault.
        """
        for failure in failures.values():
            if failure.task.step is Step.PREPARE and failure.outcome.status != MatrixError.exit_code:
                raise LabError(failure.message)
        stopped = [failure for failure in failures.values() if failure.task.step is Step.TRAFFIC]
        if not stopped or any(self._boots(case) for case in self._measured_ends()):
            return
        if self._measured_ends() or stopped[0].outcome.status != MatrixError.exit_code:
            raise LabError(f"{stopped[0].message}; neither end boots now")

    def _measured_ends(self) -> list[Case]:
        cases = [case for case in map(self.case, self.ends) if isinstance(case, Case)]
        done = history_of(self.bench.results, cases).done
        return [case for case in cases if done.get(case.key)]

    def _boots(self, case: Case) -> bool:
        """Whether a case that was measured boots once more, its result thrown away."""
        with tempfile.TemporaryDirectory(dir=self.bench.results) as folder:
            return not self._carried([case], 1, replace(self.bench, results=Path(folder)))


def _reason(failure: Failure) -> str:
    """What a script said of a commit, without the names that its reader has before him."""
    revision = failure.task.case.revision
    return failure.outcome.message.removeprefix(f"{revision.name} ({revision.package} {revision.version}): ")
