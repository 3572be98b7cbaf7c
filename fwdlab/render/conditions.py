"""Under which conditions a campaign was measured: what its matrix says of them, and what its records do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fwdlab.campaign import Campaign
from fwdlab.records.archived import ARCHIVE
from fwdlab.records.model import Record
from fwdlab.render.model import Pair
from fwdlab.render.outcomes import WORSE_FAILS, WORSE_WARNS

_LONGEST_GENOME = 40  # frames


def conditions_of(campaign: Campaign, records: Sequence[Record]) -> Iterator[Pair]:
    """Every condition with its label; what nobody wrote down is said to be unknown."""
    for place, line in enumerate(campaign.conditions):
        yield Pair(label="" if place else "held fixed", value=line)
    for label, values in (
        ("machine", map(_machine, records)),
        ("kernel", (f"{record.names[1]}: {_fact(record, 'kernel_release')}" for record in records)),
        ("frames", (f"{record.names[4]}: {_frames(record)}" for record in records)),
        ("flows", (f"{record.names[4]}: {record.trial.flows or 'unknown'}" for record in records)),
        ("offered load", (*map(_load, records), *map(_counted, records))),
        ("attack", map(_attack, records)),
        ("trial", [_trial(records)]),
        ("rate", (f"{record.method.label}: {record.method.rule}" for record in records if record.method)),
        ("generator", (record.trial.generator for record in records)),
        ("emulator", (_fact(record, "emulator") for record in records)),
        ("repeats", [_repeats(campaign, records)]),
        ("seed", ["the number of the repeat"] if any(_fact(record, "seed") for record in records) else []),
        ("gate", [WORSE_FAILS if campaign.gate else WORSE_WARNS]),
    ):
        if found := "; ".join(dict.fromkeys(filter(None, values))):
            yield Pair(label=label, value=found)
    yield from _sender_share(records)


def _machine(record: Record) -> str:
    """What the packets met, of a machine that is no virtual one."""
    if not (topology := _fact(record, "topology")):
        return ""
    more = (_fact(record, name) for name in ("line_rate", "nic", "cpu"))
    return ", ".join(filter(None, (f"{record.names[0]}: {topology}", *more)))


def _frames(record: Record) -> str:
    octets = record.trial.frame_size
    if mix := _fact(record, "imix"):
        order = "drawn at random" if not _fact(record, "imix_order") else f"repeated in this order{_genome(mix)}"
        return f"IMIX of {mix} (weight x octets with FCS, {order}; RFC 6985), {octets} octets in the mean"
    return "unknown" if octets is None else f"{octets} octets with FCS"


def _genome(mix: str) -> str:
    """The sequence as RFC 6985 spells one of sizes of its own, a letter a frame; nothing where that is long."""
    parts = [size.partition("x")[::2] for size in mix.split()]
    letters = {octets: chr(ord("A") + place) for place, (_, octets) in enumerate(parts)}
    genome = "".join(letters[octets] * int(weight) for weight, octets in parts)
    sizes = ", ".join(f"{letter} {octets}" for octets, letter in letters.items())
    return f", genome {genome} with {sizes}" if len(genome) <= _LONGEST_GENOME else ""


def _trial(records: Sequence[Record]) -> str:
    """How long trials were: as one length or as the shortest and the longest."""
    lengths = [record.trial.duration_s for record in records if record.trial.duration_s is not None]
    if not lengths:
        return "unknown" if records else ""
    texts = dict.fromkeys(
        f"{length:.1f}" if length >= 0.1 else f"{length:.2g}" for length in (min(lengths), max(lengths))
    )
    clocks = dict.fromkeys(str(record.trial.time) for record in records)
    return f"{' to '.join(texts)} s of {' and '.join(clocks)} time"


def _repeats(campaign: Campaign, records: Sequence[Record]) -> str:
    booted = any(record.trial.boot_s is not None for record in records) or not records
    unit = "boots" if booted and not any(record.searched for record in records) else "repeats"
    if any(_fact(record, ARCHIVE) for record in records):
        return f"{campaign.repeats} {unit} a case; in which order they were taken is unknown"
    if campaign.adaptive is None:
        return f"{campaign.repeats} {unit} a case, interleaved in rounds"
    looks = ", ".join(map(str, campaign.looks))
    return f"by need, judged after {looks} {unit} a case, interleaved in rounds"


def _load(record: Record) -> str:
    if record.searched:
        return f"{record.names[4]}: {_tried(record)}"
    if record.trial.intended_pps is None:
        return "as much as the sender can (FRMOL, no throughput in the sense of RFC 2544)"
    most = record.line_rate_pps
    share = f", {record.trial.intended_pps / most * 100:.3g} % of line rate" if most else ""
    return f"{record.trial.intended_pps:.0f} pps{share}"


def _tried(record: Record) -> str:
    if record.table:
        return f"{record.label}, several tests a repeat, each of new connections in an empty table"
    return f"{record.label}, several trials a repeat"


def _counted(record: Record) -> str:
    """What counts as loss in a search or a curve."""
    if not record.searched or record.table:
        return ""
    if _fact(record, "topology"):  # sender and DUT are machines of their own
        return "loss is counted against what was sent, and a trial is made again whose sender offers less than 99 %"
    return "an offered load that falls short of the intended one is counted as loss"


def _attack(record: Record) -> str:
    """What a second sender offered all the while."""
    rate = _fact(record, "attack")
    if not rate:
        return ""
    most = "as much as the attacker can" if rate == "max" else f"{rate} pps"
    return f"{record.names[4]}: {most} beside every load, from a network of its own, counted apart"


def _sender_share(records: Sequence[Record]) -> Iterator[Pair]:
    """What part of a packet's cost is the sender's own, where it was calibrated."""
    shares = [
        record.trial.offered_pps / record.calibration.offered_pps
        for record in records
        if record.calibration and record.trial.offered_pps is not None
    ]
    if shares:
        low, high = min(shares), max(shares)
        yield Pair(
            label="sender's own cost",
            value=f"{low * 100:.0f} to {high * 100:.0f} % of a packet's time, by the same load dropped at the DUT's "
            "ingress; rates and differences include it",
        )


def _fact(record: Record, name: str) -> str:
    return dict(record.conditions.facts).get(name, "")
