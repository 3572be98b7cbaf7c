"""`fwdlab bench aa`: how well the virtual lab repeats itself, on a quiet host and on a busy one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev

import click

from fwdlab.analyse.samples import sample_of
from fwdlab.bench import measured
from fwdlab.matrix.expand import only
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.options import matrix_options
from fwdlab.matrix.plan import Plan, make_plan
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.run.scripts import Bench

_LIMIT = 0.0005
_BUSY_LOOP = "while True: pass"


@click.command("aa")
@matrix_options
@click.option("--only", "pattern", default="qemu-x86/*/forwarding/none/udp4-64", show_default=True, help="The cases.")
@click.option("--repeats", type=click.IntRange(min=3), default=5, show_default=True)
@click.option("--loops", type=click.IntRange(min=0), default=2, show_default=True, help="Busy loops on the busy host.")
def command(*, matrix: Path, quick: bool, runner_scripts: Path, pattern: str, repeats: int, loops: int) -> None:  # noqa: ARG001 - --quick selects nothing more here
    """Boot the same cases several times, without and with busy loops beside them; print each one's variation.

    Exit status 1 where a coefficient of variation of the forwarding rate is above 0.05 %.
    """
    declared = load_matrix(matrix)
    cases = only(resolved_cases(declared, runner_scripts), pattern)
    plan = make_plan(declared, cases)
    plan = replace(plan, planned=tuple(replace(item, repeats=repeats, profiled=True) for item in plan.planned))
    worst = 0.0
    for host, count in (("quiet host", 0), (f"host with {loops} busy loops", loops)):
        with tempfile.TemporaryDirectory(prefix="fwdlab-aa-") as folder, _busy(count):
            samples = _measure(plan, Bench(scripts=runner_scripts, workspace=declared.folder, results=Path(folder)))
        for name, values in samples:
            variation = stdev(values) / fmean(values)
            worst = max(worst, variation)
            click.echo(f"{host}: {name}: mean {fmean(values):.1f} pps, n {len(values)}, cv {variation * 100:.4f} %")
    click.echo(f"worst cv {worst * 100:.4f} %, at most {_LIMIT * 100:g} % is promised")
    sys.exit(worst > _LIMIT)


def _measure(plan: Plan, bench: Bench) -> list[tuple[str, Sequence[float]]]:
    records = measured(plan, bench)
    samples = [sample_of([record for record in records if record.key == item.key]) for item in plan.planned]
    return [("/".join(sample.names), sample.values) for sample in samples]


@contextmanager
def _busy(loops: int) -> Iterator[None]:
    """That many processes that do nothing but keep a processor busy."""
    children = [subprocess.Popen([sys.executable, "-c", _BUSY_LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()
