"""What GitLab refuses of a pipeline for its size, as an instance that nobody tuned has it.

GitLab counts the memory that a file takes once it is read, not its octets: `lib/gitlab/utils/deep_size.rb` adds up what
Ruby says of every string, list and mapping. Here that is estimated from above, for Ruby 3.1 to 3.4.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import yaml

from fwdlab.errors import MatrixError

YAML_OCTETS = 2 * 1024**2  # `max_yaml_size_bytes`: of one file, in memory
ARTIFACT_OCTETS = 5 * 1024**2  # `max_artifacts_content_include_size`: of what a child is made from, packed
JOB_NAME = 255  # characters

_SLOTS = (40, 80, 160, 320, 640)  # octets of an object that holds its contents itself, since Ruby 3.2
_OBJECT = 40  # of one that does not, and before that
_SMALL_MAPPING, _MAPPING, _ENTRY = 168, 96, 28  # up to eight entries; beyond, of the table and of each place in it


def memory_of(value: Any) -> int:
    """Octets that GitLab counts for a parsed document, or a few more."""
    match value:
        case dict():
            return _mapping(len(value)) + sum(memory_of(key) + memory_of(entry) for key, entry in value.items())
        case list():
            return _list(len(value)) + sum(map(memory_of, value))
        case str():
            return _string(len(value.encode()))
    return _OBJECT


def _string(octets: int) -> int:
    """With its head, and a zero after it."""
    inside = next((slot for slot in _SLOTS if octets + 25 <= slot), 0)
    return max(inside, _OBJECT if octets <= 23 else _OBJECT + octets + 1)


def _list(entries: int) -> int:
    """Three fit into the object; places for more are added by halves."""
    return _OBJECT if entries <= 3 else _OBJECT + 8 * max(20, entries + entries // 2)


def _mapping(entries: int) -> int:
    """Places are doubled when they are full."""
    return _SMALL_MAPPING if entries <= 8 else _MAPPING + _ENTRY * max(32, 1 << (entries - 1).bit_length())


def size_of(text: str) -> int:
    """Octets that GitLab counts for the text of a pipeline."""
    return memory_of(yaml.load(text, Loader=yaml.CSafeLoader))


def refuse_packed(origin: str, texts: Iterable[str]) -> None:
    """MatrixError where an artifact of these files is more than GitLab makes a child from."""
    packed = sum(len(zlib.compress(text.encode())) for text in texts)
    if packed > ARTIFACT_OCTETS:
        raise MatrixError(
            f"{origin}: its plan takes {packed / 1e6:.1f} MB packed, of which GitLab reads "
            f"{ARTIFACT_OCTETS / 1e6:.1f} MB; select fewer cases, or raise 'max_artifacts_content_include_size' there"
        )
