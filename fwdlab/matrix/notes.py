"""What is no fault of a matrix, but worth a thought before hours of lab time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from fwdlab.campaign import FEWEST_REPEATS, Campaign
from fwdlab.case import AXES, Family, Lab
from fwdlab.matrix.model import Guest, Matrix, Names
from fwdlab.matrix.words import listed, quoted
from fwdlab.search.connections import Measure
from fwdlab.search.cost import USUAL_CPS, cost_of
from fwdlab.search.goal import parse_program

# Octets with FCS: Ethernet 14, IPv6 40, UDP 8 and FCS 4; kernel pktgen, the virtual lab's, needs a header of 16 more.
SMALLEST_INET6 = {Lab.QEMU: 82, Lab.NETNS: 66}


def notes_of(matrix: Matrix, cells: Sequence[Names], campaigns: Sequence[Campaign]) -> tuple[str, ...]:
    """The notes on these cases of the matrix, those on single entries first."""
    used = [set(column) for column in zip(*cells, strict=True)] or [set() for _ in AXES]
    return (
        *_unused(matrix, used),
        *_large_frames(matrix, used),
        *_short_warmups(matrix, used),
        *_builds(matrix, cells),
        *_several(matrix, used),
        *_few_repeats(matrix, campaigns),
        *_by_need(campaigns),
        *_unasked(matrix, cells, campaigns),
    )


def _unused(matrix: Matrix, used: Sequence[set[str]]) -> Iterator[str]:
    for axis, names, ours in zip(AXES, matrix.axes, used, strict=True):
        idle = [name for name in names if name not in ours]
        if idle:
            yield f"{axis} {listed(idle)} has no case here"


def _large_frames(matrix: Matrix, used: Sequence[set[str]]) -> Iterator[str]:
    labs = dict.fromkeys(machine.lab for machine in matrix.machines if machine.name in used[0])
    for lab, traffic in product(labs, matrix.traffic):
        smallest = SMALLEST_INET6.get(lab, 0)
        if traffic.family is Family.INET6 and traffic.frame_size < smallest and traffic.name in used[4]:
            yield (
                f"traffic {quoted(traffic.name)} asks for frames of {traffic.frame_size} octets; "
                f"the sender's smallest over IPv6 have {smallest}, and those are sent"
            )


def _short_warmups(matrix: Matrix, used: Sequence[set[str]]) -> Iterator[str]:
    flows = max((traffic.flows for traffic in matrix.traffic if traffic.name in used[4]), default=0)
    for machine in matrix.machines:
        warmup = machine.setup.trial.warmup if isinstance(machine.setup, Guest) else flows
        if machine.name in used[0] and warmup < flows:
            yield (
                f"hardware {quoted(machine.name)} warms up with {warmup} packets, fewer than the {flows} "
                "flows; a stateful firewall makes states while it is measured"
            )


def _builds(matrix: Matrix, cells: Sequence[Names]) -> Iterator[str]:
    sources = {source.name for source in matrix.sources if source.kind.built}
    kernels = {(names[0], names[1], names[3]) for names in cells if names[1] in sources}
    if kernels:
        yield (
            f"{len(kernels)} {'kernel is' if len(kernels) == 1 else 'kernels are'} built from source before the first "
            "boot, unless in the cache: minutes for the first of a source, seconds for a patch of it"
        )


def _several(matrix: Matrix, used: Sequence[set[str]]) -> Iterator[str]:
    several = [traffic for traffic in matrix.traffic if traffic.goal and traffic.name in used[4]]
    counts = [
        f"of {quoted(traffic.name)} {cost_of(parse_program(traffic.load, traffic.goal)).usual}" for traffic in several
    ]
    if several:
        yield (
            f"lab time above counts several trials a repeat, {', '.join(counts)}; a search ends when its bounds are "
            "close, and jobs may take as many as its 'trials' allows"
        )
    if any(traffic.load in list(Measure) for traffic in several):
        yield f"a test of a state table is reckoned at {USUAL_CPS} new connections a second"


def _few_repeats(matrix: Matrix, campaigns: Sequence[Campaign]) -> Iterator[str]:
    few = [campaign.name for campaign in campaigns if campaign.repeats < FEWEST_REPEATS]
    if few:
        yield f"campaign {listed(few)} has fewer than {FEWEST_REPEATS} repeats; its verdicts will be 'invalid'"
    if not matrix.asks and matrix.repeats < FEWEST_REPEATS:
        yield f"{matrix.repeats} repeats are fewer than {FEWEST_REPEATS}; no verdict can be given on them"


def _by_need(campaigns: Sequence[Campaign]) -> Iterator[str]:
    for campaign in campaigns:
        if campaign.adaptive is not None:
            yield (
                f"campaign {quoted(campaign.name)} may take {campaign.adaptive.most} repeats of a case instead of "
                f"{campaign.repeats}; the lab time above is of the first {campaign.repeats}"
            )


def _unasked(matrix: Matrix, cells: Sequence[Names], campaigns: Sequence[Campaign]) -> Iterator[str]:
    asked = {member.names for campaign in campaigns for member in campaign.members}
    count = sum(names not in asked for names in cells)
    if count:
        yield f"{count} of {len(cells)} cases are in no campaign; they are measured, and no page compares them"
    silent = [ask.name for ask in matrix.asks if ask.name not in {campaign.name for campaign in campaigns}]
    if silent:
        yield f"campaign {listed(silent)} has nothing to compare among these cases"
