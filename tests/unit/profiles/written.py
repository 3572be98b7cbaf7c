"""The same stacks as each profiler writes them down: what they are folded to must not depend on who wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

Taken = Sequence[tuple[tuple[str, ...], int]]  # stacks, leaf first, each with how many samples in a row saw it

FRAME = st.sampled_from(["ip_input", "ip_tryforward", "ether_output", "fork_exit", "Xtimerint", "0xffffffff80a3742d"])
STACK = st.lists(FRAME, min_size=1, max_size=6).map(tuple)
TAKEN = st.lists(st.tuples(STACK, st.integers(1, 40)), min_size=1, max_size=12)


@dataclass(kw_only=True)
class Node:
    """A line of a pmcstat call graph."""

    samples: int = 0
    callers: dict[str, Node] = field(default_factory=dict)


def stacks_of(taken: Taken) -> dict[str, int]:
    """What must come out: the weight of each distinct stack, root first."""
    weights: Counter[str] = Counter()
    for stack, samples in taken:
        weights[";".join(reversed(stack))] += samples
    return dict(weights)


def pmcstat(sections: Sequence[tuple[str, Taken]]) -> str:
    """What `pmcstat -G` writes of those events, one section each."""
    return "".join(_section(event, taken) for event, taken in sections)


def _section(event: str, taken: Taken) -> str:
    top = Node()
    for stack, samples in taken:
        node = top
        node.samples += samples
        for frame in stack:
            node = node.callers.setdefault(frame, Node())
            node.samples += samples
    trees = "".join(f"{_tree(name, node, 0, top.samples)}\n" for name, node in _sorted(top))
    return f"@ {event} [{top.samples} samples]\n\n{trees}"


def _tree(name: str, node: Node, depth: int, total: int) -> str:
    share = "100.0%" if node.samples == total else f"{100 * node.samples / total:05.2f}%"
    count = f" [{node.samples}] ".ljust(12)
    module = "" if depth else " @ /boot/kernel/kernel"
    line = f"{' ' * depth}{share} {count}{' ' * depth}{name}{module}\n"
    return line + "".join(_tree(name, caller, depth + 1, node.samples) for name, caller in _sorted(node))


def _sorted(node: Node) -> list[tuple[str, Node]]:
    return sorted(node.callers.items(), key=lambda item: -item[1].samples)


def perf(event: str, taken: Taken) -> str:
    """What `perf script` writes: a sample for each run of equal ones, weighing its length."""
    return "".join(
        f"swapper     0 [000]     1.000000:     {samples} {event}: \n"
        + "".join(f"\tffffffff81000000 {frame}+0x1f ([kernel.kallsyms])\n" for frame in stack)
        + "\n"
        for stack, samples in taken
    )


def dtrace(taken: Taken) -> str:
    """What DTrace writes of `@[stack()] = count()`."""
    header = "CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s \n\n"
    stacks = "\n".join(
        "".join(f"              kernel`{frame}+0x1f\n" for frame in stack) + f"{samples:17d}\n"
        for stack, samples in taken
    )
    return f"{header}\n{stacks}"


def folded(taken: Taken) -> str:
    """The stacks as folded lines, neither summed nor sorted."""
    return "".join(f"{';'.join(reversed(stack))} {samples}\n" for stack, samples in taken)
