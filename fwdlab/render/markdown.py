"""Verdicts as a note for a merge request: at most 60 lines of GitLab-flavoured Markdown, what matters most first.

Names and caveats stay text: what Markdown, HTML or GitLab's references (`@all`, `#1`, `~bug`, `:tada:`) could read
something into is escaped, and no line begins with any of it, so that `/close` is no quick action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from fwdlab.analyse.result import Comparison, Sample, Verdict
from fwdlab.render import names, words
from fwdlab.render.differences import difference_href
from fwdlab.render.model import CampaignPage
from fwdlab.render.outcomes import URGENCY, WORSE_FAILS, WORSE_WARNS, Outcome, by_urgency, outcomes, printable

MOST_LINES = 60
_ROWS, _DOUBTS, _CAMPAIGNS = 28, 10, 8  # with heads, rests and empty lines these are 60
_NAMED = 2  # comparisons that a doubt names
_METHODS = 3  # that a campaign names
_LONGEST = 200  # characters of a name or a caveat
_HEAD = ("verdict", "campaign", "comparison", "difference", "interval", "n", "p", "MDE", "flame graphs")
_RULE = ("---", "---", "---", "--:", "--:", "--:", "--:", "--:", "---")

# Percent, colon and dot mean something only before a milestone, in an emoji or address, and after `www`.
_MARKED = re.compile(r'[\\`*_{}\[\]#!~$@^&]|%(?=[\w"])|:(?=\S)|(?<=www)\.', re.IGNORECASE)
_ENTITIES = {"<": "&lt;", ">": "&gt;", "|": "&#124;"}
_PLAIN_CODE = re.compile(r"[^`|<>]+")
_URL_SAFE = ":/?#[]@&=+,;~%"


def summary_text(pages: Sequence[CampaignPage], base_url: str | None) -> str:
    """The note: counts, a table, doubts, and each campaign's page and command; no links without the site's address."""
    found = by_urgency([item for page in pages for item in outcomes(page)])
    parts = [
        [f"### {_headline(found, len(pages))}"],
        list(_table(found, base_url)),
        _rest(found),
        list(_doubts(found)),
        list(_campaigns(pages, base_url)),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def escaped(text: str) -> str:
    """The text as it must stand in Markdown to be read as it is, on one line; a dash for none."""
    line = printable(text)
    short = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    marked = _MARKED.sub(r"\\\g<0>", short)
    return "".join(_ENTITIES.get(character, character) for character in marked) or words.NOTHING


def _headline(found: Sequence[Outcome], campaigns: int) -> str:
    counted = _counted(found) or "no comparison"
    return f"fwdlab: {counted} in {campaigns} {'campaign' if campaigns == 1 else 'campaigns'}"


def _counted(found: Sequence[Outcome]) -> str:
    verdicts = [item.comparison.verdict for item in found]
    return ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in URGENCY if verdict in verdicts)


def _table(found: Sequence[Outcome], base_url: str | None) -> Iterator[str]:
    if found:
        yield from (_line(_HEAD), _line(_RULE))
        yield from (_line(_cells(item, base_url)) for item in found[:_ROWS])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(item: Outcome, base_url: str | None) -> tuple[str, ...]:
    compared, campaign = item.comparison, item.page.result.campaign
    return (
        f"**{compared.verdict}**{', fails' if campaign.gate and compared.verdict is Verdict.WORSE else ''}",
        _link(campaign.title, names.campaign_page(campaign.name), base_url),
        f"{escaped(item.title)} against {escaped(compared.base_arm)}",
        words.difference(compared),
        words.interval(compared),
        _count(compared),
        escaped(words.p_text(compared.p_value)),
        words.plain_percent(compared.mde),
        _flames(item, base_url),
    )


def _count(item: Comparison) -> str:
    base, new = len(item.base.values), len(item.new.values)
    return str(base) if base == new else f"{base}, {new}"


def _flames(item: Outcome, base_url: str | None) -> str:
    sides = (("base", item.comparison.base), ("new", item.comparison.new))
    links = [_flame(item.page, side, sample, base_url) for side, sample in sides]
    if base_url is not None and (href := difference_href(item.page, item.comparison)):
        links.append(_link("difference", href, base_url))
    return " ".join(filter(None, links)) or words.NOTHING


def _flame(page: CampaignPage, side: str, sample: Sample, base_url: str | None) -> str:
    """A link to the flame graph of one side; empty where there is none to link to."""
    profiled = [report for report in page.cases if report.names == sample.names and report.profile is not None]
    if base_url is None or not profiled:
        return ""
    return _link(side, f"{names.flame_stem(profiled[0])}.html", base_url)


def _rest(found: Sequence[Outcome]) -> list[str]:
    rest = found[_ROWS:]
    return [f"{len(rest)} more: {_counted(rest)}."] if rest else []


def _doubts(found: Sequence[Outcome]) -> Iterator[str]:
    """Every caveat once, for the comparisons it belongs to."""
    owners: dict[str, list[str]] = {}
    for item in found:
        for caveat in dict.fromkeys(item.comparison.caveats):
            owners.setdefault(caveat, []).append(item.title)
    if owners:
        yield from ("Doubts:", "")
        yield from (f"- For {_owners(owners[doubt], len(found))}: {escaped(doubt)}" for doubt in list(owners)[:_DOUBTS])
    if len(owners) > _DOUBTS:
        yield f"- {len(owners) - _DOUBTS} more on the pages."


def _owners(titles: Sequence[str], comparisons: int) -> str:
    if len(titles) == comparisons > 1:
        return "all"
    named = [escaped(title) for title in titles[:_NAMED]]
    rest = len(titles) - len(named)
    return words.listed([*named, f"{rest} more"] if rest else named)


def _campaigns(pages: Sequence[CampaignPage], base_url: str | None) -> Iterator[str]:
    if pages:
        yield from ("Campaigns:", "")
        yield from (f"- **{_page_link(page, base_url)}**: {_conditions(page)}" for page in pages[:_CAMPAIGNS])
    if len(pages) > _CAMPAIGNS:
        yield f"- {len(pages) - _CAMPAIGNS} more."


def _page_link(page: CampaignPage, base_url: str | None) -> str:
    campaign = page.result.campaign
    return _link(campaign.title, names.campaign_page(campaign.name), base_url)


def _conditions(page: CampaignPage) -> str:
    """What its figures rest on, and what measures it again."""
    compared = page.result.comparisons
    levels = sorted({words.confidence_text(item.confidence) for item in compared})
    told = [
        f"baseline {escaped(page.result.campaign.baseline)}",
        *_methods(page),
        f"intervals at {words.listed(levels)}" if levels else "nothing to compare",
        f"p corrected by {escaped(page.result.correction)}",
        f"threshold {words.plain_percent(page.result.campaign.threshold)}",
        f"noise floor {escaped(page.noise_source) if page.noise_source else words.UNMEASURED}",
        WORSE_FAILS if page.result.campaign.gate else WORSE_WARNS,
        *(["virtual packets a second (instructions, no caches)"] if page.virtual else []),
        f"measure again: {_code(page.command)}",
    ]
    return "; ".join(told)


def _methods(page: CampaignPage) -> list[str]:
    """What its rates are, in the words of the RFCs."""
    methods = list(dict.fromkeys(sample.method for sample in page.result.samples if sample.values))
    rest = len(methods) - _METHODS
    named = [escaped(method) for method in methods[:_METHODS]]
    return [f"rates: {words.listed([*named, f'{rest} more'] if rest > 0 else named)}"] if named else []


def _code(text: str) -> str:
    """A command in a code span; as text where a code span could not hold it unread."""
    line = printable(text)
    return f"`{line}`" if _PLAIN_CODE.fullmatch(line) and len(line) <= _LONGEST else escaped(text)


def _link(text: str, path: str, base_url: str | None) -> str:
    if base_url is None:
        return escaped(text)
    url = quote(f"{base_url.rstrip('/')}/{path}", safe=_URL_SAFE, errors="replace")
    return f"[{escaped(text)}]({url})"
