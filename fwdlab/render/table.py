"""The verdicts of a campaign as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, stdev

from fwdlab.analyse.result import METRICS, Comparison, Sample
from fwdlab.analyse.synthesis import titles_of
from fwdlab.render import words
from fwdlab.render.model import CampaignPage
from fwdlab.units import common_scale


def verdict_table(page: CampaignPage) -> str:
    """Title, one row a comparison, and the caveats below; rates share one prefix."""
    result = page.result
    campaign = result.campaign
    comparisons = result.comparisons
    scale = common_scale([value for item in comparisons for value in (*item.base.values, *item.new.values)])
    measured = dict.fromkeys(METRICS[item.base.metric].unit for item in comparisons) or {"pps": None}
    unit = f"{'virtual ' if page.virtual else ''}{scale.prefix}{' or '.join(measured)}"
    sides = [(_mean(item.base), _mean(item.new)) for item in comparisons]
    flat = iter(words.column([value for pair in sides for value in pair], scale, 4))
    rows = [
        (title, next(flat), next(flat), _count(item), words.difference(item), words.interval(item), str(item.verdict))
        for title, item in zip(titles_of(comparisons), comparisons, strict=True)
    ]
    notes = [f"  {title}: {caveat}" for title, caveat in (*_methods(comparisons), *_caveats(comparisons))]
    told = [f"  {line}" for line in _earlier(page)]
    head = f"{campaign.title} ({unit}, baseline {campaign.baseline})"
    lines = [head, *_lines([_head(comparisons), *rows]), *notes, *told]
    return "".join(f"{line}\n" for line in lines)


def _earlier(page: CampaignPage) -> Iterator[str]:
    for row in page.earlier.rows if page.earlier else ():
        yield f"{row.subject}: {row.now} ({row.before} in the earlier run): {row.agreement}"


def sample_line(sample: Sample) -> str:
    """One case in a line: mean, n, coefficient of variation, and what was left out."""
    left_out = "".join(f"; left out {reason}" for reason in sample.invalid)
    if not sample.values:
        return f"{'/'.join(sample.names)}: no valid repeat{left_out}"
    mean = fmean(sample.values)
    spread = f", cv {stdev(sample.values) / mean:.3%}".replace("%", " %") if len(sample.values) > 1 and mean else ""
    rate = common_scale([mean]).text(mean, METRICS[sample.metric].unit)
    method = f", {sample.method}" if sample.goal else ""
    return f"{'/'.join(sample.names)}: {rate}{method}, n {len(sample.values)}{spread}{left_out}"


def _head(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    levels = words.listed(sorted({words.confidence_text(item.confidence) for item in comparisons}))
    return ("", "baseline", "new", "n", "difference", f"{levels} interval".strip(), "verdict")


def _mean(sample: Sample) -> float | None:
    return fmean(sample.values) if sample.values else None


def _count(item: Comparison) -> str:
    base, new = len(item.base.values), len(item.new.values)
    return str(base) if base == new else f"{base}, {new}"


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join(("  " + first.ljust(widths[0]), *cells))


def _methods(comparisons: Sequence[Comparison]) -> Iterator[tuple[str, str]]:
    """How rates were found that are not those at maximum load."""
    return _once(
        comparisons, [[sample.method for sample in (item.base, item.new) if sample.goal] for item in comparisons]
    )


def _caveats(comparisons: Sequence[Comparison]) -> Iterator[tuple[str, str]]:
    return _once(comparisons, [item.caveats for item in comparisons])


def _once(comparisons: Sequence[Comparison], said: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Everything that is said of the comparisons once, under those it belongs to."""
    titles: dict[str, list[str]] = {}
    for title, sentences in zip(titles_of(comparisons), said, strict=True):
        for sentence in dict.fromkeys(sentences):
            titles.setdefault(sentence, []).append(title)
    for sentence, whose in titles.items():
        yield ("all" if len(whose) == len(comparisons) else ", ".join(whose)), sentence
