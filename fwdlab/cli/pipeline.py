"""`fwdlab pipeline`: the child pipeline of GitLab that measures what is to be measured now."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import click

from fwdlab.cli.plan import plan_page
from fwdlab.errors import MatrixError
from fwdlab.files import write_whole
from fwdlab.matrix.expand import quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import dates_of, history_of
from fwdlab.matrix.model import Matrix
from fwdlab.matrix.options import matrix_options, seconds_of
from fwdlab.matrix.plan import NO_HISTORY, Plan, Planned, make_plan, refuse_above, repeat_s
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.pipeline.changes import changes
from fwdlab.pipeline.child import File, Setting, answerable, children, handed_on
from fwdlab.pipeline.decide import Decision, Known, Request, Source, decide
from fwdlab.pipeline.limits import refuse_packed
from fwdlab.pipeline.surroundings import surroundings_of
from fwdlab.pipeline.target import Asked, Before, as_declared, cases_at
from fwdlab.pipeline.words import decision_lines, jobs_lines
from fwdlab.store.measured import dates_in
from fwdlab.store.options import PLACE
from fwdlab.store.place import store_at

_MATRIX = Path("matrix.yaml")


@click.command()
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Write the files there.")
@matrix_options
@click.option("--source", type=click.Choice([str(item) for item in Source]), help="What began it; GitLab's word.")
@click.option("--against", metavar="COMMIT", help="What a change is held against; the target of the merge request.")
@click.option("--campaign", envvar="FWDLAB_CAMPAIGN", metavar="NAME", help="By hand: the cases of this campaign.")
@click.option("--cases", "pattern", envvar="FWDLAB_CASES", metavar="PATTERN", help="By hand: cases whose name fits.")
@click.option("--budget", envvar="FWDLAB_BUDGET", metavar="TIME", help="By schedule: most lab time of one machine.")
@click.option(
    "--stale-after",
    envvar="FWDLAB_STALE_AFTER",
    metavar="TIME",
    default="168h",
    show_default=True,
    help="By schedule: age at which a result is taken again.",
)
@click.option("--cap", envvar="FWDLAB_CAP", metavar="TIME", help="As of 'fwdlab plan'; instead of the matrix's 'cap'.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), help="What is measured already.")
@click.option("--store", envvar="FWDLAB_STORE", metavar=PLACE, help="What is measured already, instead of --results.")
def command(  # noqa: PLR0913 - one argument an option
    *,
    out: Path,
    matrix: Path,
    quick: bool,
    runner_scripts: Path,
    source: str | None,
    against: str | None,
    campaign: str | None,
    pattern: str | None,
    budget: str | None,
    stale_after: str,
    cap: str | None,
    results: Path,
    store: str | None,
) -> None:
    """Decide which cases are measured now, and write the child pipeline that measures them below OUT.

    Prints the plan, which also lies there as plan.txt: what is measured, what is left out and why, lab time, jobs, the
    runners that are waited for. A merge request measures what it changes, a push what it changed, a schedule what is
    stale, and a pipeline by hand what is asked for; each with what it is compared with.
    """
    around = surroundings_of(os.environ)
    asked = Asked(matrix=matrix, runner_scripts=runner_scripts, quick=quick)
    request = Request(
        source=Source(source) if source else around.source,
        now=datetime.now(UTC),
        trusted=around.trusted,
        campaign=campaign,
        pattern=pattern,
        stale_after_s=seconds_of("--stale-after", stale_after),
        budget_s=None if budget is None else seconds_of("--budget", budget),
    )
    declared = quick_of(load_matrix(matrix)) if quick else load_matrix(matrix)
    cap_s = declared.cap_s if cap is None else seconds_of("--cap", cap)
    found = _decided(declared, asked, request, against or around.against, Past(results=results, store=store))
    refuse_above(found.plan, cap_s)
    files = children(
        found.plan,
        declared.machines,
        Setting(folder=_below(matrix.parent), publishes=around.publishes, store=store or "", part=""),
    )
    page = "".join(f"{line}\n" for line in _page(found, request.source, files, cap_s))
    files = (*files, *handed_on(found.plan), _text("plan.txt", page), _text("command", f"{_command_line(asked)}\n"))
    refuse_packed(found.plan.origin, (file.text for file in files))
    for file in files:
        write_whole(out / file.name, file.text)
    click.echo(page, nl=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """Where earlier results lie."""

    results: Path
    store: str | None  # as a command line names it

    def dates(self, planned: Sequence[Planned]) -> tuple[dict[str, datetime], str]:
        """When each whole case was measured last, by its key, and why that is not known if it is not."""
        if self.store is None:
            return dates_of(self.results, planned), ""
        try:
            return dates_in(store_at(self.store).opened(), {item.key: item.repeats for item in planned}), ""
        except MatrixError as error:
            return {}, f"no case counts as measured: {error}"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """What is measured, as decided and as planned."""

    decision: Decision
    plan: Plan
    doubts: tuple[str, ...]


def _decided(declared: Matrix, asked: Asked, request: Request, against: str, past: Past) -> _Found:
    cases = resolved_cases(declared, asked.runner_scripts)
    timed = replace(NO_HISTORY, boot_s=history_of(past.results, cases).boot_s)
    whole = make_plan(declared, cases, timed)
    before = Before(cases={}, doubt="")
    if request.source in {Source.MERGE_REQUEST, Source.PUSH}:
        before = cases_at(against, asked)
    measured, doubt = past.dates(whole.planned)
    known = Known(
        changed=changes(as_declared(declared, asked.runner_scripts), before.cases),
        measured=measured,
        cost_s=_costs(whole),
    )
    decision = decide(cases, whole.campaigns, request, known)
    plan = make_plan(declared, decision.cases, timed)
    notes = tuple(note for note in plan.notes if note in whole.notes)  # what is left out has been told
    plan = replace(plan, campaigns=answerable(plan.campaigns), notes=notes)
    return _Found(decision=decision, plan=plan, doubts=tuple(filter(None, (before.doubt, doubt))))


def _costs(plan: Plan) -> dict[tuple[str, ...], float]:
    """Lab time of each case: all its repeats and its profile."""
    boot_s = {item.machine.name: item.boot_s for item in plan.machines}
    return {item.case.names: _cost(item, boot_s[item.case.hardware.name]) for item in plan.planned}


def _cost(item: Planned, boot_s: float) -> float:
    return item.repeats * repeat_s(item.case, boot_s) + boot_s


def _page(found: _Found, source: Source, files: Sequence[File], cap_s: float | None) -> Iterator[str]:
    yield from decision_lines(source, found.doubts, found.decision)
    if found.plan.planned:
        yield ""
        yield from plan_page(found.plan, cap_s)
        yield ""
        yield from jobs_lines(found.plan, files)


def _below(folder: Path) -> str:
    """A folder as jobs find it, which begin in the checkout; one that lies elsewhere by its whole path."""
    whole, here = folder.resolve(), Path.cwd().resolve()
    return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else whole.as_posix()


def _text(name: str, text: str) -> File:
    return File(name=name, text=text, octets=0)


def _command_line(asked: Asked) -> str:
    """What measures the same without GitLab, as a page tells its reader."""
    words = ["./lab", "run", *([] if asked.matrix == _MATRIX else ["-m", str(asked.matrix)])]
    return shlex.join([*words, "--quick"] if asked.quick else words)
