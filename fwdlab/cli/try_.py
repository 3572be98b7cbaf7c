"""`fwdlab try`: what one kernel patch costs or wins."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from fwdlab.campaign import FEWEST_REPEATS, USUAL_MINISTAT, VIRTUAL_THRESHOLD
from fwdlab.case import Kind, Lab, Patch
from fwdlab.cli.compare import Share
from fwdlab.cli.run import EXIT_INTERRUPTED, measure
from fwdlab.cli.site import pages_of
from fwdlab.errors import MatrixError, RecordError
from fwdlab.files import sha256_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.model import EVERYTHING, Ask, Matrix, Source
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.pick import pick
from fwdlab.matrix.plan import make_plan
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.matrix.words import quoted
from fwdlab.run.lock import locked
from fwdlab.run.scripts import Bench

EXIT_WORSE = 1
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._+-]+")
_LONGEST_NAME = 40
_UNPATCHED = Patch(name="none", file="", sha256="", options="")


@click.command()
@click.argument("patch", type=click.Path(path_type=Path))
@click.option("--base", metavar="REV", help="Revision to patch, of the matrix; with --source a branch, tag or commit.")
@click.option("--source", metavar="TREE", help="Git tree or URL to patch, instead of a revision of the matrix.")
@click.option("--firewall", multiple=True, metavar="NAME", help="Of the matrix, may be repeated; its first by default.")
@click.option("--hardware", metavar="NAME", help="Of the matrix; its first machine of the virtual lab by default.")
@click.option("--traffic", metavar="NAME", help="Of the matrix; its first by default.")
@click.option("--threshold", type=Share(), default=VIRTUAL_THRESHOLD, help="Smaller changes are none.  [default: 0.2%]")
@click.option("--repeats", type=click.IntRange(min=FEWEST_REPEATS), default=5, show_default=True)
@matrix_options
@click.option("--results", type=click.Path(path_type=Path), default=Path("results/try"), show_default=True)
@click.option("--public", type=click.Path(path_type=Path), default=Path("public/try"), show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), help="Boots of the virtual lab side by side.")
def command(  # noqa: PLR0913 - one argument an option
    *,
    patch: Path,
    base: str | None,
    source: str | None,
    firewall: Sequence[str],
    hardware: str | None,
    traffic: str | None,
    threshold: float,
    repeats: int,
    matrix: Path,
    quick: bool,
    runner_scripts: Path,
    results: Path,
    public: Path,
    jobs: int | None,
) -> None:
    """Build a kernel with PATCH and without, measure both in turns, and say what it costs or wins.

    Exit status: 0 same or better, 1 worse, 2 a patch that does not fit, build or boot, 3 trouble in the lab, 4 no
    verdict could be given. What is measured of the unpatched kernel is kept for the next patch.
    """
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    declared = load_matrix(matrix)
    asked = replace(
        declared,
        machines=(pick("--hardware", hardware, [item for item in declared.machines if item.lab is Lab.QEMU]),),
        sources=(_base(declared, base, source),),
        firewalls=tuple(pick("--firewall", name, declared.firewalls) for name in dict.fromkeys(firewall) or (None,)),
        patches=(_UNPATCHED, _patch(patch, declared.folder)),
        traffic=(pick("--traffic", traffic, declared.traffic),),
        exclude=(),
        include=frozenset(),
        quick=None,
    )
    asked = replace(asked, asks=(_ask(asked, patch, threshold, FEWEST_REPEATS if quick else repeats),))
    sys.exit(
        _tried(asked, Bench(scripts=runner_scripts, workspace=declared.folder, results=results), public, jobs, begin)
    )


def _base(declared: Matrix, base: str | None, tree: str | None) -> Source:
    """The revision to patch: the named one, the first that is built, or a commit of a git tree."""
    if tree is None:
        built = [item for item in declared.sources if item.kind.built]
        return pick("--base", base, built)
    return Source(
        name=_name(base or "HEAD"),
        title=f"{base or 'HEAD'} of {tree}",
        kind=Kind.GIT,
        package=_seen_from(declared.folder, tree),
        version=base or "HEAD",
        line=0,
        column=0,
    )


def _patch(path: Path, folder: Path) -> Patch:
    try:
        digest = sha256_of(path)
    except OSError as error:
        raise MatrixError(
            f"{path}: cannot be read ({error.strerror}); name a unified diff, as git writes it"
        ) from error
    name = _name(path.stem)
    return Patch(
        name=name if name != _UNPATCHED.name else "patch", file=_seen_from(folder, str(path)), sha256=digest, options=""
    )


def _seen_from(folder: Path, place: str) -> str:
    """A path of this machine as the runner scripts find it from the folder of the matrix; a URL as it is."""
    seen = place
    if "://" not in place:
        whole, above = Path(place).resolve(), folder.resolve()
        seen = str(whole.relative_to(above)) if whole.is_relative_to(above) else str(whole)
    if not seen.isprintable():
        raise MatrixError(f"{quoted(place)}: has characters that no case file can hold; rename it")
    return seen


def _name(words: str) -> str:
    """A name as the matrix has them, for folders and pages."""
    return _NOT_IN_NAMES.sub("-", words).strip("-._+")[:_LONGEST_NAME] or "patch"


def _ask(asked: Matrix, path: Path, threshold: float, repeats: int) -> Ask:
    (source,), (_, patch) = asked.sources, asked.patches
    return Ask(
        name="try",
        title=f"What {patch.name} changes",
        question=f"What does {path.name} cost or win on {source.title}?",
        conditions=(f"machine: {asked.machines[0].title}", f"unpatched: {source.title}"),
        axis="patch",
        baseline=_UNPATCHED.name,
        arms=(),
        select=EVERYTHING,
        threshold=threshold,
        repeats=repeats,
        adaptive=None,
        gate=True,
        ministat=USUAL_MINISTAT,
    )


def _tried(asked: Matrix, bench: Bench, public: Path, jobs: int | None, begin: float) -> int:
    """Measure and judge; the exit status."""
    try:
        cases = resolved_cases(asked, bench.scripts)
        plan = make_plan(asked, cases, history_of(bench.results, cases))
        with locked(bench.results):
            return measure(plan, bench, jobs, public, begin) or _status(bench.results)
    except KeyboardInterrupt:
        click.echo("stopped; what is measured is kept, and the same command goes on from there", err=True)
        return EXIT_INTERRUPTED


def _status(results: Path) -> int:
    """The exit status that the verdicts come to."""
    from fwdlab.analyse.result import Verdict  # noqa: PLC0415 - statistics are slow to import

    verdicts = {item.verdict for page in pages_of(results)[0] for item in page.result.comparisons}
    if Verdict.WORSE in verdicts:
        return EXIT_WORSE
    return 0 if verdicts <= {Verdict.SAME, Verdict.BETTER} else RecordError.exit_code
