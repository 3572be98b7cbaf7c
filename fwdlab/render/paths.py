"""Where on the path a case's trials lost their frames, for its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fwdlab.analyse.hops import Path, path_of
from fwdlab.records.model import Record
from fwdlab.render.model import Pair

_JOINED = "; below 0: frames came in there that are none of the load, such as a neighbour's discovery"


def paths(records: Sequence[Record]) -> Iterator[Pair]:
    """Frames lost by stretch of the path, added up over the trials; of a search or a curve those that stand for it."""
    found = [path for record in records if (path := path_of(record))]
    if not found:
        return
    lost: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for path in found:
        lost.update({item.where: item.lost for item in path.stretches})
        told.update(dict(path.told))
    stretches = ", ".join(f"{where} {count}" for where, count in lost.items())
    total = f"{lost.total()} of {sum(path.sent for path in found)} sent in all{_attack(found)}, n {len(found)}"
    said = f"; hops counted {', '.join(f'{counter} {count}' for counter, count in told.items())}" if told else ""
    joined = _JOINED if min(lost.values()) < 0 else ""
    yield Pair(label="frames lost, by hop", value=f"{stretches}; {total}{said}{joined}")


def _attack(found: Sequence[Path]) -> str:
    """How much of it all was an attack's; nothing where there was none."""
    sent, lost = (sum(path.attack[place] for path in found) for place in (0, 1))
    return f", of them {lost} of {sent} an attack's" if sent else ""
