"""Which case a series of an archive is: by a matrix and the names it goes by there, or by what the archive says itself.

Names are made of a case's fields and looked up among the series; a series' name is never taken apart.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.archive.model import Archive, Series
from fwdlab.campaign import PHYSICAL_THRESHOLD, Campaign, Member
from fwdlab.case import AXES, Case, Family, Firewall, Hardware, Kind, Lab, Patch, Revision, Traffic
from fwdlab.errors import MatrixError
from fwdlab.files import sha256_of
from fwdlab.matrix.campaigns import campaigns_of
from fwdlab.matrix.expand import as_written, expand
from fwdlab.matrix.model import NO_FIREWALL, Matrix
from fwdlab.matrix.words import advice, listed, quoted

UNKNOWN = "unknown"
USUAL_TEMPLATE = "{revision}.{firewall}"
_FIELD = re.compile(r"\{([^{}]*)\}")
_LONG_STATEFUL = re.compile("stateful+")  # archives have it with one l and with two
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
_LONGEST_NAME = 31  # with the dash and the digits that make it unlike others, 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Naming:
    """How the names of series are made of a case's names."""

    template: str  # axes in braces
    calls: Mapping[tuple[str, str], str]  # axis and name in the matrix -> what the archive calls it

    def series_of(self, case: Case) -> str:
        """The name that the archive has for the case."""
        names = dict(zip(AXES, case.names, strict=True))
        return _FIELD.sub(lambda field: self.calls.get((field[1], names[field[1]]), names[field[1]]), self.template)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The cases an archive has series of, the questions they answer, and what was left over."""

    cases: tuple[tuple[Series, Case], ...]
    campaigns: tuple[Campaign, ...]
    doubts: tuple[str, ...]


def naming_of(template: str, calls: Sequence[str], matrix: Matrix) -> Naming:
    """The naming that a command line asks for; MatrixError where it names what the matrix does not have."""
    for field in _FIELD.findall(template):
        if field not in AXES:
            raise MatrixError(f"--series: {quoted(field)} is no axis; {advice(field, AXES)}")
    return Naming(template=template, calls=dict(_call(text, matrix) for text in calls))


def _call(text: str, matrix: Matrix) -> tuple[tuple[str, str], str]:
    axis, colon, rest = text.partition(":")
    name, equals, archived = rest.partition("=")
    if not colon or not equals:
        raise MatrixError(f"--call: {quoted(text)} is no AXIS:NAME=ARCHIVED; write it like 'patch:vimage=VIMAGE'")
    if axis not in AXES:
        raise MatrixError(f"--call: {quoted(axis)} is no axis; {advice(axis, AXES)}")
    known = matrix.axes[AXES.index(axis)]
    if name not in known:
        raise MatrixError(f"--call: {quoted(name)} is no {axis} of {matrix.origin}; {advice(name, known)}")
    return (axis, name), archived


def by_matrix(archive: Archive, matrix: Matrix, naming: Naming) -> Found:
    """The cases of the matrix that the archive has a series of; MatrixError where it has none."""
    known = {_spelled(item.name): item for item in archive.series}
    runners = {machine.lab: "" for machine in matrix.machines}
    wanted = [(_spelled(naming.series_of(case)), case) for case in expand(matrix, as_written(matrix), runners)]
    _refuse_twins(wanted)
    cases = tuple((known[name], _imported(case, known[name])) for name, case in wanted if name in known)
    if not cases:
        made, there = listed(name for name, _ in wanted), listed(item.name for item in archive.series)
        raise MatrixError(f"{archive.folder}: has {there}, and no {made}; say how names are made with --series, --call")
    left = [item for item in archive.series if all(item is not series for series, _ in cases)]
    return Found(
        cases=cases,
        campaigns=campaigns_of(matrix, {case.names: case.key for _, case in cases}),
        doubts=tuple(f"{item.name}: is no case of {matrix.origin}; it is left out" for item in left),
    )


def _refuse_twins(wanted: Sequence[tuple[str, Case]]) -> None:
    slugs: dict[str, str] = {}
    for name, case in wanted:
        if (other := slugs.setdefault(name, case.slug)) != case.slug:
            raise MatrixError(f"--series: {other} and {case.slug} are both {quoted(name)}; let it name one axis more")


def _spelled(name: str) -> str:
    return _LONG_STATEFUL.sub("stateful", name)


def _imported(case: Case, series: Series) -> Case:
    """The case as the archive has it: what it does not say is unknown, whatever the matrix would boot and load."""
    return replace(
        case,
        hardware=replace(case.hardware, settings=(*case.hardware.settings, *_origin(series)), access=()),
        revision=_revision(case.revision.name, case.revision.kind, series),
        firewall=replace(case.firewall, rules="", sha256=""),
        patch=replace(case.patch, file="", sha256=""),
    )


def _revision(name: str, kind: Kind, series: Series) -> Revision:
    info = series.info
    return Revision(name=name, kind=kind, package=info.image or UNKNOWN, version=info.release or UNKNOWN, sha256="")


def _origin(series: Series) -> tuple[tuple[str, str], ...]:
    """What tells this import from a measurement, and from an import of other logs."""
    digest = hashlib.sha256()
    for path in series.files:
        digest.update(f"{path.name}\0{sha256_of(path)}\n".encode(errors="surrogateescape"))
    return (("archive", "bench-lab"), ("archive.sha256", digest.hexdigest()))


def alone(archive: Archive, hardware: str | None) -> Found:
    """Cases by what the archive says itself: image, configuration and traffic of each series' `.info`."""
    cases = tuple((series, _case(series, hardware)) for series in archive.series)
    return Found(cases=cases, campaigns=tuple(_campaigns(archive, cases)), doubts=())


def _case(series: Series, hardware: str | None) -> Case:
    info = series.info
    return Case(
        hardware=Hardware(name=_safe(hardware or info.host), lab=Lab.SSH, settings=_origin(series)),
        revision=_revision(_safe(info.image or info.release), Kind.RUNNING, series),
        firewall=Firewall(name=_safe(_spelled(info.config or series.name)), rules="", sha256=""),
        patch=Patch(name="none", file="", sha256="", options=""),
        traffic=Traffic(name=_safe(info.pktgen), family=Family.INET, frame_size=0, flows=0, load="max"),
        runner_sha256="",
    )


def _safe(name: str) -> str:
    """The name where it can be one of a case; else made so, and told apart by its hash."""
    if not name:
        return UNKNOWN
    if _NAME.fullmatch(name):
        return name
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:8]
    return f"{re.sub('[^A-Za-z0-9._+-]+', '-', name).strip('.-')[:_LONGEST_NAME]}-{digest}".strip("-")


def _campaigns(archive: Archive, cases: Sequence[tuple[Series, Case]]) -> Iterator[Campaign]:
    """One campaign over the axis on which the series differ; series that no `.info` names are in none."""
    ours = [(series, case) for series, case in cases if series.info_file]
    for axis in ("revision", "firewall"):
        arms = sorted({getattr(case, axis).name for _, case in ours})
        if len(arms) > 1:
            arms.sort(key=lambda arm: arm != NO_FIREWALL)
            yield Campaign(
                name=_safe(Path(archive.folder.resolve()).name),
                title=f"Archive {archive.folder.resolve().name}",
                question=f"What do these archived logs say of each {axis} against {arms[0]}?",
                conditions=("what the archive does not say is unknown",),
                axis=axis,
                arms=tuple(arms),
                members=tuple(Member(names=case.names, key=case.key) for _, case in ours),
                repeats=max(len(series.logs) for series, _ in ours),
                threshold=PHYSICAL_THRESHOLD,
            )
            return
