"""One flame graph as one file: the drawing library, the tree and the table in it, to be kept or sent as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from fwdlab.profiles.diff import Difference, Unit
from fwdlab.profiles.folded import Profile
from fwdlab.render.flame_diff import difference_script, passing_texts, reading_text, sides_text
from fwdlab.render.flames import heaviest, samples_text, tree_script
from fwdlab.render.movers import movers_view
from fwdlab.render.words import percent

_STYLE = "style.css"
_LIBRARIES = ("vendor/d3/d3.min.js", "vendor/d3-flame-graph/d3-flamegraph.umd.min.js")
_KINDS, _CHANGES, _APP = "flame-kinds.js", "flame-diff.js", "flame.js"
PARTS = (_STYLE, *_LIBRARIES, _KINDS, _CHANGES, _APP)

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ page.title }}</title>
<style>
{{ style }}</style>
</head>
<body>
<main>
<h1>{{ page.title }}</h1>
{% for text in page.texts %}
<p class="meta">{{ text }}</p>
{% endfor %}
<ul>{% for caveat in page.caveats %}<li>{{ caveat }}</li>{% endfor %}</ul>
<form class="flame" id="flame-form" hidden>
<label for="flame-search">Search functions</label>
<input id="flame-search" type="search" autocomplete="off" spellcheck="false">
<button type="submit">Search</button>
<button type="button" id="flame-clear">Clear</button>
<button type="button" id="flame-reset">Reset zoom</button>
</form>
{% if page.sides %}
<fieldset class="flame" id="flame-widths" hidden>
<legend>Widths of</legend>
<label><input type="radio" name="widths" value="base"> {{ page.sides[0] }}</label>
<label><input type="radio" name="widths" value="new" checked> {{ page.sides[1] }}</label>
</fieldset>
{% endif %}
<p class="flame-details small" id="flame-details" role="status">A click on a box zooms in on it.</p>
<div id="flame" role="img" aria-label="Flame graph; the table below lists functions"></div>
<ul class="legend" id="flame-legend"></ul>
<p id="flame-without">The graph needs JavaScript; the table below does not.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Functions">
<table class="numbers">
<caption><span>{{ page.caption }}</span></caption>
<thead><tr>{% for head in page.heads %}<th scope="col">{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in page.rows %}
<tr><th scope="row">{{ row[0] }}</th>{% for cell in row[1:] %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
</div>
</main>
{% for script in scripts %}
<script>
{{ script }}</script>
{% endfor %}
</body>
</html>
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Page:
    """The words around a graph."""

    title: str
    texts: tuple[str, ...]
    caveats: tuple[str, ...]
    sides: tuple[str, ...]  # base and new; none of a graph of one profile
    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def flame_file(profile: Profile, title: str, parts: Mapping[str, str]) -> str:
    """The profile as a page of its own; `parts` are the texts of the site's files named in PARTS."""
    page = _Page(
        title=title,
        texts=(f"{samples_text(profile)}, idle share {percent(profile.idle_share, 1, signed=False)}.",),
        caveats=profile.caveats,
        sides=(),
        caption="Share of samples in the function itself, callees aside",
        heads=("function", "share"),
        rows=tuple((pair.label, pair.value) for pair in heaviest(profile)),
    )
    return _written(page, tree_script(profile), _KINDS, parts)


def difference_file(
    difference: Difference, names: tuple[str, str], confidence: float, title: str, parts: Mapping[str, str]
) -> str:
    """The difference as a page of its own; `names` are those of base and new."""
    movers = movers_view(difference, names, confidence)
    shares = ("share of a packet's cost",) if difference.unit is not Unit.SHARE else ()
    page = _Page(
        title=title,
        texts=(sides_text(difference, names), reading_text(difference, names, confidence)),
        caveats=passing_texts(difference, names),
        sides=names,
        caption=movers.note,
        heads=("function", "change", *names, *shares, "sampling"),
        rows=tuple(
            (row.name, row.change, row.base, row.new, *((row.share,) if shares else ()), row.moved)
            for row in movers.rows
        ),
    )
    return _written(page, difference_script(difference, names, confidence), _CHANGES, parts)


def _written(page: _Page, tree: str, painter: str, parts: Mapping[str, str]) -> str:
    scripts = (*(parts[name] for name in _LIBRARIES), tree, parts[painter], parts[_APP])
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(_PAGE).render(
        page=page,
        style=Markup(parts[_STYLE]),  # noqa: S704 - a file of this repository
        scripts=[Markup(script) for script in scripts],  # noqa: S704 - files of this repository; a tree holds no `<`
    )
