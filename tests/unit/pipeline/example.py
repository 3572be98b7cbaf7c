"""A checkout with a matrix of two machines, one virtual and one that stands in a lab; and cases to decide about."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner, Result

from fwdlab.campaign import Adaptive, Campaign, Member
from fwdlab.case import Case, Lab
from fwdlab.cli import main
from fwdlab.matrix.model import Arch, Guest, Machine, Runner, TrialSize
from fwdlab.matrix.plan import MachinePlan, Plan, Planned
from fwdlab.pipeline.decide import Known, Request, Source
from tests.unit.records.example import case

NOW = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
MATRIX = """\
repeats: 3
seed: 1
cap: 2h
hardware:
  box:
    lab: qemu
    title: A box
    arch: x86_64
    memory: 512M
    trial: {warmup: 4000, samples: 4, packets: 4000}
    runner: {tags: [fwdlab-virtual]}
  rack:
    lab: netns
    title: A machine of the lab
    processor: 1
    trial: {warmup: 300ms, samples: 20, length: 100ms}
revisions:
  old: {title: Old, os: linux, package: "linux-{arch}", version: latest}
  new: {title: New, os: linux, package: "linux-6.12-{arch}", version: latest}
  host: {title: What runs, os: linux, running: kernel, version: latest}
firewalls:
  forwarding: {}
  stateless: {rules: rules/stateless.nft}
  stateful: {rules: rules/stateful.nft}
patches:
  none: {}
traffic:
  udp4: {family: inet, frame_size: 64, flows: 2000, load: max}
exclude:
  - {hardware: box, revision: host}
  - {hardware: rack, revision: [old, new]}
quick:
  select: {hardware: box, firewall: [forwarding, stateful]}
  repeats: 3
campaigns:
  step:
    title: New against old
    question: What did it change?
    compare: revision
    baseline: old
    select: {hardware: box}
  firewalls:
    title: What a firewall costs
    question: What does a packet cost more?
    compare: firewall
    baseline: forwarding
"""
_RESOLVE = "#!/bin/sh\nprintf '%s\\t6.1.192-2\\t%064d\\n' \"$2\" 7\n"
_AUTHOR = ("-c", "user.name=An author", "-c", "user.email=author@lab.example")


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkout:
    """A folder with a matrix, its rule files and runner scripts, kept by git where a test needs that."""

    folder: Path

    def write(self, text: str = MATRIX) -> Checkout:
        (self.folder / "matrix.yaml").write_text(text)
        for name in ("stateless", "stateful"):
            self.change(f"rules/{name}.nft", f"table inet {name} {{}}\n")
        for lab in ("qemu", "netns"):
            self.change(f"runner-scripts/labs/{lab}/resolve.sh", _RESOLVE)
            (self.folder / f"runner-scripts/labs/{lab}/resolve.sh").chmod(0o755)
        return self

    def change(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def git(self, *words: str) -> str:
        command = ["git", "-C", str(self.folder), *_AUTHOR, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self) -> str:
        """The commit that keeps what stands here now."""
        if not (self.folder / ".git").exists():
            self.git("init", "-q")
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def expand(self, *words: str, **variables: str) -> Result:
        """`fwdlab pipeline` as the job expand calls it, with these variables of GitLab's; on a protected ref."""
        said = {name: None for name in os.environ if name.startswith(("CI_", "FWDLAB_"))}
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            arguments = ["pipeline", "--out", "expanded", "--runner-scripts", "runner-scripts", *words]
            return CliRunner(env={**said, "CI_COMMIT_REF_PROTECTED": "true", **variables}).invoke(main, arguments)
        finally:
            os.chdir(before)

    def expanded(self, name: str) -> str:
        """A file that the job leaves."""
        return (self.folder / "expanded" / name).read_text()


def machine(name: str = "qemu-x86", places: int = 1, tags: Sequence[str] = ("fwdlab-virtual",)) -> Machine:
    setup = Guest(arch=Arch.X86_64, memory="512M", cpu="", trial=TrialSize(warmup=1, samples=1, packets=1))
    return Machine(name=name, lab=Lab.QEMU, title="M", setup=setup, runner=Runner(tags=tuple(tags), places=places))


def plan(cases: Sequence[Case], machines: Sequence[Machine], repeats: int = 3, *campaigns: Campaign) -> Plan:
    planned = tuple(Planned(case=of, key=of.key, repeats=repeats, done=frozenset(), profiled=False) for of in cases)
    used = {of.hardware.name for of in cases}
    return Plan(
        origin="matrix.yaml",
        seed=1,
        planned=planned,
        machines=tuple(_machine_plan(item, planned) for item in machines if item.name in used),
        campaigns=campaigns,
        notes=(),
    )


def _machine_plan(of: Machine, planned: Sequence[Planned]) -> MachinePlan:
    ours = [item for item in planned if item.case.hardware.name == of.name]
    repeats = sum(item.repeats for item in ours)
    return MachinePlan(
        machine=of,
        cases=len(ours),
        repeats=repeats,
        repeats_left=repeats,
        profiles_left=len(ours),
        boot_s=6.0,
        boot_timed=False,
        left_s=12.0 * repeats,
        most_s=12.0 * repeats,
        longest_s=6.0,
    )


def campaign(
    cases: Sequence[Case],
    axis: str = "firewall",
    arms: Sequence[str] = ("forwarding",),
    adaptive: Adaptive | None = None,
) -> Campaign:
    """A question about these cases; the first arm is the baseline."""
    return Campaign(
        name=f"by-{axis}",
        title="T",
        question="Q?",
        conditions=(),
        axis=axis,
        arms=tuple(arms),
        members=tuple(Member(names=of.names, key=of.key) for of in cases),
        repeats=3,
        threshold=0.002,
        adaptive=adaptive,
    )


def cases_of(*firewalls: str, hardware: str = "qemu-x86", lab: Lab = Lab.QEMU) -> list[Case]:
    return [case(hardware=hardware, firewall=name, lab=lab) for name in firewalls]


def request(source: Source, **others: object) -> Request:
    usual = Request(
        source=source,
        now=NOW,
        trusted=True,
        campaign=None,
        pattern=None,
        stale_after_s=7 * 86400,
        budget_s=None,
    )
    return replace(usual, **others)  # type: ignore[arg-type]


def known(cases: Sequence[Case], cost_s: float = 60.0, **others: object) -> Known:
    nothing = Known(changed={}, measured={}, cost_s={of.names: cost_s for of in cases})
    return replace(nothing, **others)  # type: ignore[arg-type]
