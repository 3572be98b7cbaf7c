"""`fwdlab bench ssh`: what the harness of lab 'ssh' takes beside a trial, and whether it changes what is measured."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import click

from fwdlab.bench._bed import AHEAD, Plot, Site, laboratory, prepare_ground
from fwdlab.case import Case, case_text
from fwdlab.errors import LabError
from fwdlab.files import write_whole
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.records.raw import parse_result
from fwdlab.records.reduce import rates_of
from fwdlab.units import common_scale

_ROOT = Path(__file__).parents[2]
_MOST_OVERHEAD_S = 3.0
_LARGEST_DIFFERENCE = 0.01
_WARMUP_MS, _SAMPLES, _SLICE_MS = 300, 20, 100
_PATIENCE_S = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """One trial under the harness, and the same load by hand after it."""

    elapsed_s: float
    harness_pps: float
    hand_pps: float

    @property
    def overhead_s(self) -> float:
        """What the call took beside warm-up and samples."""
        return self.elapsed_s - (_WARMUP_MS + _SAMPLES * _SLICE_MS) / 1000


@click.command("ssh")
@click.option("--runner-scripts", type=click.Path(path_type=Path), default=_ROOT / "runner-scripts")
@click.option("--repeats", type=click.IntRange(min=3), default=7, show_default=True)
def command(*, runner_scripts: Path, repeats: int) -> None:
    """Lay out sender, DUT and receiver in namespaces; measure by ssh and by hand in turns; print both.

    Needs root. Both ways come before all ordinary work of the host, which would hide a difference of 1 %. Exit status 1
    where a trial takes more than 3 s beside its warm-up and samples, or where what is forwarded under the harness
    differs by more than 1 % from what is by hand; medians of the repeats.
    """
    if os.geteuid() != 0:
        raise LabError("bench ssh: only root may set up namespaces with an sshd each; run it as root")
    with tempfile.TemporaryDirectory(prefix="fwdlab-bench-ssh-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        prepare_ground(folder)
        trial = f"{{warmup: {_WARMUP_MS}ms, samples: {_SAMPLES}, length: {_SLICE_MS}ms}}"
        with laboratory(folder, Plot(generator="live-frames", trial=trial, ahead=True), os.environ) as site:
            pairs = list(_pairs(site, runner_scripts.resolve(), repeats))
    for line in _lines(pairs):
        click.echo(line)
    sys.exit(_broken(pairs))


def _pairs(site: Site, scripts: Path, repeats: int) -> Iterator[Pair]:
    case = resolved_cases(load_matrix(site.folder / "matrix.yaml"), scripts)[0]
    case_file, run = site.folder / "a.case", site.folder / "run"
    write_whole(case_file, case_text(case))
    called = [str(case_file), str(run)]
    _call(site, str(scripts / "prepare.sh"), *called)
    for repeat in range(1, repeats + 1):
        begin = time.monotonic()
        _call(site, str(scripts / "traffic.sh"), *called, str(repeat))
        elapsed = time.monotonic() - begin
        path = run / f"repeat-{repeat}" / "result"
        yield Pair(
            elapsed_s=elapsed,
            harness_pps=_forwarded(path.read_text(encoding="utf-8"), str(path)),
            hand_pps=_forwarded(_by_hand(site, scripts, case), "by hand"),
        )


def _by_hand(site: Site, scripts: Path, case: Case) -> str:
    """The result of the case's load without the harness, by the programs that the harness compiled."""
    tools = next((site.folder / "cache/netns").glob("*/live-frames")).parent
    numbers = (case.traffic.frame_size, case.traffic.flows, _WARMUP_MS, _SAMPLES, _SLICE_MS)
    return _call(site, *AHEAD, str(scripts / "bed/by-hand.sh"), str(tools), *map(str, numbers))


def _call(site: Site, *words: str) -> str:
    done = subprocess.run(
        site.inside(*words),
        env={**os.environ, "FWDLAB_CACHE": str(site.folder / "cache")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    if done.returncode != 0:
        raise LabError(f"{words[0]}: {(done.stderr.splitlines() or ['said nothing'])[-1]}")
    return done.stdout


def _forwarded(text: str, origin: str) -> float:
    return rates_of(parse_result(text, origin), origin)[1]


def _lines(pairs: Sequence[Pair]) -> Iterator[str]:
    """A row a pair, then what is promised."""
    scale = common_scale([pair.hand_pps for pair in pairs])
    yield f"repeat  harness {scale.prefix}pps  by hand {scale.prefix}pps  seconds  beside the trial"
    for number, pair in enumerate(pairs, 1):
        rates = f"{scale.number(pair.harness_pps):>12}  {scale.number(pair.hand_pps):>12}"
        yield f"{number:>6}  {rates}  {pair.elapsed_s:>7.2f}  {pair.overhead_s:>16.2f}"
    harness, hand = (fmean(pair.harness_pps for pair in pairs), fmean(pair.hand_pps for pair in pairs))
    yield f"means: {scale.text(harness, 'pps')} under the harness, {scale.text(hand, 'pps')} by hand"
    yield f"forwarded differs by {_difference(pairs) * 100:+.2f} %, at most 1 % is promised (medians)"
    yield f"{_overhead_s(pairs):.2f} s beside the trial, at most {_MOST_OVERHEAD_S:g} s are promised (median)"


def _difference(pairs: Sequence[Pair]) -> float:
    return median(pair.harness_pps for pair in pairs) / median(pair.hand_pps for pair in pairs) - 1


def _overhead_s(pairs: Sequence[Pair]) -> float:
    return median(pair.overhead_s for pair in pairs)


def _broken(pairs: Sequence[Pair]) -> bool:
    return abs(_difference(pairs)) > _LARGEST_DIFFERENCE or _overhead_s(pairs) > _MOST_OVERHEAD_S
