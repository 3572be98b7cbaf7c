"""From a checked document to a Matrix; nothing plain goes further than this."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fwdlab import units
from fwdlab.campaign import USUAL_MINISTAT, Adaptive, Ministat
from fwdlab.case import AXES, Family, Firewall, Lab, Patch, Traffic
from fwdlab.matrix.build_nodes import real_of, trial_time_of
from fwdlab.matrix.fit import names_of, unfit
from fwdlab.matrix.loads import frame_size_of, load_of
from fwdlab.matrix.model import (
    EVERYTHING,
    SOURCE_KEYS,
    Arch,
    Ask,
    Guest,
    Machine,
    Matrix,
    Names,
    Native,
    Quick,
    Runner,
    Selection,
    Sender,
    Source,
    TrialSize,
)
from fwdlab.matrix.nodes import Real
from fwdlab.matrix.tree import Plain, Trail, Tree, items, mapping, text

Fields = Mapping[str, Plain]


def matrix_of(tree: Tree, file_sha256: Mapping[Trail, str]) -> Matrix:
    """The matrix of a document without faults; `file_sha256` holds the hash of each file it names, by its trail."""
    root = mapping(tree.value)
    repeats = _whole(root, "repeats")
    return Matrix(
        origin=tree.origin,
        repeats=repeats,
        seed=_whole(root, "seed"),
        cap_s=units.seconds(_text(root, "cap")) if "cap" in root else None,
        machines=tuple(
            _machine(name, entry, file_sha256.get(("hardware", name, "kernel_config"), ""))
            for name, entry in _entries(root, "hardware")
        ),
        sources=tuple(_source(name, entry, tree) for name, entry in _entries(root, "revisions")),
        firewalls=tuple(
            Firewall(
                name=name,
                rules=_text(entry, "rules") or ("generated" if "generate" in entry else ""),
                generate=" ".join(f"{key}={text(value)}" for key, value in mapping(entry.get("generate", "")).items()),
                sha256=file_sha256.get(("firewalls", name, "rules"), ""),
                sysctls=";".join(f"{key}={text(value)}" for key, value in mapping(entry.get("sysctl", "")).items()),
            )
            for name, entry in _entries(root, "firewalls")
        ),
        patches=tuple(
            Patch(
                name=name,
                file=_text(entry, "file"),
                sha256=file_sha256.get(("patches", name, "file"), ""),
                options=" ".join(text(option) for option in items(entry.get("options", []))),
                review=" ".join(_text(entry, key) for key in ("phabricator", "version") if key in entry),
            )
            for name, entry in _entries(root, "patches")
        ),
        traffic=tuple(_traffic(name, entry) for name, entry in _entries(root, "traffic")),
        exclude=(*unfit(root), *(selection_of(entry) for entry in items(root.get("exclude", [])))),
        include=frozenset(cell_of(entry) for entry in items(root.get("include", []))),
        quick=_quick(mapping(root["quick"])) if "quick" in root else None,
        asks=tuple(ask_of(name, entry, repeats) for name, entry in _entries(root, "campaigns")),
    )


def selection_of(value: Plain) -> Selection:
    """A selection: a name or a list of names on each axis it speaks of."""
    entry = mapping(value)
    return Selection(wanted=tuple(frozenset(names_of(entry.get(axis, []))) for axis in AXES))


def cell_of(value: Plain) -> Names:
    """One case by its name on each axis."""
    return tuple(_text(mapping(value), axis) for axis in AXES)


def ask_of(name: str, entry: Fields, repeats: int) -> Ask:
    """A campaign as declared; `repeats` is the matrix's own, for a campaign that says none."""
    by_need = mapping(entry["repeats"]) if isinstance(entry.get("repeats"), Mapping) else None
    return Ask(
        name=name,
        title=_prose(entry, "title"),
        question=_prose(entry, "question"),
        conditions=tuple(_joined(text(line)) for line in items(entry.get("conditions", []))),
        axis=_text(entry, "compare"),
        baseline=_text(entry, "baseline"),
        arms=tuple(names_of(entry.get("arms", []))),
        select=selection_of(entry["select"]) if "select" in entry else EVERYTHING,
        threshold=units.fraction(_text(entry, "threshold")) if "threshold" in entry else None,
        repeats=_whole(by_need, "min") if by_need else _whole(entry, "repeats") if "repeats" in entry else repeats,
        adaptive=_adaptive(by_need) if by_need else None,
        gate=_text(entry, "gate") == "true",
        ministat=_ministat(mapping(entry.get("ministat", ""))),
    )


def _ministat(entry: Fields) -> Ministat:
    return Ministat(
        relative_error=_text(entry, "relative_error") or USUAL_MINISTAT.relative_error,
        width=_whole(entry, "width") if "width" in entry else USUAL_MINISTAT.width,
    )


def _adaptive(entry: Fields) -> Adaptive:
    return Adaptive(most=_whole(entry, "max"), until=units.fraction(_text(entry, "until")))


def _quick(entry: Fields) -> Quick:
    return Quick(select=selection_of(entry["select"]), repeats=_whole(entry, "repeats"))


def _machine(name: str, entry: Fields, config_sha256: str) -> Machine:
    lab = Lab(_text(entry, "lab"))
    made: dict[Lab, Callable[[Fields], Guest | Native | Real]] = {
        Lab.QEMU: _guest,
        Lab.NETNS: _native,
        Lab.SSH: lambda said: real_of(said, config_sha256),
    }
    setup = made[lab](entry)
    return Machine(name=name, lab=lab, title=_prose(entry, "title"), setup=setup, runner=_runner(name, entry))


def _runner(name: str, entry: Fields) -> Runner:
    said = mapping(entry.get("runner", {}))
    return Runner(
        tags=tuple(text(tag) for tag in items(said.get("tags", [name]))),
        places=_whole(said, "places") if "places" in said else 1,
    )


def _guest(entry: Fields) -> Guest:
    trial = mapping(entry["trial"])
    return Guest(
        arch=Arch(_text(entry, "arch")),
        memory=_text(entry, "memory"),
        cpu=_text(entry, "cpu") if "cpu" in entry else "",
        trial=TrialSize(
            warmup=_whole(trial, "warmup"), samples=_whole(trial, "samples"), packets=_whole(trial, "packets")
        ),
    )


def _native(entry: Fields) -> Native:
    return Native(
        processor=_whole(entry, "processor"),
        sender=Sender(_text(entry, "sender")) if "sender" in entry else Sender.AUTO,
        trial=trial_time_of(mapping(entry["trial"])),
    )


def _source(name: str, entry: Fields, tree: Tree) -> Source:
    key = next(key for key in SOURCE_KEYS if key in entry)
    place = tree.places["revisions", name, key]
    return Source(
        name=name,
        title=_prose(entry, "title"),
        kind=SOURCE_KEYS[key],
        package=_text(entry, key),
        version=_text(entry, "version"),
        line=place.line,
        column=place.column,
    )


def _traffic(name: str, entry: Fields) -> Traffic:
    load, goal = load_of(entry)
    return Traffic(
        name=name,
        family=Family(_text(entry, "family")),
        frame_size=frame_size_of(entry),
        flows=_whole(entry, "flows"),
        load=load,
        sources=_whole(entry, "sources") if "sources" in entry else 1,
        sinks=_whole(entry, "sinks") if "sinks" in entry else 1,
        attack=_text(entry, "attack"),
        imix=" ".join(text(size) for size in items(entry.get("imix", []))),
        goal=goal,
    )


def _entries(root: Fields, section: str) -> list[tuple[str, Fields]]:
    return [(name, mapping(entry)) for name, entry in mapping(root.get(section, {})).items()]


def _text(entry: Fields, key: str) -> str:
    return text(entry.get(key, ""))


def _prose(entry: Fields, key: str) -> str:
    return _joined(_text(entry, key))


def _joined(prose: str) -> str:
    """Prose on one line, however it was folded in the file."""
    return " ".join(prose.split())


def _whole(entry: Fields, key: str) -> int:
    return int(_text(entry, key))
