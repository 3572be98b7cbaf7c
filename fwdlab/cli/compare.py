"""`fwdlab compare`: verdicts of one or more samples against a base, corrected together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict, Unpack

import click

from fwdlab import units
from fwdlab.analyse.compare import Pair, compare_all
from fwdlab.analyse.floor import NoiseFloor
from fwdlab.analyse.load import Source, load_source, numbers_reader, records_reader
from fwdlab.analyse.result import METRICS, Comparison
from fwdlab.analyse.rules import Correction, Rules, TTest
from fwdlab.analyse.synthesis import outcome
from fwdlab.analyse.words import interval_text, level_text, p_text, percent, repeats_text
from fwdlab.campaign import PHYSICAL_THRESHOLD, VIRTUAL_THRESHOLD
from fwdlab.cli.site import floors_of
from fwdlab.errors import MatrixError

_CORRECTIONS = {"holm": Correction.HOLM, "bh": Correction.BENJAMINI_HOCHBERG, "none": Correction.NONE}
_TESTS = {"welch": TTest.WELCH, "pooled": TTest.POOLED}


class _Options(TypedDict):
    threshold: float | None
    confidence: float
    noise_floor: float | None
    correction: str
    test: str
    metric: str
    column: int
    as_json: bool
    results: Path


class Share(click.ParamType[float]):
    """A fraction written as per cent, such as `0.2%`."""

    name = "share"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The fraction; a usage error where the text is none."""
        if isinstance(value, float):
            return value
        try:
            return units.fraction(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command("compare")
@click.argument("base")
@click.argument("new", nargs=-1, required=True)
@click.option("--threshold", type=Share(), help="Smaller changes are no finding.  [default: 1%, virtual lab 0.2%]")
@click.option("--confidence", type=Share(), default="95%", show_default=True, help="Of interval and verdict.")
@click.option("--noise-floor", type=Share(), help="Relative deviation of repeats on this machine, from A/A runs.")
@click.option("--correction", type=click.Choice(list(_CORRECTIONS)), default="holm", show_default=True)
@click.option("--test", type=click.Choice(list(_TESTS)), default="welch", show_default=True)
@click.option("--metric", type=click.Choice(list(METRICS)), default="forwarded", show_default=True)
@click.option("--column", type=click.IntRange(min=1), default=1, show_default=True, help="Of a file of numbers.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Everything about each comparison, as JSON.")
def command(base: str, new: tuple[str, ...], **options: Unpack[_Options]) -> None:
    """Say whether NEW is better, worse or the same as BASE, or whether that is unproven.

    Each names a case with records below RESULTS (hardware/revision/firewall/patch/traffic), or a file with one number
    a line in the order measured; - is standard input.
    """
    readers = (records_reader(options["results"]), numbers_reader(options["metric"], options["column"]))
    sources = [load_source(name, readers) for name in (base, *new)]
    rules = _rules(options, virtual=all(source.virtual for source in sources))
    comparisons = compare_all(_pairs(sources, options["noise_floor"], floors_of(options["results"])), rules)
    click.echo(_json(comparisons, rules) if options["as_json"] else "\n".join(_report(sources[0], comparisons, rules)))


def _rules(options: _Options, *, virtual: bool) -> Rules:
    confidence, threshold = options["confidence"], options["threshold"]
    if not 0.5 < confidence < 1:
        raise MatrixError(f"--confidence: {percent(confidence)} is no level of confidence; choose one such as '95%'")
    return Rules(
        threshold=(VIRTUAL_THRESHOLD if virtual else PHYSICAL_THRESHOLD) if threshold is None else threshold,
        confidence=confidence,
        correction=_CORRECTIONS[options["correction"]],
        test=_TESTS[options["test"]],
        looks=1,
    )


def _pairs(sources: Sequence[Source], said: float | None, measured: Mapping[str, NoiseFloor]) -> list[Pair]:
    """Every later sample against the first; the noise floor as said, else as A/A runs of the machine measured it."""
    base = sources[0]
    return [
        Pair(
            names=(),
            base_arm=base.name,
            new_arm=new.name,
            base=base.sample,
            new=new.sample,
            machine=new.machine,
            noise_floor=measured[new.machine].deviation if said is None and new.machine in measured else said,
            doubts=(),
        )
        for new in sources[1:]
    ]


def _json(comparisons: Sequence[Comparison], rules: Rules) -> str:
    found = {"correction": rules.correction, "comparisons": [asdict(item) for item in comparisons]}
    return json.dumps(found, indent=1, ensure_ascii=True, allow_nan=False)


def _report(base: Source, comparisons: Sequence[Comparison], rules: Rules) -> Iterator[str]:
    values = base.sample.values
    mean = f", mean {level_text(sum(values) / len(values), base.sample.metric)}" if values else ""
    yield f"base {base.name}: {len(values)} repeats{mean}"
    yield from (f"  left out {reason}" for reason in base.sample.invalid)
    count = f"{rules.correction} over {len(comparisons)} comparisons" if len(comparisons) > 1 else ""
    for item in comparisons:
        yield f"{item.new_arm}: {outcome(item)}"
        yield from (f"  left out {reason}" for reason in item.new.invalid)
        if item.p_value is not None and item.mde is not None:
            yield f"  {'; '.join(_figures(item, count))}"
        yield from (f"  - {caveat}" for caveat in item.caveats)


def _figures(item: Comparison, correction: str) -> Iterator[str]:
    yield f"interval {interval_text(item.low, item.high)} at {percent(item.confidence)}"
    yield f"{p_text(item.p_value or 0.0)} ({', '.join(filter(None, (item.test, correction)))})"
    yield f"{repeats_text(len(item.base.values), len(item.new.values))} resolve {percent(item.mde or 0.0)}"
    yield f"threshold {percent(item.threshold)}"
    yield f"noise floor {'unmeasured' if item.noise_floor is None else percent(item.noise_floor)}"
