"""One flame graph as one file: the drawing library, the tree and the table in it, to be kept or sent as it is."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from fwdlab.profiles.folded import Profile
from fwdlab.render.flames import heaviest, samples_text, tree_script
from fwdlab.render.words import percent

PARTS = ("style.css", "vendor/d3/d3.min.js", "vendor/d3-flame-graph/d3-flamegraph.umd.min.js", "flame.js")

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ title }}</title>
<style>
{{ style }}</style>
</head>
<body>
<main>
<h1>{{ title }}</h1>
<p class="meta">{{ samples }}, idle share {{ idle }}.</p>
<ul>{% for caveat in caveats %}<li>{{ caveat }}</li>{% endfor %}</ul>
<form class="flame" id="flame-form" hidden>
<label for="flame-search">Search functions</label>
<input id="flame-search" type="search" autocomplete="off" spellcheck="false">
<button type="submit">Search</button>
<button type="button" id="flame-clear">Clear</button>
<button type="button" id="flame-reset">Reset zoom</button>
</form>
<p class="flame-details small" id="flame-details" role="status">A click on a box zooms in on it.</p>
<div id="flame" role="img" aria-label="Flame graph; the table below lists the heaviest functions"></div>
<ul class="legend" id="flame-legend"></ul>
<p id="flame-without">The graph needs JavaScript; the table below does not.</p>
<table class="numbers">
<caption>Share of samples in the function itself, callees aside</caption>
<thead><tr><th scope="col">function</th><th scope="col">share</th></tr></thead>
<tbody>
{% for pair in functions %}
<tr><th scope="row">{{ pair.label }}</th><td>{{ pair.value }}</td></tr>
{% endfor %}
</tbody>
</table>
</main>
{% for script in scripts %}
<script>
{{ script }}</script>
{% endfor %}
</body>
</html>
"""


def flame_file(profile: Profile, title: str, parts: Mapping[str, str]) -> str:
    """The profile as a page of its own; `parts` are the texts of the site's files named in PARTS."""
    style, *libraries, app = (Markup(parts[name]) for name in PARTS)  # noqa: S704 - files of this repository
    tree = Markup(tree_script(profile))  # noqa: S704 - holds no `<`
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(_PAGE).render(
        title=title,
        style=style,
        scripts=(*libraries, tree, app),
        samples=samples_text(profile),
        idle=percent(profile.idle_share, 1, signed=False),
        caveats=profile.caveats,
        functions=heaviest(profile),
    )
