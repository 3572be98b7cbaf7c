"""What a reader types to measure one case again: the command that measured it among others, held to this case."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

USUAL = "./lab run"
_RUN = USUAL.split()
_FLAGS = ("--quick",)
_OPTIONS = ("-m", "--matrix", "--runner-scripts")  # with --quick, what says which cases there are
_JOINED = ("-m", "--matrix=", "--runner-scripts=")  # the same where the value is in the same word


def again(command: str, slug: str) -> str:
    """The command for one case, of the one that measured it; one that takes no choice of cases measures all again."""
    try:
        words = shlex.split(command)
    except ValueError:  # of a file that somebody else wrote
        return command
    if words[: len(_RUN)] != _RUN or any(word.partition("=")[0] == "--case-file" for word in words):
        return command
    return shlex.join([*_RUN, *_choosing(words[len(_RUN) :]), "--only", slug])


def _choosing(words: Sequence[str]) -> Iterator[str]:
    """The words that say which cases there are; the others say how many are measured, for how long, and where."""
    rest = iter(words)
    for word in rest:
        if word in _OPTIONS:
            yield from (word, next(rest, ""))
        elif word in _FLAGS or word.startswith(_JOINED):
            yield word
