"""`fwdlab bench patches`: whether the shipped patches get the verdict that their instructions say, again and again."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from fwdlab.analyse.campaign import judged
from fwdlab.analyse.result import Comparison
from fwdlab.bench import measured
from fwdlab.campaign import Campaign
from fwdlab.case import AXES
from fwdlab.errors import MatrixError
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.plan import Plan, make_plan
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.model import Record
from fwdlab.run.lock import locked
from fwdlab.run.scripts import Bench

_MARGIN = 0.001  # of the rate: how far a mean effect may lie from the one its instructions say
_NAMES = ("firewall", "traffic")  # what the truth is told for, beside the patch

Key = tuple[str, ...]  # patch, firewall, traffic


@dataclass(frozen=True, kw_only=True, slots=True)
class Truth:
    """What a patch does to a packet's cost, from the disassembly."""

    before: int  # instructions a packet costs without it
    difference: int  # instructions more with it
    verdict: str

    @property
    def effect(self) -> float:
        """Relative change of the forwarding rate."""
        return self.before / (self.before + self.difference) - 1


@click.command("patches")
@matrix_options
@click.option("--campaign", "name", default="what-the-patches-cost", show_default=True)
@click.option("--truth", type=click.Path(path_type=Path), default=Path("patches/truth.tsv"), show_default=True)
@click.option("--campaigns", "count", type=click.IntRange(min=1), default=10, show_default=True, help="Repetitions.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results/bench"), show_default=True)
def command(  # noqa: PLR0913 - one argument an option
    *, matrix: Path, quick: bool, runner_scripts: Path, name: str, truth: Path, count: int, results: Path
) -> None:
    """Measure the campaign of the patches several times, each time with other boots, and hold it against the truth.

    Prints, for every comparison, the effect that the instructions say, the effects that were measured, and how often
    each verdict was given. Exit status 1 where a verdict is wrong or a mean effect is off by 0.1 percentage points.
    """
    known = _truths(truth)
    declared = load_matrix(matrix)
    cases = resolved_cases(declared, runner_scripts)
    plan = make_plan(declared, cases, history_of(results, cases))
    campaign = next((item for item in plan.campaigns if item.name == name), None)
    if campaign is None or quick:
        raise MatrixError(f"{matrix}: campaign '{name}' has nothing to compare; name another with --campaign")
    wide = _widened(plan, campaign, count)
    with locked(results):
        records = measured(wide, Bench(scripts=runner_scripts, workspace=declared.folder, results=results))
    found = [item for turn in range(count) for item in _verdicts(campaign, records, turn)]
    wrong = list(_report(found, known))
    click.echo(f"{count} campaigns of {campaign.repeats} repeats, {len(wrong)} comparisons wrong")
    sys.exit(bool(wrong))


def _truths(path: Path) -> Mapping[Key, Truth]:
    """The truth of each patch, firewall and traffic."""
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        return {
            (row["patch"], *(row[axis] for axis in _NAMES)): Truth(
                before=int(row["before"]), difference=int(row["difference"]), verdict=row["verdict"]
            )
            for row in csv.DictReader(lines, delimiter="\t")
        }
    except (OSError, UnicodeDecodeError, KeyError, ValueError) as error:
        raise MatrixError(f"{path}: cannot be read as a table of truths ({error}); see patches/README.md") from error


def _widened(plan: Plan, campaign: Campaign, count: int) -> Plan:
    """Only the campaign's cases, with boots enough for so many campaigns of it; profiles are not needed."""
    ours = {member.key for member in campaign.members}
    repeats = count * campaign.repeats
    planned = (replace(item, repeats=repeats, profiled=True) for item in plan.planned if item.key in ours)
    return replace(plan, planned=tuple(planned))


def _verdicts(campaign: Campaign, records: Sequence[Record], turn: int) -> tuple[Comparison, ...]:
    """The comparisons of one repetition: it has boots of its own, so no two repetitions share a value."""
    first = turn * campaign.repeats
    ours = [record for record in records if first < record.trial.repeat <= first + campaign.repeats]
    return judged(campaign, ours, {}, {}).comparisons


def _report(found: Sequence[Comparison], known: Mapping[Key, Truth]) -> Iterator[Key]:
    """A line for each comparison; yields those that are not as the truth has them."""
    held = [axis for axis in AXES if axis != "patch"]
    by_key: dict[Key, list[Comparison]] = {}
    for item in found:
        names = dict(zip(held, item.names, strict=True))
        by_key.setdefault((item.new_arm, *(names[axis] for axis in _NAMES)), []).append(item)
    for key, items in by_key.items():
        if key not in known:
            raise MatrixError(f"{'/'.join(key)}: has no line in the table of truths; add one")
        truth, deltas = known[key], [item.delta for item in items if item.delta is not None]
        mean = sum(deltas) / max(1, len(deltas))
        counts = {
            verdict: sum(item.verdict == verdict for item in items) for verdict in {item.verdict for item in items}
        }
        said = ", ".join(f"{verdict} {number} of {len(items)}" for verdict, number in sorted(counts.items()))
        click.echo(
            f"{'/'.join(key)}: {truth.difference:+d} of {truth.before} instructions say {truth.effect:+.2%}, "
            f"measured {mean:+.2%} ({min(deltas, default=0):+.2%} to {max(deltas, default=0):+.2%}), "
            f"expected {truth.verdict}, found {said}"
        )
        if set(counts) != {truth.verdict} or abs(mean - truth.effect) > _MARGIN:
            yield key
