"""Faults of a lab of real machines: how each is made in the laboratory of namespaces, and what a step may say of it."""

from __future__ import annotations

import random
import re
import subprocess
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fwdlab.bench._bed import Site

_FAULT = Path(__file__).parents[2] / "runner-scripts/bed/fault.sh"
NODES = ("sender", "dut", "receiver")
PKT_GEN = "bed-pkt-gen"  # the machine whose load is pkt-gen's
_OTHER_RELEASE = "0.0.0-other"
_SILENT = "look at its console|the connection broke|no answer within|nobody listens|not back"


class Kind(StrEnum):
    """What goes wrong."""

    CUT = "ssh cut"
    HANG = "DUT hangs"
    SENDER = "sender dies"
    RECEIVER = "receiver fails"
    OUCH = "receiver says ouch"
    LINK = "link down"
    REVISION = "wrong revision"
    DISK = "disk full"
    KILLED = "controller killed"
    LEASE = "lease stolen"

    @property
    def lasting(self) -> bool:
        """Whether it stays until somebody mends it, so that the next step may meet it first."""
        return self in (Kind.HANG, Kind.REVISION, Kind.DISK)

    def fits(self, hardware: str, *, trial: bool) -> bool:
        """Whether there is something to break in a step of that machine."""
        match self:
            case Kind.SENDER:
                return trial
            case Kind.RECEIVER:
                return trial and hardware != PKT_GEN
            case Kind.OUCH:
                return trial and hardware == PKT_GEN
        return True


REASONS = {  # what a step or a record that such a fault met says of it
    Kind.CUT: _SILENT,
    Kind.HANG: _SILENT,
    Kind.SENDER: "generator .* (stopped|died before its time|did not say what it sent)|sends nothing"
    "|sender .*pkt-gen stopped|the sender's log is cut off",
    Kind.RECEIVER: "what counts received frames is gone",
    Kind.OUCH: "receiver .*pkt-gen stopped .*ouch|the receiver said '(ouch|poll err)",
    Kind.LINK: "[Ll]ink|sends nothing|generator .* (stopped|died)|saw no frame|could not send|nothing was sent",
    Kind.REVISION: f"booted '{_OTHER_RELEASE}'|kernel_release|planned was",
    Kind.DISK: "no space left",
    Kind.KILLED: "",
    Kind.LEASE: "its lease was taken by thief on elsewhere",
}


def explains(kind: Kind, reason: str) -> bool:
    """Whether that is what such a fault leads to."""
    return bool(REASONS[kind]) and re.search(REASONS[kind], reason) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Saboteur:
    """Who breaks things, and mends what does not mend itself."""

    site: Site
    machines: Path  # where the leases lie
    chance: random.Random

    def strike(self, kind: Kind) -> bool:
        """Break it now; False where there is nothing to break. A killed controller is its own affair."""
        if kind is Kind.LEASE:
            return self._steal()
        node = self.chance.choice(NODES)
        end = self.chance.choice((("sender", "s0"), ("receiver", "r0")))
        words = {
            Kind.CUT: ("cut", node),
            Kind.HANG: ("hang", "dut"),
            Kind.SENDER: ("kill", "sender", "packets", "pkt-gen"),
            Kind.RECEIVER: ("uncount", "receiver"),
            Kind.OUCH: ("ouch", "receiver"),
            Kind.LINK: ("unplug", *end, f"{self.chance.uniform(0.1, 1):.2f}"),
            Kind.REVISION: ("release", "dut", _OTHER_RELEASE),
            Kind.DISK: ("fill", node),
        }
        return self._fault(*words[kind])

    def mend(self, kind: Kind) -> None:
        """Undo what lasts, and what nobody was there to meet."""
        if kind is Kind.REVISION:
            self._fault("release", "dut")
        elif kind is Kind.OUCH:
            self._fault("hush", "receiver")
        elif kind is Kind.DISK:
            for node in NODES:
                self._fault("free", node)

    def left_on_nodes(self) -> list[str]:
        """What sessions left behind there, a line each."""
        return [line for node in NODES for line in self._said("left", node).splitlines()]

    def _steal(self) -> bool:
        """Put another's lease in place of ours, which is over soon."""
        lease = self.machines / "10.0.0.12.lease"
        if not lease.exists():
            return False
        fields = {
            "token": "elsewhere:1",
            "owner": "thief",
            "job": "none",
            "host": "elsewhere",
            "pid": "1",
            "taken": "2026-01-01T00:00:00Z",
            "expires": str(int(time.time()) + 2),
        }
        stolen = lease.with_suffix(".stolen")
        stolen.write_text("".join(f"{key}\t{value}\n" for key, value in fields.items()))
        stolen.replace(lease)
        return True

    def _fault(self, *words: str) -> bool:
        command = self.site.inside(str(_FAULT), str(self.site.folder), *words)
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0

    def _said(self, *words: str) -> str:
        command = self.site.inside(str(_FAULT), str(self.site.folder), *words)
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout
