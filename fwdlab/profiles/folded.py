"""Folded stacks: one line a stack, root first, frames joined by `;`, then a space and the weight of its samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fwdlab.errors import RecordError

AGAIN = "collect the profile again, while traffic is flowing"
MOST_IDLE = 0.5  # idle share above which a profile says nothing about the DUT
UNKNOWN = "[unknown]"  # the frame of a function without a name

# What a core runs while it has no work: Linux, FreeBSD, illumos. A module before the name, as DTrace writes it, is cut.
IDLE_FRAMES = frozenset(
    {
        *("acpi_cpu_c1", "acpi_cpu_idle", "acpi_idle_do_entry", "acpi_safe_halt", "arch_cpu_idle", "cpu_do_idle"),
        *("cpu_idle", "cpu_idle_hlt", "cpu_idle_mwait", "cpu_idle_poll", "default_idle", "intel_idle"),
        *("mwait_idle", "native_safe_halt", "pv_native_safe_halt", "sched_idletd"),
        *("cpu_activeclock", "cpu_idle_acpi", "cpu_idle_spin", "cpu_idleclock"),
        *("i86_mwait", "mach_cpu_idle"),
    }
)

_MOST = 2**53  # up to here a browser's numbers are exact
_FIRST = re.compile(r"^(?!#).*\S.*$", re.MULTILINE)
_LINE = re.compile(r"^(\S.*) (\d{1,18})$", re.ASCII | re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stack:
    """One distinct stack and how much of the profile fell on it."""

    folded: str  # root first, frames joined by `;`
    weight: int

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames, root first."""
        return tuple(self.folded.split(";"))

    @property
    def leaf(self) -> str:
        """The function that was running."""
        return self.folded.rpartition(";")[2]


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
        idle = sum(stack.weight for stack in self.stacks if stack.leaf.rpartition("`")[2] in IDLE_FRAMES)
        return idle / self.total

    @property
    def text(self) -> str:
        """The profile as folded lines."""
        return "".join(f"{stack.folded} {stack.weight}\n" for stack in self.stacks)


def profile_of(
    weights: Mapping[str, int], *, event: str, samples: int, caveats: tuple[str, ...], origin: str
) -> Profile:
    """The profile those folded stacks make; RecordError where they hold no sample or more than a page can show."""
    total = sum(weights.values())
    if not total:
        raise RecordError(f"{origin}: holds no samples; {AGAIN}")
    if total > _MOST:
        raise RecordError(f"{origin}: its weights add up to {total}, more than any profiler's; check what wrote it")
    stacks = tuple(Stack(folded=folded, weight=weight) for folded, weight in sorted(weights.items()))
    return Profile(event=event, samples=samples, stacks=stacks, caveats=(*caveats, *_blind_spots(event)))


def _blind_spots(event: str) -> Iterator[str]:
    if any(word in event.lower() for word in ("cycles", "unhalted")):
        yield f"'{event}' stands still while a core is halted: it may have been idle longer than the idle share says"


def self_weights(profile: Profile) -> tuple[tuple[str, int], ...]:
    """What each function cost itself, callees aside: heaviest first, equals by name."""
    weights: Counter[str] = Counter()
    for stack in profile.stacks:
        weights[stack.leaf] += stack.weight
    return tuple(sorted(weights.items(), key=lambda item: (-item[1], item[0])))


def first_line(text: str) -> str:
    """The first line that says something; one that begins with `#` does not."""
    found = _FIRST.search(text)
    return found[0] if found else ""


def counted(count: int, noun: str) -> str:
    """How many of them there are, such as `1 line` or `2 lines`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def chosen_event(seen: Mapping[str, int], wanted: str | None, origin: str) -> str:
    """The event to fold, the first seen unless another is wanted; RecordError where no sample is of that one."""
    if wanted is None:
        return next(iter(seen), "")
    if wanted not in seen:
        known = ", ".join(f"'{event}'" for event in seen if event) or "no event by name"
        raise RecordError(f"{origin}: holds no samples of event '{wanted}'; it has {known}")
    return wanted


def left_out(seen: Mapping[str, int], event: str) -> Iterator[str]:
    """A caveat for each event that is not folded: different events do not add up."""
    for other, samples in sorted(seen.items()):
        if other != event:
            yield f"{counted(samples, 'sample')} of event '{other}' left out: only '{event}' is folded"


def unread_lines(numbers: Sequence[int]) -> Iterator[str]:
    """A caveat about the lines with those numbers, which nobody understands; none where there are none."""
    if numbers:
        yield f"{counted(len(numbers), 'line')} of no known form left out, the first is line {numbers[0]}"


def recognises(text: str) -> bool:
    """Whether the first line that says anything is a folded stack."""
    return _LINE.fullmatch(first_line(text)) is not None


def fold(text: str, origin: str, event: str | None = None) -> Profile:
    """Folded text read back, equal stacks summed; RecordError where a line is not a stack and a weight."""
    if event is not None:
        raise RecordError(f"{origin}: folded stacks name no event, so '{event}' cannot be chosen; leave out --event")
    lines = text.split("\n")
    pairs = _LINE.findall(text)  # a line a match, in one go: a match for each line alone takes twice the time
    if len(pairs) != len(lines) - lines.count(""):
        raise RecordError(_first_fault(lines, origin))
    weights: dict[str, int] = {}
    for stack, weight in pairs:
        weights[stack] = weights.get(stack, 0) + int(weight)
    caveats = tuple(_caveats(lines))
    return profile_of(weights, event="", samples=sum(weights.values()), caveats=caveats, origin=origin)


def _first_fault(lines: list[str], origin: str) -> str:
    number = next(number for number, line in enumerate(lines, 1) if line and not _LINE.fullmatch(line))
    found = lines[number - 1][:60]
    return f"{origin}:{number}:1: '{found}' is no folded stack; a line is frames and a count of at most 18 digits"


def _caveats(lines: list[str]) -> Iterator[str]:
    if lines[-1]:
        yield f"line {len(lines)} has no end, so the text may be cut there and more of it missing"
