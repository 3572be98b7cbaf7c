"""Templates to text: they lay out and do not think, and every value passes `tojson`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_PAIR = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")


def rendered(template: Path, **values: Any) -> str:
    """The template's text with these values; what it asks for and does not get is an error."""
    environment = Environment(
        loader=FileSystemLoader(template.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - no HTML: every value passes tojson
    )
    environment.policies["json.dumps_function"] = _dumps
    environment.policies["json.dumps_kwargs"] = {}
    return environment.get_template(template.name).render(**values)


def _dumps(value: object) -> str:
    """JSON that is YAML and TOML too: characters beyond the first plane stand for themselves, not in two halves."""
    return _PAIR.sub(lambda pair: json.loads(f'"{pair[0]}"'), json.dumps(value))
