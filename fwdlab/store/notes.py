"""Notes: what people said of entries later. A note that a note in force invalidates is in force no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fwdlab.store.model import Act, Note


def in_force(notes: Sequence[Note]) -> list[Note]:
    """The notes that hold, in the order they were written.

    A note can only be about one that was there before it, since it names its hash; so this comes to an end.
    """
    against: dict[str, list[Note]] = {}
    for note in notes:
        if note.act is Act.INVALIDATE:
            against.setdefault(note.about, []).append(note)
    holds: dict[str, bool] = {}
    waiting = list(notes)
    while waiting:
        left = []
        for note in waiting:
            others = [other.path for other in against.get(note.path, ())]
            if all(path in holds for path in others):
                holds[note.path] = not any(holds[path] for path in others)
            else:
                left.append(note)
        waiting = left
    return sorted((note for note in notes if holds[note.path]), key=lambda note: (note.when, note.path))


def invalidated(notes: Iterable[Note]) -> set[str]:
    """The entries that these notes, all in force, say not to believe."""
    return {note.about for note in notes if note.act is Act.INVALIDATE}


def sentence(note: Note) -> str:
    """Who said what and when."""
    word = {Act.INVALIDATE: "invalidated", Act.ANNOTATE: "noted"}[note.act]
    return f"{word} by {note.who} on {note.when[:10]}: {note.why}"
