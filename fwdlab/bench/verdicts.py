"""`fwdlab bench verdicts`: how often verdicts are wrong where the truth is known, and how often they find it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import click
import numpy as np

from fwdlab.analyse.compare import lone_level
from fwdlab.analyse.power import detectable, power_of
from fwdlab.analyse.result import Verdict
from fwdlab.analyse.rules import POWER, Rules, usual_rules
from fwdlab.analyse.simulate import Noise, Setup, simulate
from fwdlab.analyse.verdict import CODES
from fwdlab.analyse.words import percent, signed_percent
from fwdlab.campaign import PHYSICAL_THRESHOLD

_DEVIATION = 0.008
_CHANGE = -0.02
_NEAR = 0.03  # how far power may be from what was promised
_LONE = 100  # comparisons by themselves for each campaign

_FOUND = [CODES.index(Verdict.BETTER), CODES.index(Verdict.WORSE)]
_SAME = CODES.index(Verdict.SAME)
_WORSE = CODES.index(Verdict.WORSE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One line of the table: a share found by simulation, and what it has to be."""

    question: str
    noise: Noise
    found: float
    least: float
    most: float

    @property
    def kept(self) -> bool:
        """Whether the promise is kept."""
        return self.least <= self.found <= self.most


@click.command("verdicts")
@click.option("--campaigns", type=click.IntRange(min=1), default=2000, show_default=True)
@click.option("--comparisons", type=click.IntRange(min=1), default=100, show_default=True, help="Of each campaign.")
@click.option("--repeats", type=click.IntRange(min=3), default=5, show_default=True, help="Of each side.")
@click.option("--seed", type=int, default=1, show_default=True)
def command(campaigns: int, comparisons: int, repeats: int, seed: int) -> None:
    """Simulate campaigns and print how often verdicts were wrong and how often they found what was there."""
    setup = Setup(
        campaigns=campaigns,
        comparisons=comparisons,
        repeats=repeats,
        noise=Noise.NORMAL,
        deviation=_DEVIATION,
        change=0.0,
        changed=0,
    )
    click.echo(
        f"{campaigns} campaigns of {comparisons} comparisons, {repeats} repeats a side, deviation "
        f"{percent(_DEVIATION)}, threshold {percent(PHYSICAL_THRESHOLD)}, Welch's t, Holm, seed {seed}"
    )
    missed = 0
    for row in _rows(setup, usual_rules(PHYSICAL_THRESHOLD), np.random.default_rng(seed)):
        click.echo(_line(row))
        missed += not row.kept
    if missed:
        raise click.exceptions.Exit(1)


def _line(row: Row) -> str:
    promise = (
        f"{100 * row.least:.1f} % or more" if row.most == 1 else f"{100 * row.least:.1f} % to {100 * row.most:.1f} %"
    )
    if row.least <= 0:
        promise = f"at most {100 * row.most:.1f} %"
    return (
        f"{row.question:60} {row.noise:10} {100 * row.found:6.2f} %   {promise:16} {'kept' if row.kept else 'MISSED'}"
    )


def _rows(setup: Setup, rules: Rules, draws: np.random.Generator) -> Iterator[Row]:
    for noise in Noise:
        yield _false_findings(replace(setup, noise=noise), rules, draws)
    lone = replace(setup, campaigns=_LONE * setup.campaigns, comparisons=1, changed=1)
    for noise in Noise:
        yield from _wrong_same(replace(setup, noise=noise), rules, draws)
        yield from _wrong_same(replace(lone, noise=noise), rules, draws)
    for one in (lone, replace(setup, changed=1)):
        yield from _powers(one, rules, draws)


def _false_findings(setup: Setup, rules: Rules, draws: np.random.Generator) -> Row:
    codes = simulate(setup, rules, draws)
    return Row(
        question="no true change: a false better or worse in a campaign",
        noise=setup.noise,
        found=float(np.isin(codes, _FOUND).any(axis=-1).mean()),
        least=0.0,
        most=rules.alpha,
    )


def _wrong_same(setup: Setup, rules: Rules, draws: np.random.Generator) -> Iterator[Row]:
    where = "a campaign" if setup.comparisons > 1 else "a lone comparison"
    for repeats in (setup.repeats, 4 * setup.repeats):
        changed = replace(setup, repeats=repeats, change=-rules.threshold, changed=setup.comparisons)
        codes = simulate(changed, rules, draws)
        yield Row(
            question=f"true {signed_percent(-rules.threshold)}: a wrong same in {where}, {repeats} repeats",
            noise=setup.noise,
            found=float((codes == _SAME).any(axis=-1).mean()),
            least=0.0,
            most=rules.alpha,
        )


def _powers(setup: Setup, rules: Rules, draws: np.random.Generator) -> Iterator[Row]:
    """Power at a true -2 %, and at the minimum detectable effect where any size counts, against what was promised.

    Among many comparisons the stand-in floor moves the power of large effects up: there the promise is the least.
    """
    level = lone_level(rules, setup.comparisons)
    error = setup.deviation * math.sqrt(2 / setup.repeats)
    promised = power_of(setup.repeats, setup.repeats, abs(_CHANGE) / error, level, rules.test)
    mde = detectable(setup.repeats, setup.repeats, level, rules.test) * error
    yield _power(replace(setup, change=_CHANGE), rules, (promised - _NEAR, min(promised + _NEAR, 1.0)), draws)
    most = POWER + _NEAR if setup.comparisons == 1 else 1.0
    yield _power(replace(setup, change=-mde), replace(rules, threshold=0.0), (POWER - _NEAR, most), draws)


def _power(setup: Setup, rules: Rules, promised: tuple[float, float], draws: np.random.Generator) -> Row:
    codes = simulate(setup, rules, draws)
    among = "alone" if setup.comparisons == 1 else f"as one of {setup.comparisons}"
    return Row(
        question=f"true {signed_percent(setup.change)}: found {among}, threshold {percent(rules.threshold)}",
        noise=setup.noise,
        found=float((codes[:, 0] == _WORSE).mean()),
        least=promised[0],
        most=promised[1],
    )
