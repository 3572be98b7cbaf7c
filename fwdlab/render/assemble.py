"""From a campaign's records to its page: samples, result, and everything beside them that a reader may ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from fwdlab.analyse.campaign import judged
from fwdlab.analyse.floor import NoiseFloor
from fwdlab.analyse.idle import Profiled
from fwdlab.campaign import Campaign, Member
from fwdlab.case import AXES, Kind
from fwdlab.files import sha256_of
from fwdlab.records.again import again
from fwdlab.records.model import Clock, Label, Record
from fwdlab.records.store import Folders, record_path
from fwdlab.render.attribution import attributions, unit_of
from fwdlab.render.conditions import conditions_of
from fwdlab.render.curves import curves_of
from fwdlab.render.ministat_blocks import ministat_blocks
from fwdlab.render.model import CampaignPage, CaseReport, Download, FailedAttempt, Pair, Spent
from fwdlab.render.paths import paths
from fwdlab.render.validity import gate_reports
from fwdlab.units import common_scale

_FACTS = {  # what a reader asks for first, in this order; the rest is in the record
    "kernel_release": "kernel",
    "kernel_version": "kernel build",
    "kernel_sha256": "kernel SHA-256",
    "kernel_config_sha256": "kernel configuration SHA-256",
    "kernel_build_id": "kernel build ID",
    "booted_by": "booted by",
    "compiler": "compiler",
    "patch_offsets": "patch fits off its place",
    "kernel_command_line": "kernel command line",
    "cpu": "CPU of the DUT",
    "processor": "processor",
    "scheduling": "scheduling",
    "generator": "generator",
    "sender_command": "sender's command",
    "receiver_command": "receiver's command",
    "archive": "archive of",
    "archive_series": "series in the archive",
    "sink": "receiver",
    "nft": "nft",
    "iproute2": "iproute2",
    "emulator": "emulator",
    "host": "host",
    "host_cpu": "host CPU",
}

_ORIGINS: Mapping[str, str] = {
    Kind.IMAGE: "package",
    Kind.SOURCE: "source package",
    Kind.GIT: "git repository and commit",
    Kind.RUNNING: "what runs",
}
_DIGESTS: Mapping[str, str] = {Kind.RUNNING: "SHA-256 of what runs"}
_PREPARED = (  # where a reader looks to see what a case was measured on
    *("case", "manifest", "prepare/facts", "prepare/kernel.config", "prepare/build.log", "prepare/patch"),
    *("prepare/guest.packages", "prepare/info", "prepare/pps"),
)
_UNMEASURED = Profiled(profile=None, note="not measured")


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What was found on disk for the cases of all campaigns."""

    records: tuple[Record, ...]
    profiles: Mapping[str, Profiled]  # by case key
    floors: Mapping[str, NoiseFloor]  # by machine


def campaign_page(campaign: Campaign, measured: Measured, folders: Folders, command: str) -> CampaignPage:
    """The page of one campaign from the records of its members; a member without a record is told as not measured."""
    by_key: dict[str, list[Record]] = {}
    for record in measured.records:
        by_key.setdefault(record.key, []).append(record)
    profiles = {key: found.profile for key, found in measured.profiles.items() if found.profile}
    result = judged(campaign, measured.records, measured.floors, profiles)
    ours = [record for member in campaign.members for record in by_key.get(member.key, [])]
    cases = tuple(
        _case_report(
            member,
            by_key.get(member.key, []),
            measured.profiles.get(member.key, _UNMEASURED),
            folders,
            again(command, "/".join(member.names)),
        )
        for member in campaign.members
    )
    return CampaignPage(
        result=result,
        measured=max((record.trial.ended[:10] for record in ours), default=""),
        virtual=any(record.trial.time is Clock.VIRTUAL for record in ours),
        conditions=tuple(conditions_of(campaign, ours)),
        noise_source="; ".join(
            measured.floors[machine].source for machine in _machines(campaign) if machine in measured.floors
        ),
        ministat=tuple(ministat_blocks(result)),
        command=command,
        gates=gate_reports(ours, result, cases),
        cases=cases,
        attributions=tuple(attributions(result, profiles, {record.key: unit_of(record) for record in ours})),
        spent=tuple(spent(ours)),
        curves=curves_of(campaign, ours),
    )


def _machines(campaign: Campaign) -> list[str]:
    """The machines of the campaign's cases, each once."""
    return list(dict.fromkeys(member.names[AXES.index("hardware")] for member in campaign.members))


def spent(records: Sequence[Record]) -> Iterator[Spent]:
    """Host seconds that the boots and the traffic of these trials took."""
    for label, values in (
        ("boots", [record.trial.boot_s for record in records]),
        ("traffic", [record.trial.traffic_s for record in records]),
    ):
        if told := [value for value in values if value is not None]:
            yield Spent(label=label, seconds=sum(told))


def _case_report(
    member: Member, records: Sequence[Record], profiled: Profiled, folders: Folders, command: str
) -> CaseReport:
    run = folders.runs.joinpath(*member.names, member.key)
    return CaseReport(
        names=member.names,
        key=member.key,
        provenance=(_rates(records), *searches(records), *paths(records), *_provenance(records[0])) if records else (),
        command=command,
        downloads=tuple(_downloads(records, folders)),
        failed=tuple(_failed(folders, run)),
        profile=profiled.profile,
        profile_note=profiled.note,
    )


def _rates(records: Sequence[Record]) -> Pair:
    """What was offered, what came through and what did not: means over the case's trials, of what was written down."""
    trials = [record.trial for record in records]
    columns = {
        "offered": [trial.offered_pps for trial in trials],
        "forwarded": [trial.forwarded_pps for trial in trials],
        "dropped": [trial.dropped_pps for trial in trials],
    }
    told = {name: [value for value in values if value is not None] for name, values in columns.items()}
    means = {name: max(0.0, fmean(values)) for name, values in told.items() if values}
    scale = common_scale(means.values())
    numbers = ", ".join(map(scale.number, means.values())) or "none known"
    value = f"{numbers} {scale.prefix}pps, means, n {len(records)}{_share(records, means.get('forwarded'))}"
    return Pair(label=", ".join(means) or "rates", value=value)


def _share(records: Sequence[Record], forwarded: float | None) -> str:
    """What part of the line rate came through, where that is known."""
    most = {record.line_rate_pps for record in records}
    line = most.pop() if len(most) == 1 else None
    if line is None or forwarded is None:
        return ""
    carried = f"{common_scale([line]).text(line, 'pps')} of {records[0].trial.frame_size} octets"
    return f"; forwarded {forwarded / line * 100:.3g} % of the line rate, {carried}"


def searches(records: Sequence[Record]) -> Iterator[Pair]:
    """What each search came to: its rate, the bounds around it, and how many trials it took."""
    for record in records:
        lower, upper = _bounds(record)
        if (found := record.searched) and lower is not None and upper is not None:
            unit = record.label.unit
            rate = "no rate" if record.value is None else f"{record.value:.0f} {unit}"
            bounds = f"lower bound {lower:.0f} {unit}, upper bound {upper:.0f} {unit}"
            again = [item.fault for item in found.trials if item.fault]
            trials = f"{len(found.trials)} trials{f', {len(again)} made again ({again[0]})' if again else ''}"
            value = f"{rate}; {bounds}; {trials}; {found.irregular or 'regular'}"
            yield Pair(label=f"{record.label} of repeat {record.trial.repeat}", value=f"{value}{_full(record)}")


def _full(record: Record) -> str:
    """What a full table kept, and what it says itself of it; empty where none was filled."""
    upper = record.table.upper_states if record.table else None
    test = next((item for item in record.table.tests if item.states == upper), None) if record.table else None
    if test is None:
        return ""
    told = "" if test.early_drops is None else f", {test.early_drops} had made room"
    return f"; of {test.states} connections {test.validated} were kept{told}"


def _bounds(record: Record) -> tuple[float | None, float | None]:
    if record.label is Label.CAPACITY and record.table:
        return record.table.lower_states, record.table.upper_states
    return (record.searched.lower_pps, record.searched.upper_pps) if record.searched else (None, None)


def _provenance(record: Record) -> Iterator[Pair]:
    conditions = record.conditions
    named = (
        (_ORIGINS.get(conditions.kind, "package"), f"{conditions.package} {conditions.package_version}"),
        (_DIGESTS.get(conditions.kind, "package SHA-256"), conditions.package_sha256),
        ("rule file", conditions.rules),
        ("rule file SHA-256", conditions.rules_sha256),
        ("patch", conditions.patch),
        ("patch SHA-256", conditions.patch_sha256),
        ("kernel options of the patch", conditions.patch_options),
    )
    yield from (Pair(label=label, value=value) for label, value in named if value)
    facts = dict(conditions.facts)
    yield from (Pair(label=label, value=facts[name]) for name, label in _FACTS.items() if facts.get(name))
    for name, value in conditions.sysctls:
        yield Pair(label=f"sysctl {name.replace('/', '.')}", value=value)
    if conditions.runner_sha256:
        yield Pair(label="runner scripts SHA-256", value=conditions.runner_sha256)


def _failed(folders: Folders, run: Path) -> Iterator[FailedAttempt]:
    for path in sorted(run.glob("failed/*/reason")):
        if folders.raw_file(run, path.relative_to(run).as_posix()):
            said = path.read_text(errors="replace").partition("\t")[2].strip()
            yield FailedAttempt(attempt=path.parent.name, reason=said)


def _downloads(records: Sequence[Record], folders: Folders) -> Iterator[Download]:
    for record in records:
        path = folders.records / record_path(record)
        yield _download(path, Path("records") / record_path(record))
        run = folders.run_of(record)
        for raw in record.raw:
            place = Path("runs", *record.names, record.key, raw.path)
            yield Download(source=run / raw.path, path=place.as_posix(), size=raw.size, sha256=raw.sha256)
    if records:
        run = folders.run_of(records[0])
        for name in _PREPARED:
            if found := folders.raw_file(run, name):
                yield _download(found, Path("runs", *records[0].names, records[0].key, name))


def _download(source: Path, place: Path) -> Download:
    return Download(source=source, path=place.as_posix(), size=source.stat().st_size, sha256=sha256_of(source))
