"""The GitLab runner that a machine's jobs wait for: what it may take, and its configuration.

Pure, but for the reading of the template.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fwdlab.case import Lab
from fwdlab.errors import MatrixError
from fwdlab.matrix.model import Machine
from fwdlab.matrix.words import advice, quoted
from fwdlab.pipeline.templates import rendered

_TEMPLATE = Path(__file__).parents[2] / "runner-scripts/runner/config.toml.j2"
_NO_UNIT = re.compile(r"[^A-Za-z0-9._-]")  # what the name of a systemd unit cannot hold
_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~-]+)*/?|http://(127\.0\.0\.1|localhost)(:\d+)?/?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Runner:
    """One runner, named after a machine."""

    machine: str
    serves: tuple[str, ...]  # the machines whose jobs it has all the tags for
    tags: tuple[str, ...]
    jobs: int  # side by side
    protected: bool  # it serves protected refs alone, since a real machine is behind it

    @property
    def folder(self) -> str:
        """Where its jobs work and keep things, on its host."""
        return f"/var/lib/fwdlab-runner/{self.machine}"


def runner_of(machines: Sequence[Machine], name: str) -> Runner:
    """The runner of the machine of that name; MatrixError where there is none, or none can be named so."""
    by_name = {machine.name: machine for machine in machines}
    if name not in by_name:
        raise MatrixError(f"MACHINE: there is no {quoted(name)}; {advice(name, by_name)}")
    if odd := _NO_UNIT.search(name):
        raise MatrixError(f"{name}: a service cannot have {quoted(odd[0])} in its name; rename the machine")
    tags = by_name[name].runner.tags
    served = [machine for machine in machines if set(machine.runner.tags) <= set(tags)]
    real = any(machine.lab is not Lab.QEMU for machine in served)
    return Runner(
        machine=name,
        serves=tuple(machine.name for machine in served),
        tags=tags,
        jobs=1 if real else sum(machine.runner.places for machine in served),
        protected=real,
    )


def config_text(runner: Runner, url: str) -> str:
    """Its `config.toml`, whose token is still to be put in; MatrixError where a token must not go to that address."""
    if not _ADDRESS.fullmatch(url):
        raise MatrixError(
            f"--url: {quoted(url)} is no address for a token; write GitLab's own, such as 'https://gitlab.example.org'"
        )
    return rendered(_TEMPLATE, runner=runner, url=url)
