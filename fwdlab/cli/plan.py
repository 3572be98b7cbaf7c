"""`fwdlab plan`: what a matrix comes to, before any hardware is touched."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from fwdlab import units
from fwdlab.matrix.expand import quick_of
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.measured import history_of
from fwdlab.matrix.options import matrix_options, seconds_of
from fwdlab.matrix.plan import MachinePlan, Plan, make_plan, refuse_above
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.run.quarantine import machines_folder, quarantine_of

_HEAD = ("machine", "cases", "repeats", "measured", "boots left", "seconds a boot", "lab time")


@click.command()
@matrix_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON: machines, cases, campaigns, notes.")
@click.option("--cap", metavar="TIME", help="Most lab time of one machine, such as 4h; instead of the matrix's 'cap'.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
def command(matrix: Path, quick: bool, runner_scripts: Path, as_json: bool, cap: str | None, results: Path) -> None:
    """Print cases, boots and lab time of each machine, and what is measured already; refuse a plan above the cap.

    A boot is one repeat of a case, or its profile. Moving revisions are resolved to exact packages.
    """
    declared = quick_of(load_matrix(matrix)) if quick else load_matrix(matrix)
    cap_s = declared.cap_s if cap is None else seconds_of("--cap", cap)
    cases = resolved_cases(declared, runner_scripts)
    plan = with_quarantines(make_plan(declared, cases, history_of(results, cases)), machines_folder(os.environ))
    click.echo(_json(plan) if as_json else "".join(f"{line}\n" for line in plan_page(plan, cap_s)), nl=False)
    refuse_above(plan, cap_s)


def with_quarantines(plan: Plan, folder: Path) -> Plan:
    """The plan, with a note for each machine that no job may use now."""
    told = (quarantine_of(item.machine.name, folder) for item in plan.machines)
    return replace(plan, notes=(*plan.notes, *filter(None, told)))


def plan_page(plan: Plan, cap_s: float | None) -> Iterator[str]:
    """What a plan comes to, in lines: machines, packages, campaigns, notes, the cap."""
    yield f"{plan.origin}: {_count(len(plan.planned), 'case')}, {_count(len(plan.campaigns), 'campaign')}"
    yield ""
    yield from _table([_HEAD, *(_row(item) for item in plan.machines)])
    yield ""
    yield from (
        f"{revision} on {machine}: {package} {version}" for machine, revision, package, version in _packages(plan)
    )
    yield ""
    for campaign in plan.campaigns:
        arms = ", ".join(campaign.arms[1:])
        yield f"{campaign.name}: {arms} against {campaign.baseline}, {len(campaign.members)} cases x {campaign.repeats}"
    yield from (f"note: {note}" for note in plan.notes)
    for item in (item for item in plan.machines if item.most_s > item.left_s):
        most = units.duration_text(item.most_s)
        yield f"note: {item.machine.name}: {most} of lab time where every search takes all the trials that it may"
    yield f"cap: {units.duration_text(cap_s)} of lab time a machine" if cap_s is not None else "cap: none"


def _row(item: MachinePlan) -> tuple[str, ...]:
    return (
        item.machine.name,
        str(item.cases),
        str(item.repeats),
        str(item.repeats - item.repeats_left),
        str(item.repeats_left + item.profiles_left),
        f"{item.boot_s:.1f} {'timed' if item.boot_timed else 'assumed'}",
        units.duration_text(item.left_s),
    )


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns two spaces apart, the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        numbers = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        yield "  ".join((row[0].ljust(widths[0]), *numbers))


def _packages(plan: Plan) -> list[tuple[str, str, str, str]]:
    """What each machine boots, each revision once, in the order of the cases."""
    cases = (item.case for item in plan.planned)
    booted = ((case.hardware.name, case.revision) for case in cases)
    return list(dict.fromkeys((machine, kernel.name, kernel.package, kernel.version) for machine, kernel in booted))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _json(plan: Plan) -> str:
    machines = [
        {
            "hardware": item.machine.name,
            "cases": item.cases,
            "repeats": item.repeats,
            "repeats_left": item.repeats_left,
            "profiles_left": item.profiles_left,
            "boot_s": item.boot_s,
            "boot_timed": item.boot_timed,
            "left_s": item.left_s,
            "most_s": item.most_s,
        }
        for item in plan.machines
    ]
    campaigns = [
        {"name": item.name, "arms": item.arms, "cases": len(item.members), "repeats": item.repeats}
        for item in plan.campaigns
    ]
    cases = [
        {"case": item.case.slug, "key": item.key, "repeats": item.repeats, "left": item.left} for item in plan.planned
    ]
    parts = {"seed": plan.seed, "notes": plan.notes, "machines": machines, "campaigns": campaigns, "cases": cases}
    return "{\n" + ",\n".join(f'"{name}": {_rows(part)}' for name, part in parts.items()) + "\n}\n"


def _rows(part: object) -> str:
    """JSON with one entry of a list a line, for people who look at it and tools that compare it."""
    if not isinstance(part, list) or not part:
        return json.dumps(part)
    return "[\n" + ",\n".join(f" {json.dumps(entry)}" for entry in part) + "\n]"
