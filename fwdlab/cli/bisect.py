"""`fwdlab bisect`: which commit of a git tree changed a case."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TypedDict, Unpack

import click

from fwdlab.bisect.campaign import campaign_of
from fwdlab.bisect.fixup import parse_fixup
from fwdlab.bisect.history import History
from fwdlab.bisect.journal import Journal
from fwdlab.bisect.judge import Judge
from fwdlab.bisect.lab import CommitLab
from fwdlab.bisect.mend import Mended
from fwdlab.bisect.model import Found, Outcome, Stuck
from fwdlab.bisect.place import folder_of, key_of
from fwdlab.bisect.search import Question, Search
from fwdlab.bisect.words import report
from fwdlab.campaign import FEWEST_REPEATS, VIRTUAL_THRESHOLD, campaigns_text
from fwdlab.case import Case, Kind, Lab, Patch, Revision
from fwdlab.cli.compare import Share
from fwdlab.cli.run import EXIT_INTERRUPTED, command_line, figure
from fwdlab.cli.site import floors_of, publish
from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import write_whole
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.pick import pick
from fwdlab.matrix.resolve import runner_sha256
from fwdlab.matrix.words import quoted
from fwdlab.run.lock import locked
from fwdlab.run.scripts import Bench


class _Options(TypedDict):
    source: Path
    firewall: str
    hardware: str | None
    traffic: str | None
    fixup: tuple[str, ...]
    first_parent: bool
    threshold: float
    repeats: int
    matrix: Path
    quick: bool
    runner_scripts: Path
    results: Path
    public: Path
    jobs: int | None


@click.command()
@click.argument("good")
@click.argument("bad")
@click.option("--source", type=click.Path(path_type=Path), required=True, metavar="TREE", help="The git tree.")
@click.option("--firewall", required=True, metavar="NAME", help="Of the matrix; 'forwarding' is none.")
@click.option("--hardware", metavar="NAME", help="Of the matrix; its first machine of the virtual lab by default.")
@click.option("--traffic", metavar="NAME", help="Of the matrix; its first by default.")
@click.option("--fixup", multiple=True, metavar="FILE:FROM..TO", help="A patch for commits that contain FROM, not TO.")
@click.option("--first-parent", is_flag=True, help="Take a merge as one commit.")
@click.option("--threshold", type=Share(), default=VIRTUAL_THRESHOLD, help="Smaller changes are none.  [default: 0.2%]")
@click.option("--repeats", type=click.IntRange(min=FEWEST_REPEATS), default=5, show_default=True)
@matrix_options
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--public", type=click.Path(path_type=Path), default=Path("public/bisect"), show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), help="Boots of the virtual lab side by side.")
def command(good: str, bad: str, **options: Unpack[_Options]) -> None:
    """Find the commit between GOOD and BAD of a git tree that changed the forwarding rate, for better or worse.

    Halves the range as 'git bisect' does, goes around commits that do not build or boot, and measures what it found
    against its parent. Stopped, it goes on where it was. The log it prints is one for 'git bisect replay'.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    history = History(tree=options["source"], first_parent=options["first_parent"])
    history.refuse_changed()
    root = folder_of(options["results"], history.tree)
    try:
        with locked(root):
            write_whole(root / "command", f"{command_line()}\n")
            search, lab = _prepared(good, bad, history, root, options)
            found = search.found()
            click.echo("\n".join(report(found)))
            if isinstance(found, Found):
                _published(found, search, lab, options["public"])
            click.echo(f"log: {search.journal.path}\n{search.journal.text}", nl=False)
    except KeyboardInterrupt:
        click.echo("stopped; what is measured is kept, and the same command goes on from there", err=True)
        sys.exit(EXIT_INTERRUPTED)
    _end(found, search)


def _prepared(good: str, bad: str, history: History, root: Path, options: _Options) -> tuple[Search, CommitLab]:
    """The search and the lab it measures with."""
    declared = load_matrix(options["matrix"])
    question = Question(good=history.commit(good), bad=history.commit(bad), repeats=options["repeats"])
    fixups = tuple(parse_fixup(word, history) for word in options["fixup"])
    like = _like(declared, history, options)
    floor = floors_of(options["results"]).get(like.hardware.name)
    judge = Judge(
        threshold=options["threshold"], machine=like.hardware.name, noise_floor=floor.deviation if floor else None
    )
    lab = CommitLab(
        like=like,
        ends=(question.good, question.bad),
        history=history,
        fixups=fixups,
        mended=Mended(folder=root / "mended.git", history=history),
        bench=Bench(scripts=options["runner_scripts"], workspace=declared.folder, results=root),
        seed=declared.seed,
        jobs=options["jobs"],
        figure=lambda event: figure(event, root),
    )
    key = key_of(question, judge, like, fixups, first_parent=history.first_parent)
    journal = Journal(path=root / "searches" / key / "log")
    search = Search(
        question=question, history=history, judge=judge, measure=lab.measure, journal=journal, tell=click.echo
    )
    return search, lab


def _like(declared: Matrix, history: History, options: _Options) -> Case:
    """The case to measure, its revision yet to be filled in."""
    tree = str(history.tree.resolve())
    if not tree.isprintable():
        raise MatrixError(f"--source: {quoted(tree)} has characters that no case file can hold; rename the folder")
    virtual = [machine for machine in declared.machines if machine.lab is Lab.QEMU]
    machine = pick("--hardware", options["hardware"], virtual)
    return Case(
        hardware=machine.hardware,
        revision=Revision(name="", kind=Kind.GIT, package=tree, version="", sha256=""),
        firewall=pick("--firewall", options["firewall"], declared.firewalls),
        patch=Patch(name="none", file="", sha256="", options=""),
        traffic=pick("--traffic", options["traffic"], declared.traffic),
        runner_sha256=runner_sha256(machine.lab, options["runner_scripts"]),
    )


def _published(found: Found, search: Search, lab: CommitLab, public: Path) -> None:
    """A page of the commit against its parent, with the profiles of both; prints where it is."""
    if not found.against:
        return
    parent = next(
        commit for commit in lab.history.parents(found.culprit.id) if commit.short == found.against[0].base_arm
    )
    pair = (parent, found.culprit)
    cases = [case for case in map(lab.case, pair) if isinstance(case, Case)]
    root = lab.bench.results
    campaign = campaign_of(found, parent, cases, 2 * search.question.repeats, search.judge.threshold)
    write_whole(root / "campaigns.json", campaigns_text([campaign]))
    for sentence in publish(root, public):
        click.echo(sentence, err=True)


def _end(found: Outcome, search: Search) -> None:
    """The exit status, by an error of its family where the search did not find what was asked for."""
    if isinstance(found, Stuck):
        raise MatrixError(
            f"{search.history.tree}: only commits that do not build or boot are left; mend them with --fixup"
        )
    if isinstance(found, Found) and not found.verified and not found.refuted:
        raise RecordError(f"{found.culprit.short}: is not verified against its parents; measure with more --repeats")
