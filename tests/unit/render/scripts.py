"""What a page's script reads of the trees that were written for it."""

from __future__ import annotations

import ast
import json
from typing import Any


def read(expression: str) -> Any:
    """The value of `JSON.parse('...')`; what is escaped in that text is escaped alike in Python."""
    return json.loads(ast.literal_eval(expression.removeprefix("JSON.parse(").removesuffix(")")))
