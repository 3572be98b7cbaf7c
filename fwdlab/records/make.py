"""A run folder into records, one for each repeat that is whole.

A trial's offered load is the 20 % trimmed mean of its slices' rates: the fastest and the slowest fifth of the slices
are left out of it, and stay visible in the series. So a slice in which the kernel put its work off does not move the
figure (it would move a mean), nor does whether a timer tick more or less fell into a slice (it would move a median).
The forwarding rate is that share of the load which the receiver's ingress counted over the whole trial; a sender that
is under way before the first slice and after the last one counts its frames itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from fwdlab.case import Case, parse_case
from fwdlab.errors import RecordError
from fwdlab.files import sha256_of
from fwdlab.records.archived import ARCHIVE, archived_trial
from fwdlab.records.facts import Facts, parse_facts
from fwdlab.records.model import GENERATED, Calibration, Conditions, RawFile, Record, Slice, Trial
from fwdlab.records.raw import AGAIN, NO_RESULT, Counted, Result, parse_result
from fwdlab.units import ETHERNET_FCS_OCTETS

_REPEAT = re.compile(r"repeat-([1-9][0-9]*)")
_TRIMMED = 0.2  # share of the slices left out at either end


def records_of(run: Path) -> Iterator[Record | RecordError]:
    """The record of each whole repeat of a run folder, or why there is none; in the order of the repeats."""
    try:
        case = _case(run)
        listed = _manifest(run)
        tuple(_raw_files(run, run / "prepare", listed))  # conditions are read from there
    except RecordError as error:
        yield error
        return
    for number, folder in repeats_of(run):
        try:
            yield _record(case, run, folder, number, listed)
        except RecordError as error:
            yield error


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
    result = parse_result(_text(folder / "result"), str(folder / "result"))
    facts = parse_facts(_text(folder / "facts"), str(folder / "facts"))
    counters = _differences(result.counters)
    calibration = result.phase("calibration")
    return Record(
        names=case.names,
        key=case.key,
        trial=_trial(case, number, result, counters, Facts(folder, {**prepared, **facts, **dict(result.facts)})),
        series=result.phase("measured"),
        calibration=_calibration(calibration) if calibration else None,
        counters=tuple((hop, tuple(sorted(values.items()))) for hop, values in sorted(counters.items())),
        conditions=_conditions(case, {**prepared, "seed": facts["seed"]} if "seed" in facts else prepared, result),
        raw=raw,
    )


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


def rates_of(result: Result, origin: str) -> tuple[float, float]:
    """Offered and forwarded packets a second of one result."""
    measured = result.phase("measured")
    if not measured:
        raise RecordError(f"{origin}: holds no measured sample; {AGAIN}")
    offered = _trimmed_mean([item.pps for item in measured])
    counters = _differences(result.counters)
    received = _counter(counters, "receiver:sink", "rx_packets", origin)
    hop, counter = GENERATED
    sent = counters.get(hop, {}).get(counter) or sum(item.packets for item in measured)
    return offered, offered * received / max(1, sent)


def _trimmed_mean(values: Sequence[float]) -> float:
    """Mean without the highest and the lowest fifth of the values (J. W. Tukey)."""
    cut = int(len(values) * _TRIMMED)
    return fmean(sorted(values)[cut : len(values) - cut])


def _trial(case: Case, number: int, result: Result, counters: Mapping[str, Mapping[str, int]], facts: Facts) -> Trial:
    origin = f"{facts.folder}/result"
    offered, forwarded = rates_of(result, origin)
    octets = _counter(counters, "sender:s0", "tx_bytes", origin)
    packets = max(1, _counter(counters, "sender:s0", "tx_packets", origin))
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
    if case.traffic.load == "max":
        return None
    if not case.traffic.load.isdecimal():
        raise RecordError(
            f"{case.slug}: load '{case.traffic.load[:40]}' is neither 'max' nor a whole number; plan again"
        )
    return float(case.traffic.load)


def _counter(counters: Mapping[str, Mapping[str, int]], hop: str, counter: str, origin: str) -> int:
    try:
        return counters[hop][counter]
    except KeyError as error:
        raise RecordError(f"{origin}: {hop} did not count '{counter}' before and after; {AGAIN}") from error


def _calibration(slices: Sequence[Slice]) -> Calibration:
    packets = sum(item.packets for item in slices)
    return Calibration(offered_pps=packets / sum(item.duration_s for item in slices), packets=packets)


def _differences(counters: Sequence[Counted]) -> dict[str, dict[str, int]]:
    """After less before, by hop and counter."""
    before = {(item.hop, item.counter): item.value for item in counters if item.moment == "before"}
    differences: dict[str, dict[str, int]] = {}
    for item in counters:
        if item.moment == "after" and (item.hop, item.counter) in before:
            differences.setdefault(item.hop, {})[item.counter] = item.value - before[item.hop, item.counter]
    return differences


def _conditions(case: Case, prepared: Mapping[str, str], result: Result) -> Conditions:
    return Conditions(
        kind=case.revision.kind,
        package=case.revision.package,
        package_version=case.revision.version,
        package_sha256=case.revision.sha256,
        rules=case.firewall.rules,
        rules_sha256=case.firewall.sha256,
        patch=case.patch.file,
        patch_sha256=case.patch.sha256,
        patch_options=case.patch.options,
        runner_sha256=case.runner_sha256,
        facts=tuple(sorted({**prepared, **dict(result.facts)}.items())),
        sysctls=tuple(sorted(result.sysctls)),
        command=f"./lab run --only '{case.slug}'",
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
