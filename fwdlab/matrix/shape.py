"""Is the file of the right shape? The published JSON Schema decides; the sentences are ours.

The schema says in `errorMessage` what to write instead, so that an editor and `fwdlab` give the same advice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator, TypeChecker, ValidationError, validators

from fwdlab.errors import Fault
from fwdlab.matrix.model import SECTIONS
from fwdlab.matrix.tree import Plain, Trail, Tree
from fwdlab.matrix.words import advice, listed, near, quoted

Found = tuple[Trail, Fault]

_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
_NOUNS = {section: axis for axis, section in SECTIONS.items()} | {"campaigns": "campaign"}


def schema_text() -> str:
    """The published schema of a matrix file, as it lies in the package."""
    return (resources.files("fwdlab.matrix") / "schema.json").read_text(encoding="utf-8")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Breach:
    """One keyword of the schema that a value does not keep, out of jsonschema's error."""

    trail: Trail
    value: Plain
    keyword: str
    wanted: Any  # what the keyword says, of the keyword's own shape
    schema: Mapping[str, Any]  # where the keyword stands
    of_name: bool  # the value is a key, not what stands under it

    @property
    def hint(self) -> str:
        """What to write instead."""
        return str(self.schema["errorMessage"])


def shape_faults(tree: Tree) -> list[Found]:
    """Everything the schema has against the document, with the trail of what is at fault."""
    breaches = map(_breach, _validator().iter_errors(tree.value))
    found = {item for breach in breaches if breach.trail not in tree.unread for item in _faults_of(breach, tree)}
    return sorted(found, key=lambda item: (item[1], str(item[0])))


def _breach(error: Any) -> _Breach:
    return _Breach(
        trail=tuple(error.absolute_path),
        value=error.instance,
        keyword=error.validator,
        wanted=error.validator_value,
        schema=error.schema,
        of_name="propertyNames" in error.absolute_schema_path,
    )


def _validator() -> Any:
    """A validator for scalars that are all strings: `5` is a whole number, a pattern fits the whole string."""
    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
    keywords = {"minimum": _minimum, "maximum": _maximum, "pattern": _pattern}
    extend: Callable[..., Any] = validators.extend
    return extend(Draft202012Validator, keywords, type_checker=checker)(json.loads(schema_text()))


def _is_whole(_checker: TypeChecker, value: object) -> bool:
    return isinstance(value, str) and _WHOLE.fullmatch(value) is not None


def _minimum(_validator: object, limit: int, value: object, _schema: object) -> Iterator[ValidationError]:
    if isinstance(value, str) and _WHOLE.fullmatch(value) and int(value) < limit:
        yield ValidationError("too small")


def _maximum(_validator: object, limit: int, value: object, _schema: object) -> Iterator[ValidationError]:
    if isinstance(value, str) and _WHOLE.fullmatch(value) and int(value) > limit:
        yield ValidationError("too large")


def _pattern(_validator: object, pattern: str, value: object, _schema: object) -> Iterator[ValidationError]:
    if isinstance(value, str) and re.fullmatch(pattern, value) is None:
        yield ValidationError("does not fit")


def _faults_of(breach: _Breach, tree: Tree) -> Iterator[Found]:
    if breach.of_name:
        name = str(breach.value)
        trail = (*breach.trail, name)
        yield trail, tree.fault_at_key(trail, f"name {quoted(name)} cannot be used; {breach.hint}")
    elif breach.keyword in _SENTENCES:
        yield from _SENTENCES[breach.keyword](breach, tree)
    else:
        message = f"{_subject(breach.trail)} is {_shown(breach.value)}; {breach.hint}"
        yield breach.trail, tree.fault(breach.trail, message)


def _unknown_keys(breach: _Breach, tree: Tree) -> Iterator[Found]:
    """One fault for each key the schema does not have there."""
    known = list(breach.schema.get("properties", {}))
    unused = [key for key in known if key not in breach.value]
    for key in (str(key) for key in breach.value if key not in known):
        trail = (*breach.trail, key)
        message = f"unknown key {quoted(key)} in {_subject(breach.trail)}; {advice(key, unused or known)}"
        yield trail, tree.fault_at_key(trail, message)


def _missing_keys(breach: _Breach, tree: Tree) -> Iterator[Found]:
    """One fault for each required key that is not there, but for those that were misspelled: they are unknown keys.

    jsonschema reports each missing key, so these come more than once.
    """
    known = breach.schema["properties"]
    missing = [key for key in breach.wanted if key not in breach.value]
    misspelled = {near(str(key), missing) for key in breach.value if key not in known}
    for key in (key for key in missing if key not in misspelled):
        message = f"{_subject(breach.trail)} has no {quoted(key)}; add it: {_first_sentence(known[key]['description'])}"
        yield (*breach.trail, key), tree.fault_at_key(breach.trail, message)


def _dependent(breach: _Breach, tree: Tree) -> Iterator[Found]:
    """Keys that say nothing without another."""
    for key, others in breach.wanted.items():
        for other in others:
            if key in breach.value and other not in breach.value:
                trail = (*breach.trail, key)
                message = f"{_subject(breach.trail)} has {quoted(key)} without {quoted(other)}; add that too"
                yield trail, tree.fault_at_key(trail, message)


def _enumeration(breach: _Breach, tree: Tree) -> Iterator[Found]:
    guess = advice(breach.value, breach.wanted) if isinstance(breach.value, str) else breach.hint
    message = f"{_subject(breach.trail)} is {_shown(breach.value)}; {guess}"
    yield breach.trail, tree.fault(breach.trail, message)


def _too_few(breach: _Breach, tree: Tree) -> Iterator[Found]:
    count = "too short" if breach.value else "empty"
    yield breach.trail, tree.fault(breach.trail, f"{_subject(breach.trail)} is {count}; {breach.hint}")


def _repeated(breach: _Breach, tree: Tree) -> Iterator[Found]:
    values = list(breach.value)
    for index, value in enumerate(values):
        if value in values[:index]:
            trail = (*breach.trail, index)
            message = f"{_shown(value)} stands twice in {_subject(breach.trail)}; keep one of them"
            yield trail, tree.fault(trail, message)


def _one_of(breach: _Breach, tree: Tree) -> Iterator[Found]:
    """None or several of the keys of which one says what an entry is; what is no mapping is at fault for that."""
    if not isinstance(breach.value, Mapping):
        return
    choices = [str(key) for choice in breach.wanted for key in choice["required"]]
    given = [str(key) for key in breach.value if key in choices]
    known = breach.schema["properties"]
    if given:
        trail = (*breach.trail, given[1])
        message = f"{_subject(breach.trail)} has {listed(given)}; keep one of them"
        yield trail, tree.fault_at_key(trail, message)
    elif not any(near(str(key), choices) for key in breach.value if key not in known):
        yield (
            breach.trail,
            tree.fault_at_key(breach.trail, f"{_subject(breach.trail)} has none of {listed(choices)}; add one"),
        )


_SENTENCES: Mapping[str, Callable[[_Breach, Tree], Iterator[Found]]] = {
    "additionalProperties": _unknown_keys,
    "required": _missing_keys,
    "dependentRequired": _dependent,
    "enum": _enumeration,
    "minItems": _too_few,
    "minProperties": _too_few,
    "uniqueItems": _repeated,
    "oneOf": _one_of,
    "anyOf": _one_of,
}


def _subject(trail: Trail) -> str:
    """What stands at the end of the trail, in the words of the file: `'memory' of hardware 'qemu-x86'`."""
    keys = [step for step in trail if isinstance(step, str)]
    if not keys:
        return "the matrix"
    entry = "an entry of " if isinstance(trail[-1], int) else ""
    if len(keys) == 1:
        return entry + quoted(keys[0])
    owner = f"{_NOUNS[keys[0]]} {quoted(keys[1])}" if keys[0] in _NOUNS else quoted(keys[0])
    inner = keys[2:] if keys[0] in _NOUNS else keys[1:]
    return f"{entry}{quoted(inner[-1])} of {owner}" if inner else owner


def _shown(value: object) -> str:
    match value:
        case "":
            return "empty"
        case str():
            return quoted(value)
        case list():
            return "a list"
    return "a mapping"


def _first_sentence(text: str) -> str:
    """The first sentence of a description, as the rest of a message."""
    sentence = text.partition(". ")[0].removesuffix(".")
    return sentence[0].lower() + sentence[1:]
