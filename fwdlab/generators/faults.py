"""What makes a generator's log say nothing about the DUT, each with what to do; a log without any can be believed."""

from __future__ import annotations

from collections.abc import Iterator

from fwdlab.generators.log import Kind, Log, Trouble
from fwdlab.generators.rule import Rule


def faults_of(log: Log, rule: Rule) -> tuple[str, ...]:
    """Why the trial is invalid by this log, the cause before what came of it; empty where it is not.

    A poll that failed in the lines the rule leaves out, in a log that goes on after it, is none.
    """
    if log.lines == 0:
        return (f"the {log.end}'s log is empty; look at whether it was started at all",)
    return tuple(dict.fromkeys((*_troubles(log, rule), *_silence(log, rule), *_cut(log))))


def troubles_of(log: Log) -> tuple[str, ...]:
    """Why a trial that the lab itself counted is invalid by this log: trouble in any line, and a missing end."""
    return tuple(dict.fromkeys((*_troubles(log, _EVERY_LINE), *_cut(log))))


def _troubles(log: Log, rule: Rule) -> Iterator[str]:
    lost = rule.rate(log) is None
    for kind, advice in _ADVICE.items():
        told = [item for item in log.troubles if item.kind is kind and (lost or _counts(item, log, rule))]
        if told:
            more = f" and {len(told) - 1} like it" if len(told) > 1 else ""
            yield f"the {log.end} said '{told[0].said}' (line {told[0].line}{more}); {advice}"


def _counts(trouble: Trouble, log: Log, rule: Rule) -> bool:
    return trouble.kind is Kind.DEAD or rule.covers(log, trouble.line)


def _silence(log: Log, rule: Rule) -> Iterator[str]:
    inside, values = rule.inside(log), rule.values(log)
    verb = {"sender": "sent", "receiver": "received"}.get(log.end, "counted")
    if log.intervals and not any(item.pps for item in log.intervals):
        yield f"the {log.end} {verb} nothing: 0 pps in all {len(log.intervals)} s; look at routes, rules and cables"
    elif len(values) < rule.fewest:
        yield (
            f"the {log.end}'s log has {len(values)} seconds above 0 pps between its first {rule.head} and last "
            f"{rule.tail} lines, fewer than {rule.fewest}; measure for longer"
        )
    elif len(values) < len(inside):
        silent = len(inside) - len(values)
        yield f"the {log.end} {verb} nothing (0 pps) in {silent} of {len(inside)} s; look at link and log"


def _cut(log: Log) -> Iterator[str]:
    if not log.finished:
        yield f"the {log.end}'s log is cut off after line {log.lines}; look at what ended it, and at the disk"


_EVERY_LINE = Rule(name="every line", head=0, tail=0, fewest=1)
_ADVICE = {
    Kind.DEAD: "look at the link, which netmap takes down for a moment, and wait longer for it",
    Kind.POLL: "look at the link and at the interface's queues",
    Kind.DAMAGED: "the log is damaged; look at the disk it was written to",
    Kind.ROUNDED: "its last digits are lost; run pkt-gen with -N",
}
