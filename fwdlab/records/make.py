"""A run folder into records, one for each repeat that is whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fwdlab.case import Case, parse_case
from fwdlab.errors import RecordError
from fwdlab.files import sha256_of
from fwdlab.records import several
from fwdlab.records.again import USUAL, again
from fwdlab.records.archived import ARCHIVE, archived_trial
from fwdlab.records.facts import Facts, parse_facts
from fwdlab.records.logs import faults_of_logs
from fwdlab.records.model import GENERATED, Calibration, Conditions, Label, RawFile, Record, Slice, Trial
from fwdlab.records.program import method_of, program_of
from fwdlab.records.raw import AGAIN, NO_RESULT, Result, parse_result
from fwdlab.records.reduce import counted, differences, rates_of
from fwdlab.records.trials import intended_of, seconds_of, trials_in
from fwdlab.search.goal import Program
from fwdlab.units import ETHERNET_FCS_OCTETS

_REPEAT = re.compile(r"repeat-([1-9][0-9]*)")


def records_of(run: Path, command: str = USUAL) -> Iterator[Record | RecordError]:
    """The record of each whole repeat of a run folder, or why there is none; in the order of the repeats.

    The command is the one that measured it, with whatever else it did.
    """
    try:
        case = _case(run)
        listed = _manifest(run)
        tuple(_raw_files(run, run / "prepare", listed))  # conditions are read from there
    except RecordError as error:
        yield error
        return
    for number, folder in repeats_of(run):
        try:
            yield _repeatable(_record(case, run, folder, number, listed), again(command, case.slug))
        except RecordError as error:
            yield error


def value_of(case: Case, folder: Path) -> tuple[float | None, str]:
    """What a whole repeat came to and its unit; None where a search came to nothing."""
    if program := program_of(case):
        trials, unit = trials_in(folder), method_of(program).label.unit
        table = several.table_of(program, trials)
        if table and unit == Label.CAPACITY.unit:
            return table.lower_states, unit
        return (several.rate_of(program, trials) if trials else None), unit
    path = folder / "result"
    return rates_of(parse_result(_text(path), str(path)), str(path))[1], Label.FRMOL.unit


def _case(run: Path) -> Case:
    """The case of a run folder; a folder that is not named for it could put records anywhere."""
    case = parse_case(_text(run / "case"), str(run / "case"))
    if run.parts[-len(case.folder.parts) :] != case.folder.parts:
        raise RecordError(f"{run}/case: is the case of '{case.folder}', not of this folder; {AGAIN}")
    return case


def repeats_of(run: Path) -> list[tuple[int, Path]]:
    """The whole repeats of a run folder by number."""
    matches = ((_REPEAT.fullmatch(path.name), path) for path in run.iterdir() if path.is_dir())
    return sorted((int(match[1]), path) for match, path in matches if match)


def _record(case: Case, run: Path, folder: Path, number: int, listed: Mapping[str, str]) -> Record:
    raw = tuple(_raw_files(run, folder, listed))
    prepared = parse_facts(_text(run / "prepare" / "facts"), str(run / "prepare" / "facts"))
    if ARCHIVE in prepared:
        return _archived(case, folder, number, prepared, raw)
    if program := program_of(case):
        return _of_several(case, program, folder, prepared, raw)
    result = parse_result(_text(folder / "result"), str(folder / "result"))
    facts = parse_facts(_text(folder / "facts"), str(folder / "facts"))
    counters = differences(result.counters)
    calibration = result.phase("calibration")
    return Record(
        names=case.names,
        key=case.key,
        trial=_trial(case, number, result, counters, Facts(folder, {**prepared, **facts, **dict(result.facts)})),
        series=result.phase("measured"),
        calibration=_calibration(calibration) if calibration else None,
        counters=_sorted(counters),
        conditions=_conditions(case, {**prepared, "seed": facts["seed"]} if "seed" in facts else prepared, result),
        raw=raw,
        faults=faults_of_logs(folder),
    )


def _repeatable(record: Record, command: str) -> Record:
    """The record with the command that measures its case again; what was imported has its own."""
    conditions = record.conditions
    return replace(record, conditions=replace(conditions, command=conditions.command or command))


def _archived(case: Case, folder: Path, number: int, prepared: Mapping[str, str], raw: tuple[RawFile, ...]) -> Record:
    facts = parse_facts(_text(folder / "facts"), str(folder / "facts"))
    found = archived_trial(number, _intended(case), Facts(folder, {**prepared, **facts}))
    return Record(
        names=case.names,
        key=case.key,
        trial=found.trial,
        series=found.series,
        calibration=None,
        counters=(),
        conditions=replace(_conditions(case, prepared, NO_RESULT), command="./lab import bench-lab DIR"),
        raw=raw,
        method=found.method,
        faults=found.faults,
    )


def _of_several(
    case: Case, program: Program, folder: Path, prepared: Mapping[str, str], raw: tuple[RawFile, ...]
) -> Record:
    """The record of a repeat of several trials: one of them stands for it, and all are told."""
    trials = trials_in(folder)
    if not trials:
        raise RecordError(f"{folder}: holds no trial; {AGAIN}")
    shown, searched = several.shown_trial(program, trials), several.searched_of(program, trials)
    facts = parse_facts(_text(folder / "facts"), str(folder / "facts"))
    counters = differences(shown.result.counters)
    said = Facts(shown.folder, {**prepared, **facts, **dict(shown.result.facts)})
    trial = _trial(case, int(facts["repeat"]), shown.result, counters, said)
    rate = several.rate_of(program, trials)
    return Record(
        names=case.names,
        key=case.key,
        trial=replace(
            trial,
            intended_pps=intended_of(shown),
            forwarded_pps=rate,
            dropped_pps=None if rate is None or trial.offered_pps is None else trial.offered_pps - rate,
            boot_s=seconds_of(trials, "boot_s"),
            traffic_s=seconds_of(trials, "traffic_s"),
        ),
        series=shown.result.phase("measured"),
        calibration=None,
        counters=_sorted(counters),
        conditions=_conditions(case, prepared, shown.result),
        raw=raw,
        method=method_of(program),
        faults=several.faults_of_search(searched),
        searched=searched,
        table=several.table_of(program, trials),
    )


def _trial(case: Case, number: int, result: Result, counters: Mapping[str, Mapping[str, int]], facts: Facts) -> Trial:
    origin = f"{facts.folder}/result"
    offered, forwarded = rates_of(result, origin)
    maker, _ = GENERATED
    sender = maker if "tx_bytes" in counters.get(maker, {}) else "sender:s0"  # netmap goes past the interface
    octets = counted(counters, sender, "tx_bytes", origin)
    packets = max(1, counted(counters, sender, "tx_packets", origin))
    return Trial(
        repeat=number,
        order=int(facts.number("order") or 0),
        intended_pps=_intended(case),
        offered_pps=offered,
        forwarded_pps=forwarded,
        dropped_pps=offered - forwarded,
        frame_size=round(octets / packets) + ETHERNET_FCS_OCTETS,
        flows=case.traffic.flows,
        duration_s=sum(item.duration_s for item in result.phase("measured")),
        time=facts.clock(),
        generator=facts.text("generator", "unknown"),
        started=facts.text("started", ""),
        ended=facts.text("ended", ""),
        boot_s=facts.number("boot_s"),
        traffic_s=facts.number("traffic_s"),
    )


def _intended(case: Case) -> float | None:
    if case.traffic.load == "max" or program_of(case):
        return None
    if not case.traffic.load.isdecimal():
        raise RecordError(
            f"{case.slug}: load '{case.traffic.load[:40]}' is neither 'max' nor a whole number; plan again"
        )
    return float(case.traffic.load)


def _sorted(counters: Mapping[str, Mapping[str, int]]) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    return tuple((hop, tuple(sorted(values.items()))) for hop, values in sorted(counters.items()))


def _calibration(slices: Sequence[Slice]) -> Calibration:
    packets = sum(item.packets for item in slices)
    return Calibration(offered_pps=packets / sum(item.duration_s for item in slices), packets=packets)


def _conditions(case: Case, prepared: Mapping[str, str], result: Result) -> Conditions:
    return Conditions(
        kind=case.revision.kind,
        package=case.revision.package,
        package_version=case.revision.version,
        package_sha256=case.revision.sha256,
        rules=case.firewall.rules,
        rules_sha256=case.firewall.sha256 or prepared.get("rules_sha256", ""),
        patch=case.patch.file,
        patch_sha256=case.patch.sha256,
        patch_options=case.patch.options,
        runner_sha256=case.runner_sha256,
        facts=tuple(sorted({**prepared, **dict(result.facts)}.items())),
        sysctls=tuple(sorted(result.sysctls)),
        command="",
    )


def _raw_files(run: Path, folder: Path, listed: Mapping[str, str]) -> Iterator[RawFile]:
    """Every file of a repeat, each as the manifest has it; links are none, since they may lead anywhere."""
    paths = {path.relative_to(run).as_posix(): path for path in sorted(folder.rglob("*")) if not path.is_dir()}
    for name, path in paths.items():
        if folder.is_symlink() or path.is_symlink():
            raise RecordError(f"{path}: is a link, and raw output lies in its run folder; {AGAIN}")
        found = sha256_of(path)
        if listed.get(name, found) != found:
            raise RecordError(f"{path}: its SHA-256 is not the manifest's, the file was changed; {AGAIN}")
        yield RawFile(path=name, sha256=found, size=path.stat().st_size)
    for name in listed:
        if name.startswith(f"{folder.name}/") and name not in paths:
            raise RecordError(f"{run / name}: is in the manifest, and not there; {AGAIN}")


def _manifest(run: Path) -> dict[str, str]:
    """SHA-256 by file of the run; empty where the run is not collected yet."""
    manifest = run / "manifest"
    if not manifest.exists():
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in _text(manifest).splitlines())}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); {AGAIN}") from error
