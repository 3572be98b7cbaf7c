"""A trial out of an archive: the logs of its generator, or no more than the rate that followed from them.

A run folder that was laid out from an archive says so in `prepare/facts` (`archive<TAB>bench-lab`). A repeat holds the
logs byte for byte as `receiver` and `sender`; where the archive has only a list of rates it holds that, `pps`, and its
facts say in which line. What nobody wrote down stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fwdlab.errors import RecordError
from fwdlab.generators.faults import faults_of
from fwdlab.generators.log import NO_LOG, End, Log
from fwdlab.generators.pkt_gen import kept_log
from fwdlab.generators.rule import BENCH_LAB
from fwdlab.records.facts import Facts
from fwdlab.records.model import Label, Method, Slice, Trial
from fwdlab.records.raw import AGAIN
from fwdlab.units import ETHERNET_FCS_OCTETS

ARCHIVE = "archive"  # the fact that says a run was laid out from one, and from which kind
RECEIVER, SENDER, LISTED = "receiver", "sender", "pps"  # files of a repeat
LINE = "pps_line"  # the fact that says which line of the list is the repeat's


@dataclass(frozen=True, kw_only=True, slots=True)
class Archived:
    """What an archive says of one trial."""

    trial: Trial
    series: tuple[Slice, ...]  # of the sender, as far as the rule looks
    method: Method
    faults: tuple[str, ...] | None


def archived_trial(number: int, intended_pps: float | None, facts: Facts) -> Archived:
    """The trial in the folder of the facts; RecordError where there is neither log nor list.

    A log that is damaged, even past knowing it, is a fault of the trial.
    """
    receiver = kept_log(facts.folder / RECEIVER, End.RECEIVER, unknown=NO_LOG)
    sender = kept_log(facts.folder / SENDER, End.SENDER, unknown=NO_LOG)
    offered = BENCH_LAB.rate(sender) if sender else None
    forwarded = BENCH_LAB.rate(receiver) if receiver else _listed(facts)
    return Archived(
        trial=Trial(
            repeat=number,
            order=0,
            intended_pps=intended_pps,
            offered_pps=offered,
            forwarded_pps=forwarded,
            dropped_pps=None if offered is None or forwarded is None else offered - forwarded,
            frame_size=_frame_size(sender),
            flows=sender.flows if sender else None,
            duration_s=sum(item.duration_s for item in _slices(receiver)) or None,
            time=facts.clock(),
            generator=facts.text("generator", "unknown"),
            started=facts.text("started", ""),
            ended=facts.text("ended", ""),
            boot_s=None,
            traffic_s=None,
        ),
        series=tuple(_slices(sender)),
        method=_method(receiver),
        faults=_faults(sender, receiver),
    )


def _listed(facts: Facts) -> float:
    """The rate that a list has in the line of this repeat."""
    path, line = facts.folder / LISTED, facts.number(LINE)
    try:
        return float(path.read_text(encoding="utf-8", errors="replace").split("\n")[int(line or 0) - 1])
    except (OSError, ValueError, IndexError) as error:
        raise RecordError(f"{facts.folder}: holds no receiver's log and no rate in a list; {AGAIN}") from error


def _frame_size(sender: Log | None) -> int | None:
    """Octets with FCS, as the sender was told."""
    return None if sender is None or sender.frame_octets is None else sender.frame_octets + ETHERNET_FCS_OCTETS


def _slices(log: Log | None) -> Iterator[Slice]:
    """What the rule looks at; netmap's sender drops no frame, it waits."""
    for item in BENCH_LAB.inside(log) if log else ():
        if item.packets is not None and item.duration_s:
            yield Slice(packets=item.packets, errors=0, duration_s=item.duration_s)


def _method(receiver: Log | None) -> Method:
    kept = len(BENCH_LAB.values(receiver)) if receiver else None
    return Method(
        label=Label.FRMOL,
        rule=BENCH_LAB.text if receiver else "as an archive lists it; how it was made of a log is not known",
        kept=kept,
        left_out=len(receiver.intervals) - kept if receiver and kept is not None else None,
    )


def _faults(sender: Log | None, receiver: Log | None) -> tuple[str, ...] | None:
    logs = [log for log in (sender, receiver) if log]
    return tuple(fault for log in logs for fault in faults_of(log, BENCH_LAB)) if logs else None
