"""YAML as it was written: every scalar stays its string, and every value knows its line and column.

Read from libyaml's events rather than through a constructor: `15.10`, `no` and `1e3` never become anything else, an
alias is never expanded, and a key that stands twice is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import yaml
from yaml.events import (
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamStartEvent,
)

from fwdlab.errors import Fault, MatrixError
from fwdlab.matrix.words import quoted

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"
Trail: TypeAlias = tuple[str | int, ...]  # the keys and indexes that lead to a value

DEEPEST = 16  # levels of nesting; a matrix needs five

_PARSER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Place(NamedTuple):
    """Line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """A YAML document: its plain value, and the place of each value and key by trail."""

    origin: str
    value: Plain
    places: Mapping[Trail, Place]
    keys: Mapping[Trail, Place]
    unread: frozenset[Trail]  # where an alias stood, already reported
    faults: tuple[Fault, ...]

    def fault(self, trail: Trail, message: str) -> Fault:
        """A fault at the value at the end of that trail."""
        return fault_at(self.origin, self.places[trail], message)

    def fault_at_key(self, trail: Trail, message: str) -> Fault:
        """A fault at the key at the end of that trail; at the value where a list has no key."""
        return fault_at(self.origin, self.keys.get(trail) or self.places[trail], message)


def fault_at(origin: str, place: Place, message: str) -> Fault:
    """A fault of the file `origin` at that place."""
    return Fault(path=origin, line=place.line, column=place.column, message=message)


def read_tree(text: str, origin: str) -> Tree:
    """The one document of `text`; MatrixError where it is no YAML or holds no document."""
    events = _events(text)
    reader = _Reader(origin=origin, events=events)
    try:
        event = next(events, None)
        if event is None:
            raise MatrixError(f"{origin}: is empty; start from the shipped matrix.yaml")
        value = reader.value(event, ())
        for extra in events:
            reader.refuse(extra, "a second document starts here; keep one document a file")
            break
    except yaml.YAMLError as error:
        raise MatrixError.of_faults(_syntax_faults(error, text, origin)) from error
    return Tree(
        origin=origin,
        value=value,
        places=reader.places,
        keys=reader.keys,
        unread=frozenset(reader.unread),
        faults=tuple(reader.faults),
    )


def _events(text: str) -> Iterator[Event]:
    """The events inside documents; those around them carry nothing."""
    around = (StreamStartEvent, DocumentStartEvent, DocumentEndEvent, yaml.events.StreamEndEvent)
    for event in yaml.parse(text, Loader=_PARSER):
        if not isinstance(event, around):
            yield event


def _place(event: Any) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)


@dataclass(kw_only=True, slots=True)
class _Reader:
    """Builds plain values from events and notes where each began."""

    origin: str
    events: Iterator[Event]
    places: dict[Trail, Place] = field(default_factory=dict)
    keys: dict[Trail, Place] = field(default_factory=dict)
    unread: set[Trail] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)

    def value(self, event: Event, trail: Trail) -> Plain:
        self.places[trail] = _place(event)
        if len(trail) > DEEPEST:
            raise MatrixError.of_faults(
                [self._fault(event, f"nested more than {DEEPEST} levels deep; a matrix needs 5")]
            )
        self._refuse_extras(event)
        match event:
            case ScalarEvent():
                return str(event.value)
            case SequenceStartEvent():
                return [self.value(item, (*trail, index)) for index, item in enumerate(self._items())]
            case MappingStartEvent():
                return self._mapping(trail)
        self.unread.add(trail)
        self.refuse(event, "an alias is not read here; write the value out")
        return ""

    def refuse(self, event: Event, message: str) -> None:
        self.faults.append(self._fault(event, message))

    def _fault(self, event: Event, message: str) -> Fault:
        return fault_at(self.origin, _place(event), message)

    def _items(self) -> Iterator[Event]:
        for event in self.events:
            if isinstance(event, CollectionEndEvent):
                return
            yield event

    def _mapping(self, trail: Trail) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for event in self._items():
            key = event.value if isinstance(event, ScalarEvent) else None
            if key is None:
                self.refuse(event, "a key is no plain word here; write 'key: value'")
                self._skip(event)
            elif key in found:
                first = self.keys[*trail, key].line
                self.refuse(event, f"key {quoted(key)} stands twice, first in line {first}; keep one of them")
            else:
                self.keys[*trail, key] = _place(event)
                found[key] = self.value(next(self.events), (*trail, key))
                continue
            self._skip(next(self.events))
        return found

    def _skip(self, event: Event) -> None:
        """Read past a value that is refused, without keeping any of it."""
        aside = _Reader(origin=self.origin, events=self.events)
        aside.value(event, ())

    def _refuse_extras(self, event: Event) -> None:
        if not isinstance(event, ScalarEvent | CollectionStartEvent):
            return
        if event.anchor is not None:
            self.refuse(
                event, f"anchor {quoted('&' + event.anchor)} is not read here; write the value where it is used"
            )
        if event.tag is not None:
            self.refuse(event, f"tag {quoted(event.tag)} is not read here; leave it out, values stay as written")


def _syntax_faults(error: yaml.YAMLError, text: str, origin: str) -> list[Fault]:
    tabs = [
        fault_at(origin, Place(number, line.index("\t") + 1), "a tab in the indentation; indent with spaces")
        for number, line in enumerate(text.splitlines(), 1)
        if "\t" in line[: len(line) - len(line.lstrip())]
    ]
    return tabs or [_syntax_fault(error, text, origin)]


def _syntax_fault(error: yaml.YAMLError, text: str, origin: str) -> Fault:
    if isinstance(error, yaml.reader.ReaderError):
        place = place_of(text.encode()[: error.position].decode(errors="ignore"))
        return fault_at(origin, place, f"character {error.character:#x} is not allowed in YAML; remove it")
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Fault(path=origin, line=0, column=0, message=f"is no YAML ({error}); check the whole file")
    found = " ".join(part for part in (error.problem, error.context) if part)
    place = Place(error.problem_mark.line + 1, error.problem_mark.column + 1)
    return fault_at(origin, place, f"YAML cannot be read: {found}; check indentation, colons and quotes up to here")


def place_of(before: str) -> Place:
    """The place of the character that follows `before`."""
    return Place(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def mapping(value: Plain) -> dict[str, Plain]:
    """The value where it is a mapping, else an empty one: what is at fault is reported once, by its shape."""
    return value if isinstance(value, dict) else {}


def items(value: Plain) -> list[Plain]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: Plain) -> str:
    """The value where it is a scalar, else the empty string."""
    return value if isinstance(value, str) else ""
