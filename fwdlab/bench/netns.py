"""`fwdlab bench netns`: what each sender gets through one processor of this host, in turns, and how well it repeats."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev

import click

from fwdlab.analyse.gates import faults_of
from fwdlab.bench import measured
from fwdlab.case import Lab
from fwdlab.errors import MatrixError
from fwdlab.matrix.expand import only
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix, Native, Sender
from fwdlab.matrix.plan import make_plan
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.model import Record
from fwdlab.run.scripts import Bench
from fwdlab.units import common_scale

_ROOT = Path(__file__).parents[2]
_LEAST_GAIN = 1.2  # of the lab's own sender over trafgen, in frames forwarded
_LARGEST_VARIATION = 0.02
_PATTERN = "*/*/forwarding/none/udp4-64"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reached:
    """What one sender got through, over its trials."""

    sender: str
    offered_pps: float
    forwarded_pps: float
    variation: float  # coefficient of variation of what was forwarded
    trials: int
    own_part: float  # the sender's share of a packet's time
    faults: tuple[str, ...]  # why trials do not count, each once

    @property
    def dropped_pps(self) -> float:
        """Offered, and not forwarded; a frame under way when a count was taken is none."""
        return max(0.0, self.offered_pps - self.forwarded_pps)


@click.command("netns")
@click.option("-m", "--matrix", type=click.Path(path_type=Path), default=_ROOT / "examples/netns.yaml")
@click.option("--runner-scripts", type=click.Path(path_type=Path), default=_ROOT / "runner-scripts")
@click.option("--repeats", type=click.IntRange(min=3), default=5, show_default=True)
@click.option(
    "--sender",
    "senders",
    type=click.Choice([sender.value for sender in Sender]),
    multiple=True,
    default=("auto", "packet", "trafgen"),
    show_default=True,
    help="The senders to compare; the first one is the lab's.",
)
def command(*, matrix: Path, runner_scripts: Path, repeats: int, senders: Sequence[str]) -> None:
    """Offer the same load by several senders in turns; print what each offered, what came through and what did not.

    Exit status 1 where the lab's own sender, the first, gets less than 1.2 times as much through as trafgen does, or
    where it varies by more than 2 %.
    """
    declared = _with_senders(load_matrix(matrix), [Sender(name) for name in dict.fromkeys(senders)])
    plan = make_plan(declared, only(resolved_cases(declared, runner_scripts), _PATTERN))
    plan = replace(plan, planned=tuple(replace(item, repeats=repeats, profiled=True) for item in plan.planned))
    with tempfile.TemporaryDirectory(prefix="fwdlab-netns-") as folder:
        bench = Bench(scripts=runner_scripts, workspace=declared.folder, results=Path(folder))
        records = measured(plan, bench)
    found = [_reached([record for record in records if record.key == item.key]) for item in plan.planned]
    for line in (*_table(found), *_promises(found)):
        click.echo(line)
    sys.exit(_broken(found))


def _with_senders(matrix: Matrix, senders: Sequence[Sender]) -> Matrix:
    """The matrix with its first native machine alone, once for each sender and named for it."""
    machine = next((machine for machine in matrix.machines if machine.lab is Lab.NETNS), None)
    if machine is None or not isinstance(machine.setup, Native):
        raise MatrixError(f"{matrix.origin}: no machine of lab 'netns' is declared; name another matrix with -m")
    machines = tuple(
        replace(machine, name=str(sender), setup=replace(machine.setup, sender=sender)) for sender in senders
    )
    return replace(matrix, machines=machines, exclude=(), include=frozenset(), quick=None, asks=())


def _reached(records: Sequence[Record]) -> Reached:
    offered = [record.trial.offered_pps or 0.0 for record in records]
    forwarded = [record.trial.forwarded_pps or 0.0 for record in records]
    return Reached(
        sender=f"{records[0].names[0]} ({records[0].trial.generator})",
        offered_pps=fmean(offered),
        forwarded_pps=fmean(forwarded),
        variation=stdev(forwarded) / fmean(forwarded) if fmean(forwarded) else 0.0,
        trials=len(records),
        own_part=fmean(
            load / record.calibration.offered_pps
            for load, record in zip(offered, records, strict=True)
            if record.calibration
        ),
        faults=tuple(dict.fromkeys(fault for record in records for fault in faults_of(record))),
    )


def _table(found: Sequence[Reached]) -> Iterator[str]:
    """A row a sender, under a head; what makes a trial invalid stands below its sender."""
    scale = common_scale([item.offered_pps for item in found])
    width = max(len(item.sender) for item in found)
    yield f"{'rates in ' + scale.prefix + 'pps':{width}}  offered  forwarded  dropped      cv  n  sender's own part"
    for item in found:
        offered, forwarded, dropped = map(scale.number, (item.offered_pps, item.forwarded_pps, item.dropped_pps))
        variation, own_part = f"{item.variation * 100:.2f} %", f"{item.own_part * 100:.0f} %"
        yield (
            f"{item.sender:{width}}  {offered:>7}  {forwarded:>9}  {dropped:>7}  {variation:>6}  {item.trials}  "
            f"{own_part:>17}"
        )
        yield from (f"  invalid: {fault}" for fault in item.faults)


def _promises(found: Sequence[Reached]) -> Iterator[str]:
    own, trafgen = found[0], _trafgen(found)
    if trafgen is not None:
        gain = own.forwarded_pps / trafgen.forwarded_pps
        yield f"forwarded {gain:.2f} times what trafgen gets through, at least {_LEAST_GAIN:g} times is promised"
    yield f"cv {own.variation * 100:.2f} %, at most {_LARGEST_VARIATION * 100:g} % is promised on a quiet host"


def _broken(found: Sequence[Reached]) -> bool:
    own, trafgen = found[0], _trafgen(found)
    slow = trafgen is not None and own.forwarded_pps < _LEAST_GAIN * trafgen.forwarded_pps
    return slow or own.variation > _LARGEST_VARIATION or bool(own.faults)


def _trafgen(found: Sequence[Reached]) -> Reached | None:
    return next((item for item in found[1:] if item.sender.startswith(Sender.TRAFGEN)), None)
