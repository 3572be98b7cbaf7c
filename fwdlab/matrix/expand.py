"""From axes to cases: the product, without what is excluded, with what is included again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import product

from fwdlab.case import Case, Lab, Revision
from fwdlab.errors import MatrixError
from fwdlab.matrix.line_rate import at_line_rate
from fwdlab.matrix.model import Ask, Machine, Matrix, Names, Quick, Selection, Source
from fwdlab.matrix.words import advice, quoted

Pins = Mapping[tuple[str, str], Revision]  # what a machine boots, by the names of machine and revision
Runners = Mapping[Lab, str]  # state of the runner scripts, by lab


def cells(matrix: Matrix) -> Iterator[Names]:
    """The names of every case, hardware slowest, traffic fastest: the order a lab wants to reboot in."""
    yield from allowed(matrix.axes, matrix.exclude, matrix.include)


def allowed(axes: Sequence[Names], exclude: Sequence[Selection], include: Collection[Names]) -> Iterator[Names]:
    """The product of the axes in their order, but for cells that are excluded and not included again."""
    for first in axes[0]:
        rules = [rule for rule in exclude if not rule.wanted[0] or first in rule.wanted[0]]
        for names in product((first,), *axes[1:]):
            if names in include or not any(rule.fits(names) for rule in rules):
                yield names


def expand(matrix: Matrix, pins: Pins, runners: Runners) -> Iterator[Case]:
    """Every case, in the order of `cells`; the entries of the axes are shared between them."""
    machines = {machine.name: machine for machine in matrix.machines}
    hardware = {machine.name: machine.hardware for machine in matrix.machines}
    firewalls = {firewall.name: firewall for firewall in matrix.firewalls}
    patches = {patch.name: patch for patch in matrix.patches}
    traffic = {traffic.name: traffic for traffic in matrix.traffic}
    for names in cells(matrix):
        yield Case(
            hardware=hardware[names[0]],
            revision=pins[names[0], names[1]],
            firewall=firewalls[names[2]],
            patch=patches[names[3]],
            traffic=at_line_rate(traffic[names[4]], hardware[names[0]]),
            runner_sha256=runners[machines[names[0]].lab],
        )


def pairs(matrix: Matrix) -> Iterator[tuple[Machine, Source]]:
    """Each machine with each revision it boots in some case, in the order of the file."""
    booted = {names[:2] for names in cells(matrix)}
    for machine, source in product(matrix.machines, matrix.sources):
        if (machine.name, source.name) in booted:
            yield machine, source


def as_written(matrix: Matrix) -> Pins:
    """Revisions as the matrix has them: `latest` stays `latest`, and no hash is known. Needs no network."""
    return {(machine.name, source.name): written(machine, source) for machine, source in pairs(matrix)}


def written(machine: Machine, source: Source) -> Revision:
    """One revision as the matrix has it, its package named for the machine's instruction set."""
    return Revision(
        name=source.name,
        kind=source.kind,
        package=source.package_for(machine.arch),
        version=source.version,
        sha256="",
    )


def quick_of(matrix: Matrix) -> Matrix:
    """The smaller matrix of `--quick`: its selection of every axis, its repeats everywhere."""
    if matrix.quick is None:
        raise MatrixError(f"{matrix.origin}: there is no 'quick' in it; add one, or leave --quick away")
    chosen = [_chosen(names, wanted) for names, wanted in zip(matrix.axes, matrix.quick.select.wanted, strict=True)]
    return replace(
        matrix,
        repeats=matrix.quick.repeats,
        machines=tuple(machine for machine in matrix.machines if machine.name in chosen[0]),
        sources=tuple(source for source in matrix.sources if source.name in chosen[1]),
        firewalls=tuple(firewall for firewall in matrix.firewalls if firewall.name in chosen[2]),
        patches=tuple(patch for patch in matrix.patches if patch.name in chosen[3]),
        traffic=tuple(traffic for traffic in matrix.traffic if traffic.name in chosen[4]),
        asks=tuple(_quick_ask(ask, matrix.quick) for ask in matrix.asks),
    )


def _chosen(names: Names, wanted: frozenset[str]) -> frozenset[str]:
    return wanted or frozenset(names)


def _quick_ask(ask: Ask, quick: Quick) -> Ask:
    return replace(ask, repeats=quick.repeats, adaptive=None)


def only(cases: Sequence[Case], pattern: str, option: str = "--only") -> tuple[Case, ...]:
    """The cases whose slug fits the pattern, `*` for anything; MatrixError where none does."""
    slugs = [case.slug for case in cases]
    found = tuple(case for case, slug in zip(cases, slugs, strict=True) if fnmatchcase(slug, pattern))
    if not found:
        guess = advice(pattern, slugs) if len(slugs) < 1000 else "'fwdlab cases' lists them all"
        raise MatrixError(f"{option} {quoted(pattern)}: no case has that name; {guess}")
    return found
