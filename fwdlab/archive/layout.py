"""A series of an archive into a run folder as `fwdlab run` leaves one, every file of it byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fwdlab.archive.model import Logs, Series
from fwdlab.case import Case, case_text
from fwdlab.errors import RecordError
from fwdlab.files import sha256_of, write_whole
from fwdlab.generators.pkt_gen import read_log
from fwdlab.profiles.kept import RAW_GRAPH
from fwdlab.records.archived import ARCHIVE, LINE, LISTED, RECEIVER, SENDER

_MOST_LISTED = 10_000  # rates of a list


def lay_out(runs: Path, series: Series, case: Case) -> Path:
    """Write the run folder of a series below `runs`; gives back its place there."""
    run = runs / case.folder
    files = dict(_files(series))
    for name, content in files.items():
        write_whole(run / name, content)
    write_whole(run / "manifest", "".join(f"{sha256_of(run / name)}  {name}\n" for name in sorted(files)))
    write_whole(run / "case", case_text(case))  # last: a folder with one is a run
    return case.folder


def _files(series: Series) -> Iterator[tuple[str, bytes]]:
    yield "prepare/facts", _facts_text(_facts(series))
    for name, path in (("prepare/info", series.info_file), (f"prepare/{LISTED}", series.listed)):
        if path:
            yield name, path.read_bytes()
    for path in series.tables:
        yield f"prepare/tables/{path.name}", path.read_bytes()
    for item in series.logs:
        yield from _repeat(item)
    if graph := next((item.graph for item in series.logs if item.graph), None):
        yield RAW_GRAPH, graph.read_bytes()
    if not series.logs and series.listed:
        yield from _listed(series.listed)


def _facts(series: Series) -> Mapping[str, str]:
    info = series.info
    commands = {f"{end}_command": _command(paths) for end, paths in _ends(series).items()}
    said = {
        **commands,
        "archive_series": series.name,
        "archive_image": info.image,
        "archive_config": info.config,
        "archive_traffic": info.pktgen,
        "kernel_release": info.release or "unknown",
        "kernel_version": info.version,
        "started": info.started,
        "ended": info.ended,
        "generator": "pkt-gen, its version unknown" if series.logs else "unknown",
    }
    return {ARCHIVE: "bench-lab", "time": "wall", **{name: value for name, value in said.items() if value}}


def _ends(series: Series) -> Mapping[str, Sequence[Path]]:
    return {
        SENDER: [item.sender for item in series.logs if item.sender],
        RECEIVER: [item.receiver for item in series.logs],
    }


def _command(paths: Sequence[Path]) -> str:
    """The command that all of these logs were started by; empty where they differ, or do not say."""
    found = set()
    for path in paths:
        with path.open("rb") as stream:
            try:
                found.add(" ".join(read_log(stream, str(path)).command.split()))
            except RecordError:
                continue
    return found.pop() if len(found) == 1 else ""


def _repeat(logs: Logs) -> Iterator[tuple[str, bytes]]:
    folder = f"repeat-{logs.number}"
    sources = {SENDER: logs.sender, RECEIVER: logs.receiver}
    if not any(sources.values()):
        return
    for name, path in sources.items():
        if path:
            yield f"{folder}/{name}", path.read_bytes()
    yield f"{folder}/facts", _facts_text({f"{name}_log": path.name for name, path in sources.items() if path})


def _listed(path: Path) -> Iterator[tuple[str, bytes]]:
    """A repeat for each line of a list that holds something, the list itself in each."""
    content = path.read_bytes()
    lines = content.split(b"\n")
    if len(lines) > _MOST_LISTED:
        raise RecordError(f"{path}: has {len(lines)} lines; give a list of rates, one repeat a line")
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    for repeat, number in enumerate(numbers, 1):
        yield f"repeat-{repeat}/{LISTED}", content
        yield f"repeat-{repeat}/facts", _facts_text({LINE: str(number), "rates": path.name})


def _facts_text(facts: Mapping[str, str]) -> bytes:
    """Facts as a run folder holds them, one a line; what would end a line early is shown as a mark."""
    clean = {
        name: "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in value)
        for name, value in facts.items()
    }
    return "".join(f"{name}\t{value}\n" for name, value in sorted(clean.items())).encode(errors="replace")
