"""The boxes of a flame graph as the nested values a page's script draws."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from fwdlab.profiles.tree import Tree


def tree_text(tree: Tree, values: Iterable[str]) -> str:
    """Nested JSON: `n` the function, its `values` as they are given, `c` the boxes on it.

    Written without recursion, since stacks may be deeper than Python's. ASCII only, and no `<`: it may stand in HTML.
    """
    return "".join(_nodes(tree, values))


def parsed(text: str) -> str:
    """JSON as an expression of a script that reads it: written as it is, a deep tree is more than browsers take."""
    quoted = text.replace("\\", r"\\").replace("'", r"\'")
    return f"JSON.parse('{quoted}')"


def _nodes(tree: Tree, values: Iterable[str]) -> Iterator[str]:
    known = {name: json.dumps(name).replace("<", "\\u003c") for name in set(tree.names)}
    steps = pairwise((*tree.depths, 0))
    for name, value, (depth, above) in zip(tree.names, values, steps, strict=True):
        yield f'{{"n":{known[name]},{value},"c":['
        if above <= depth:
            yield "]}" * (depth - above + 1)
            yield "," if above else ""
