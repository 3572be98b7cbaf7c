"""Folded stacks: one line a stack, root first, frames joined by `;`, then a space and the weight of its samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fwdlab.errors import RecordError

IDLE_FRAMES = frozenset(
    {
        *("acpi_cpu_c1", "acpi_cpu_idle", "acpi_idle_do_entry", "acpi_safe_halt", "arch_cpu_idle", "cpu_do_idle"),
        *("cpu_idle", "cpu_idle_hlt", "cpu_idle_mwait", "cpu_idle_poll", "default_idle", "intel_idle"),
        *("mwait_idle", "native_safe_halt", "pv_native_safe_halt", "sched_idletd"),
    }
)

_LINE = re.compile(r"(?P<stack>\S.*) (?P<weight>\d+)", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stack:
    """One distinct stack and how much of the profile fell on it."""

    folded: str  # root first, frames joined by `;`
    weight: int

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames, root first."""
        return tuple(self.folded.split(";"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """What a profiler saw of one run: distinct stacks in the order of their text."""

    event: str  # what was sampled, such as `cpu-clock`; empty where the input does not say
    samples: int  # samples taken; equals `total` where each weighs one
    stacks: tuple[Stack, ...]
    caveats: tuple[str, ...]

    @property
    def total(self) -> int:
        """The weight of all stacks together."""
        return sum(stack.weight for stack in self.stacks)

    @property
    def idle_share(self) -> float:
        """Share of the profile spent waiting for work, 0..1: an interrupt that comes while idle is work."""
        idle = sum(stack.weight for stack in self.stacks if stack.frames[-1] in IDLE_FRAMES)
        return idle / self.total

    @property
    def text(self) -> str:
        """The profile as folded lines."""
        return "".join(f"{stack.folded} {stack.weight}\n" for stack in self.stacks)


def profile_of(weights: Counter[str], *, event: str, samples: int, caveats: tuple[str, ...], origin: str) -> Profile:
    """The profile those folded stacks make; RecordError where there is none."""
    if not weights:
        raise RecordError(f"{origin}: holds no samples; collect the profile again, while traffic is flowing")
    stacks = tuple(Stack(folded=folded, weight=weight) for folded, weight in sorted(weights.items()))
    return Profile(event=event, samples=samples, stacks=stacks, caveats=caveats)


def self_weights(profile: Profile) -> tuple[tuple[str, int], ...]:
    """What each function cost itself, callees aside: heaviest first, equals by name."""
    weights: Counter[str] = Counter()
    for stack in profile.stacks:
        weights[stack.frames[-1]] += stack.weight
    return tuple(sorted(weights.items(), key=lambda item: (-item[1], item[0])))


def recognises(text: str) -> bool:
    """Whether the first line that says anything is a folded stack."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return _LINE.fullmatch(first) is not None


def fold(text: str, origin: str) -> Profile:
    """Folded text read back, equal stacks summed; RecordError where a line is not a stack and a weight."""
    weights: Counter[str] = Counter()
    for stack, weight in _lines(text, origin):
        weights[stack] += weight
    return profile_of(weights, event="", samples=sum(weights.values()), caveats=(), origin=origin)


def _lines(text: str, origin: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.fullmatch(line)
        if match:
            yield match["stack"], int(match["weight"])
        elif line:
            raise RecordError(f"{origin}:{number}:1: '{line[:60]}' is no folded stack; a line is frames and a count")
