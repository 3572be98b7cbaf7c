"""The matrix as values: what an operator declared on each axis, and what is asked of the cases."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fwdlab.campaign import Adaptive, Ministat
from fwdlab.case import AXES, Firewall, Hardware, Kind, Lab, Patch, Traffic
from fwdlab.matrix.nodes import Pairs, Real, TrialTime

Names = tuple[str, ...]  # one name on each axis, in the order of AXES

SOURCE_KEYS = {  # of a revision; it has one of them
    "package": Kind.IMAGE,
    "source": Kind.SOURCE,
    "git": Kind.GIT,
    "running": Kind.RUNNING,
    "boot_environment": Kind.BOOT_ENVIRONMENT,
    "upgrade": Kind.UPGRADE,
    "command": Kind.COMMAND,
}

SECTIONS = {
    "hardware": "hardware",
    "revision": "revisions",
    "firewall": "firewalls",
    "patch": "patches",
    "traffic": "traffic",
}
NO_FIREWALL = "forwarding"  # the one firewall without rules


class Arch(StrEnum):
    """Instruction set of a machine, as the kernel names it."""

    X86_64 = "x86_64"
    AARCH64 = "aarch64"

    @property
    def debian(self) -> str:
        """Debian's name for it, as package names and package archives have it."""
        return {Arch.X86_64: "amd64", Arch.AARCH64: "arm64"}[self]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialSize:
    """How long a trial lasts, counted in packets: the virtual lab's clock is the DUT's own work."""

    warmup: int  # packets before the first sample, not analysed
    samples: int
    packets: int  # packets in each sample


@dataclass(frozen=True, kw_only=True, slots=True)
class Guest:
    """A machine of the virtual lab."""

    arch: Arch
    memory: str  # as QEMU takes it, such as "512M"
    cpu: str  # as QEMU takes it; empty for the lab's usual one
    trial: TrialSize

    @property
    def settings(self) -> Pairs:
        """What its cases carry of it."""
        return (
            ("arch", str(self.arch)),
            ("memory", self.memory),
            *((("cpu", self.cpu),) if self.cpu else ()),
            ("trial.warmup", str(self.trial.warmup)),
            ("trial.samples", str(self.trial.samples)),
            ("trial.packets", str(self.trial.packets)),
        )


class Sender(StrEnum):
    """How the native lab makes its load."""

    AUTO = "auto"  # the first of the next two that works
    BPF = "bpf"  # live frames of an XDP program
    PACKET = "packet"  # a packet socket
    TRAFGEN = "trafgen"  # netsniff-ng's; to compare with


@dataclass(frozen=True, kw_only=True, slots=True)
class Native:
    """A processor of the host, measured at native speed."""

    processor: int  # its number, from 0
    sender: Sender
    trial: TrialTime

    @property
    def settings(self) -> Pairs:
        """What its cases carry of it."""
        return (
            ("processor", str(self.processor)),
            ("sender", str(self.sender)),
            *self.trial.settings,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Runner:
    """How GitLab finds the runners that take a machine's jobs."""

    tags: tuple[str, ...]
    places: int  # jobs side by side; a machine that is no virtual one has one


@dataclass(frozen=True, kw_only=True, slots=True)
class Machine:
    """A hardware entry: a machine under test and the lab it stands in."""

    name: str
    lab: Lab
    title: str
    setup: Guest | Native | Real
    runner: Runner

    @property
    def hardware(self) -> Hardware:
        """The machine as a case carries it; title and runner stay behind, since no result depends on them."""
        access = self.setup.access if isinstance(self.setup, Real) else ()
        return Hardware(name=self.name, lab=self.lab, settings=self.setup.settings, access=access)

    @property
    def arch(self) -> Arch | None:
        """The instruction set the lab is to provide or build for; None where it takes the host's."""
        if isinstance(self.setup, Real):
            arch = dict(self.setup.kernel).get("arch")
            return Arch(arch) if arch else None
        return self.setup.arch if isinstance(self.setup, Guest) else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A revision entry: where the system under test comes from. It may move until it is resolved."""

    name: str
    title: str
    kind: Kind
    package: str  # what the key of its kind says; may hold "{arch}", and "{patch}", which the lab fills in
    version: str  # an exact version, or "latest"; for `git` a branch, tag or commit; of what is booted its release
    line: int  # where the package stands in the matrix, from 1; 0 where the command line names it
    column: int

    def package_for(self, arch: Arch | None) -> str:
        """The package's name on machines of that instruction set."""
        return self.package.replace("{arch}", arch.debian) if arch else self.package


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Some of the cases, by their names: a case is in it that fits every axis."""

    wanted: tuple[frozenset[str], ...]  # in the order of AXES; an empty set lets any name pass

    def fits(self, names: Names) -> bool:
        """Whether the case of these names is among the selected."""
        return all(not wanted or name in wanted for wanted, name in zip(self.wanted, names, strict=True))


EVERYTHING = Selection(wanted=(frozenset(),) * len(AXES))


@dataclass(frozen=True, kw_only=True, slots=True)
class Quick:
    """The smaller round of `--quick`: some of the cases, another number of repeats."""

    select: Selection
    repeats: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A campaign as it was declared; `campaigns_of` finds its arms and members among the cases."""

    name: str
    title: str
    question: str
    conditions: tuple[str, ...]
    axis: str  # the axis whose values are the arms
    baseline: str
    arms: tuple[str, ...]  # empty: every value of the axis that has a case
    select: Selection
    threshold: float | None  # practical threshold as a fraction; None: the lab's own
    repeats: int  # boots of every case, before the first look
    adaptive: Adaptive | None
    gate: bool  # a comparison that is worse fails the pipeline
    ministat: Ministat


@dataclass(frozen=True, kw_only=True, slots=True)
class Matrix:
    """One matrix file, checked: every name that is referred to is declared, every file is there."""

    origin: str  # the path as it was given, for messages
    repeats: int  # boots of a case that is in no campaign
    seed: int
    cap_s: float | None  # most lab time a machine may be asked for; None: no cap
    machines: tuple[Machine, ...]
    sources: tuple[Source, ...]
    firewalls: tuple[Firewall, ...]
    patches: tuple[Patch, ...]
    traffic: tuple[Traffic, ...]
    exclude: tuple[Selection, ...]  # as written, and each patch on the revisions it is not for
    include: frozenset[Names]
    quick: Quick | None
    asks: tuple[Ask, ...]

    @property
    def folder(self) -> Path:
        """The folder that rule files, patches and local repositories are relative to."""
        return Path(self.origin).parent

    @property
    def axes(self) -> tuple[Names, ...]:
        """The declared names on each axis, in the order of AXES and of the file."""
        parts = (self.machines, self.sources, self.firewalls, self.patches, self.traffic)
        return tuple(tuple(entry.name for entry in part) for part in parts)
