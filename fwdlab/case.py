"""What to measure: one cell of the matrix, and the case file that carries it to the runner scripts.

`Case` is where the two halves meet: the matrix makes cases, the runner scripts measure one each, and records name
the case they belong to. A case file is text, one `key<TAB>value` a line, so that a POSIX shell reads it without
evaluating any of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from pathlib import Path

from fwdlab.errors import RecordError

CASE_FORMAT = "fwdlab-case 1"
KEY_LENGTH = 12


class Lab(StrEnum):
    """The kind of lab a machine stands in; each is a folder of `runner-scripts/labs`."""

    QEMU = "qemu"
    NETNS = "netns"
    SSH = "ssh"


class Family(StrEnum):
    """Address family of the traffic."""

    INET = "inet"
    INET6 = "inet6"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hardware:
    """The machine under test as one named entry, with what its lab needs to know of it."""

    name: str
    lab: Lab
    settings: tuple[tuple[str, str], ...]  # lab-specific keys in order, such as ("arch", "x86_64")
    access: tuple[tuple[str, str], ...] = ()  # how its nodes are reached; no result depends on it, nor does a key


class Kind(StrEnum):
    """What a revision's kernel comes from."""

    IMAGE = "image"  # a package that holds the kernel as its distribution built it
    SOURCE = "source"  # a package that holds its source, built by the lab
    GIT = "git"  # a commit of a git repository, built by the lab
    RUNNING = "running"  # the machine itself: what it runs is measured as it is
    BOOT_ENVIRONMENT = "boot-environment"  # one that lies on the machine, booted by its name
    UPGRADE = "upgrade"  # an image that the machine's own upgrade script takes
    COMMAND = "command"  # whatever a script of the operator's boots

    @property
    def built(self) -> bool:
        """Whether the lab builds the kernel, so that it can be patched."""
        return self in (Kind.SOURCE, Kind.GIT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """An operating-system revision, resolved: the exact version of what it comes from, and the hash of its bytes."""

    name: str
    kind: Kind
    package: str  # package, boot environment, image or script; for `git` the repository: a URL, or a path as the rules'
    version: str  # of the package; for `git` the commit's whole name, for `running` the release
    sha256: str  # of the package; empty for `git`, where the version is a hash; for `running` of its configuration


@dataclass(frozen=True, kw_only=True, slots=True)
class Firewall:
    """A rule set, by name; `rules` is relative to the folder of the matrix, empty for plain forwarding."""

    name: str
    rules: str
    sha256: str
    generate: str = ""  # numbers of a generated rule set: "rules=1000 table=10000 seed=1"; then it has no file
    sysctls: str = ""  # kernel settings that go with it, a semicolon between them: "net.inet.ip.fastforwarding=1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Patch:
    """A kernel patch, by name; `file` is relative to the folder of the matrix, empty for `none`."""

    name: str
    file: str
    sha256: str
    options: str  # kernel options with their values, a space between them, such as "CONFIG_NET_NS=n"
    review: str = ""  # where it was reviewed, such as "D8526 21848": revision and version of Phabricator


@dataclass(frozen=True, kw_only=True, slots=True)
class Traffic:
    """What is offered to the DUT."""

    name: str
    family: Family
    frame_size: int  # octets, FCS included, preamble and gap not
    flows: int
    load: str  # "max", intended packets a second as a whole number, or what is done instead: a search, or a curve
    sources: int = 1  # addresses the flows come from; what they do not tell apart the source port does
    sinks: int = 1  # addresses the flows go to
    attack: str = ""  # what an attacker offers beside it: "max", or packets a second as a whole number
    imix: str = ""  # sizes of a mix as weight x octets with FCS, a space between them; `frame_size` is their mean
    goal: str = ""  # of a search, or the loads of a curve, as `fwdlab.search.goal` writes it


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One cell: hardware x revision x firewall x patch, under one traffic, by one state of the runner scripts."""

    hardware: Hardware
    revision: Revision
    firewall: Firewall
    patch: Patch
    traffic: Traffic
    runner_sha256: str

    @property
    def slug(self) -> str:
        """The five names as a path, for people and folders; machines read the fields."""
        return "/".join(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The case's name on each axis, in the order of AXES."""
        return tuple(getattr(self, axis).name for axis in AXES)

    @property
    def key(self) -> str:
        """Twelve hexadecimal digits that change with anything that can change the result."""
        return hashlib.sha256(_text(_lines(self)).encode()).hexdigest()[:KEY_LENGTH]

    @property
    def folder(self) -> Path:
        """Where its results live below the folder of runs."""
        return Path(*self.names) / self.key


AXES = ("hardware", "revision", "firewall", "patch", "traffic")

_PARTS = (("revision", Revision), ("firewall", Firewall), ("patch", Patch), ("traffic", Traffic))


def case_text(case: Case) -> str:
    """The case file: its format's name, then one `key<TAB>value` a line in a fixed order."""
    return _text([*_lines(case), *((f"access.{key}", value) for key, value in case.hardware.access)])


def _lines(case: Case) -> list[tuple[str, str]]:
    """What the case's key is made of; what is as usual is left out, so that a new field changes no old key."""
    lines = [("format", CASE_FORMAT), ("hardware.name", case.hardware.name), ("hardware.lab", case.hardware.lab)]
    lines += [(f"hardware.{key}", value) for key, value in case.hardware.settings]
    for axis, kind in _PARTS:
        said = ((field, getattr(getattr(case, axis), field.name)) for field in fields(kind))
        lines += [(f"{axis}.{field.name}", str(value)) for field, value in said if value != field.default]
    return [*lines, ("runner.sha256", case.runner_sha256)]


def _text(lines: list[tuple[str, str]]) -> str:
    return "".join(f"{key}\t{value}\n" for key, value in lines)


def parse_case(text: str, origin: str) -> Case:
    """The case a case file describes; RecordError that names `origin` where the text is not one."""
    values = dict(_pairs(text, origin))
    if values.pop("format", None) != CASE_FORMAT:
        raise RecordError(f"{origin}: is no case file of format '{CASE_FORMAT}'; write it with 'fwdlab cases --write'")
    try:
        return _case_of(values)
    except (KeyError, ValueError) as error:
        raise RecordError(f"{origin}: {error} is missing or wrong; write the case file again") from error


def _pairs(text: str, origin: str) -> list[tuple[str, str]]:
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        key, tab, value = line.partition("\t")
        if not tab:
            raise RecordError(f"{origin}:{number}:1: no tab in '{line[:40]}'; a line is a key, a tab and a value")
        pairs.append((key, value))
    return pairs


def _case_of(values: Mapping[str, str]) -> Case:
    known = {"hardware.name", "hardware.lab"}
    settings = [item for item in _below("hardware.", values) if f"hardware.{item[0]}" not in known]
    return Case(
        hardware=Hardware(
            name=values["hardware.name"],
            lab=Lab(values["hardware.lab"]),
            settings=tuple(settings),
            access=tuple(_below("access.", values)),
        ),
        revision=Revision(
            name=values["revision.name"],
            kind=Kind(values["revision.kind"]),
            package=values["revision.package"],
            version=values["revision.version"],
            sha256=values["revision.sha256"],
        ),
        firewall=Firewall(**_fields_of(Firewall, "firewall", values)),
        patch=Patch(**_fields_of(Patch, "patch", values)),
        traffic=Traffic(
            name=values["traffic.name"],
            family=Family(values["traffic.family"]),
            frame_size=int(values["traffic.frame_size"]),
            flows=int(values["traffic.flows"]),
            load=values["traffic.load"],
            sources=int(values.get("traffic.sources", "1")),
            sinks=int(values.get("traffic.sinks", "1")),
            attack=values.get("traffic.attack", ""),
            imix=values.get("traffic.imix", ""),
            goal=values.get("traffic.goal", ""),
        ),
        runner_sha256=values["runner.sha256"],
    )


def _below(prefix: str, values: Mapping[str, str]) -> list[tuple[str, str]]:
    """The keys that begin so, without what they begin with, and their values in the file's order."""
    return [(key.removeprefix(prefix), value) for key, value in values.items() if key.startswith(prefix)]


def _fields_of(kind: type, axis: str, values: Mapping[str, str]) -> dict[str, str]:
    """The values of a part's fields; one that may be left out, and is, is left to its default."""
    names = [(field.name, field.default is MISSING) for field in fields(kind)]
    return {name: values[f"{axis}.{name}"] for name, needed in names if needed or f"{axis}.{name}" in values}
