"""`fwdlab bench faults`: a campaign over ssh in which everything fails that can; nothing is lost or stays."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, takewhile
from pathlib import Path

import click

from fwdlab.analyse.gates import faults_of
from fwdlab.bench._bed import Plot, Site, laboratory, prepare_ground
from fwdlab.bench._inject import PKT_GEN, Kind, Saboteur, explains
from fwdlab.bench._struck import Campaign, Struck
from fwdlab.errors import LabError
from fwdlab.records.model import Record
from fwdlab.records.store import Folders, load_records, run_folders

_ROOT = Path(__file__).parents[2]
_POWER = _ROOT / "runner-scripts/bed/power.sh"
PLOT = Plot(trial="{warmup: 100ms, samples: 3, length: 200ms}")
_TRIAL_PKT_GEN = "{warmup: 1s, samples: 2, length: 1s}"
_ONE_IN = 5  # cases, that are of pkt-gen


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of the faults of one kind."""

    kind: Kind
    injected: int
    unharmed: int  # the step that was under way went on
    recovered: int  # it failed, said why, and was done again
    marked: int  # it was measured, and its record says why it is invalid
    lost: int  # it said something else, or was never measured


@click.command("faults")
@click.option("--cases", type=click.IntRange(min=4), default=40, show_default=True)
@click.option("--faults", "count", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--runner-scripts", type=click.Path(path_type=Path), default=_ROOT / "runner-scripts")
def command(*, cases: int, count: int, seed: int, runner_scripts: Path) -> None:
    """Measure a campaign between namespaces while faults are injected at random times; print what became of each kind.

    Needs root. Exit status 1 where a case was lost, marked with another reason, measured again, or anything is left.
    """
    if os.geteuid() != 0:
        raise LabError("bench faults: only root may set up namespaces with an sshd each; run it as root")
    with tempfile.TemporaryDirectory(prefix="fwdlab-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        prepare_ground(folder)
        with laboratory(folder, PLOT, os.environ) as site:
            scripts = folder / "runner-scripts"
            shutil.copytree(runner_scripts, scripts)  # a key is of scripts that stay as they are
            struck, stays = _carry_out(site, scripts, cases, faults_in_turn(count, seed))
        outcomes, remarks = judge(struck, _records(folder), cases)
    for line in (*table(outcomes), *remarks, *stays):
        click.echo(line)
    sys.exit(bool(remarks or stays))


def faults_in_turn(count: int, seed: int) -> tuple[list[Kind], random.Random]:
    """So many faults, of all kinds alike, in random order; and the chance that decides the rest."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, no secret
    kinds = [list(Kind)[number % len(Kind)] for number in range(count)]
    chance.shuffle(kinds)
    return kinds, chance


def _carry_out(
    site: Site, scripts: Path, cases: int, turn: tuple[list[Kind], random.Random]
) -> tuple[list[Struck], list[str]]:
    """Every fault with the step it met, and what was left behind or measured again, a line each."""
    kinds, chance = turn
    matrix = site.folder / "matrix.yaml"
    matrix.write_text(campaign_text(matrix.read_text(encoding="utf-8"), site.folder, cases), encoding="utf-8")
    saboteur = Saboteur(site=site, machines=site.folder / "machines", chance=chance)
    campaign = Campaign(site=site, scripts=scripts, saboteur=saboteur)
    struck: list[Struck] = []
    while kinds:
        struck.append(campaign.meet(kinds))
        click.echo(f"{len(struck)}/{len(struck) + len(kinds)} {struck[-1].told}", err=True)
    campaign.finish()
    return struck, [*campaign.measured_again(), *campaign.left_behind()]


def campaign_text(text: str, folder: Path, cases: int) -> str:
    """The laboratory's matrix with so many cases, a power switch and a console for its DUT, some of them of pkt-gen."""
    head, _, _ = text.partition("firewalls:\n")
    switch = f"power: {{command: [{_POWER}, {folder}, dut, '{{action}}']}}"
    head = head.replace(
        "    nodes:\n", f"    {switch}\n    console: {{command: [tail, -F, {folder}/dut/sshd.log]}}\n    nodes:\n"
    )
    firewalls = "firewalls:\n  forwarding: {}\n  nft-stateful: {rules: stateful.nft}\npatches:\n  none: {}\n"
    return _with_pkt_gen(head) + firewalls + _loads_text(cases // 2)


def _with_pkt_gen(head: str) -> str:
    """Its machine once more, with the other generator."""
    before, _, rest = head.partition("  bed:\n")
    bed, _, revisions = rest.partition("revisions:\n")
    other = bed.replace("generator: packets", "generator: pkt-gen").replace(PLOT.trial, _TRIAL_PKT_GEN)
    return f"{before}  bed:\n{bed}  {PKT_GEN}:\n{other}revisions:\n{revisions}"


def _loads_text(count: int) -> str:
    """So many loads, each of them for one of the machines."""
    loads = {
        f"{family}-{flows}": f"{{family: {family}, frame_size: {size}, flows: {flows}, load: max}}"
        for flows, (family, size) in zip(range(1, count + 1), cycle((("inet", 64), ("inet6", 66))))
    }
    names = list(loads)
    split = count - max(1, count // _ONE_IN)
    lines = (
        "traffic:",
        *(f"  {name}: {load}" for name, load in loads.items()),
        "exclude:",
        f"  - {{hardware: bed, traffic: [{', '.join(names[split:])}]}}",
        f"  - {{hardware: {PKT_GEN}, traffic: [{', '.join(names[:split])}]}}",
    )
    return "".join(f"{line}\n" for line in lines)


def _records(folder: Path) -> dict[tuple[str, int], Record]:
    """Every record by its run folder and repeat."""
    folders = Folders(results=folder / "results")
    loaded = load_records(folders, run_folders(folders.runs))
    return {(str(folders.run_of(record)), record.trial.repeat): record for record in loaded.records}


def judge(
    struck: Sequence[Struck], records: Mapping[tuple[str, int], Record], cases: int
) -> tuple[list[Outcome], list[str]]:
    """What became of each kind, and a line for everything that is not as it should be."""
    remarks: list[str] = []
    if len({run for run, _ in records}) != cases - cases % 2:
        remarks.append(
            f"{len({run for run, _ in records})} cases have a record, {cases - cases % 2} were to be measured"
        )
    fates = [(item.kind, *_fate(item, _causes(struck, number), records)) for number, item in enumerate(struck)]
    remarks += [f"{kind}: {why}" for kind, fate, why in fates if fate == "lost"]
    remarks += _unexplained(struck, records)
    counts = {(kind, fate): 0 for kind in Kind for fate in ("unharmed", "recovered", "marked", "lost")}
    for kind, fate, _ in fates:
        counts[kind, fate] += 1
    return [
        Outcome(
            kind=kind,
            injected=sum(item.kind is kind for item in struck),
            unharmed=counts[kind, "unharmed"],
            recovered=counts[kind, "recovered"],
            marked=counts[kind, "marked"],
            lost=counts[kind, "lost"],
        )
        for kind in Kind
    ], remarks


def _causes(struck: Sequence[Struck], number: int) -> set[Kind]:
    """What may be the cause of what a step said: its fault, the one before, and all that met the same trial.

    And a DUT that hangs does so until its power is cycled: a step may give it up, and leave that to a later one.
    """
    item = struck[number]
    same = {other.kind for other in struck if item.repeat and (other.run, other.repeat) == (item.run, item.repeat)}
    failed = takewhile(lambda other: other.reasons or other.kind is Kind.KILLED, reversed(struck[:number]))
    hung = {other.kind for other in failed if other.kind is Kind.HANG}
    return {item.kind, struck[max(0, number - 1)].kind} | same | hung


def _fate(item: Struck, causes: set[Kind], records: Mapping[tuple[str, int], Record]) -> tuple[str, str]:
    """What became of a fault, and why where it is lost."""
    for reason in item.reasons:
        if not any(explains(kind, reason) for kind in causes):
            return "lost", f"{item.step} said: {reason}"
    if item.repeat:
        record = records.get((item.run, item.repeat))
        if record is None:
            return "lost", f"{item.step} was never measured"
        faults = faults_of(record)
        if any(explains(item.kind, fault) for fault in faults):
            return "marked", ""
        if faults and not any(explains(kind, fault) for kind in causes for fault in faults):
            return "lost", f"{item.step} is marked: {faults[0]}"
    return ("recovered" if item.reasons or item.kind is Kind.KILLED else "unharmed"), ""


def _unexplained(struck: Sequence[Struck], records: Mapping[tuple[str, int], Record]) -> list[str]:
    """Records that are invalid though no fault met their trial."""
    met = {(item.run, item.repeat) for item in struck}
    return [
        f"{run} repeat {repeat} is marked, and nothing was done to it: {faults[0]}"
        for (run, repeat), record in records.items()
        if (run, repeat) not in met and (faults := faults_of(record))
    ]


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A row a kind of fault, and their sum."""
    yield f"{'fault':<18}{'injected':>9}{'unharmed':>9}{'recovered':>10}{'marked':>7}{'lost':>5}"
    for item in outcomes:
        yield _row(str(item.kind), (item.injected, item.unharmed, item.recovered, item.marked, item.lost))
    sums = zip(*((i.injected, i.unharmed, i.recovered, i.marked, i.lost) for i in outcomes), strict=True)
    yield _row("all", tuple(map(sum, sums)))


def _row(name: str, numbers: tuple[int, ...]) -> str:
    return f"{name:<18}" + "".join(f"{n:>{w}}" for n, w in zip(numbers, (9, 9, 10, 7, 5), strict=True))
