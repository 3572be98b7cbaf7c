"""A small matrix file that has everything, for tests to bend."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fwdlab.errors import MatrixError
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.model import Matrix

FAKES = Path(__file__).parents[2] / "fakes" / "runner-scripts"

TEXT = """\
repeats: 5
seed: 1
cap: 2h
hardware:
  box: {lab: qemu, title: A box, arch: x86_64, memory: 512M, trial: {warmup: 4000, samples: 10, packets: 4000}}
  arm: {lab: qemu, title: An arm, arch: aarch64, memory: 512M, trial: {warmup: 4000, samples: 10, packets: 4000}}
revisions:
  old: {title: Old, os: linux, package: "linux-{arch}", version: latest}
  new: {title: New, os: linux, package: "linux-6.12-{arch}", version: "6.12.1-1"}
firewalls:
  forwarding: {}
  nft-stateful: {rules: stateful.nft}
patches:
  none: {}
traffic:
  udp4: {family: inet, frame_size: 64, flows: 2000, load: max}
  udp6: {family: inet6, frame_size: 82, flows: 2000, load: max}
exclude:
  - {hardware: arm, firewall: [nft-stateful]}
include:
  - {hardware: arm, revision: new, firewall: nft-stateful, patch: none, traffic: udp4}
quick:
  select: {hardware: box, traffic: udp4}
  repeats: 3
campaigns:
  step:
    title: New against old
    question: What did it change?
    compare: revision
    baseline: old
    select: {hardware: box}
    threshold: 0.5%
    repeats: 7
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """A folder with a matrix file in it."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "matrix.yaml"

    def load(self, text: str | bytes = TEXT) -> Matrix:
        self.path.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_matrix(self.path)

    def faults(self, text: str | bytes) -> list[str]:
        """Every fault of the text as `line:column: message`; none where it loads."""
        try:
            self.load(text)
        except MatrixError as error:
            return [line.removeprefix(f"{self.path}:").removeprefix(" ") for line in str(error).splitlines()]
        return []


def bent(old: str, new: str, text: str = TEXT) -> str:
    """The example with one passage replaced; the passage must be there."""
    assert old in text
    return text.replace(old, new, 1)
