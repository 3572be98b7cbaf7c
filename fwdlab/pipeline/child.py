"""The child pipeline as text, from the templates of `pipelines/`: one, or one a machine where one is too large."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fwdlab.campaign import Campaign, campaigns_text
from fwdlab.case import case_text
from fwdlab.errors import MatrixError
from fwdlab.matrix.model import Machine
from fwdlab.matrix.plan import Plan
from fwdlab.pipeline.counterparts import narrowed
from fwdlab.pipeline.jobs import order_of, placed, run_of
from fwdlab.pipeline.limits import YAML_OCTETS, size_of
from fwdlab.pipeline.model import PLAN, Placed
from fwdlab.pipeline.templates import rendered

FOLDER = "expanded"  # where a job finds the files, below the checkout
CHILD = "child.yml"
_TEMPLATES = Path(__file__).parents[2] / "pipelines"


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """What holds for a whole pipeline."""

    folder: str  # of the matrix, below the checkout
    publishes: bool  # whether its site becomes the project's pages
    store: str  # where the history is kept, as a command line names it; empty for nowhere
    part: str  # of the merge request's one note, such as `2 of 3: rack`; empty where one child writes it all

    @property
    def keeps(self) -> bool:
        """Whether what is measured goes into the history; what is not on the default branch yet does not."""
        return self.publishes and self.store != ""


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """A file for the folder of the expand job's artifact."""

    name: str
    text: str
    octets: int  # as GitLab counts a pipeline; 0 for a file that is none


@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    """The child of one machine, where there are several."""

    job: str
    file: str


def children(plan: Plan, machines: Sequence[Machine], setting: Setting) -> tuple[File, ...]:
    """The pipelines of a plan: `child.yml`, which triggers one for each machine where one is not enough.

    MatrixError where even a single machine's is more than GitLab reads.
    """
    whole = _child(CHILD, "campaigns.json", plan, machines, setting)
    if whole[0].octets <= YAML_OCTETS:
        return whole
    names = [item.machine.name for item in plan.machines]
    parts = [
        file
        for number, name in enumerate(names, 1)
        for file in _child(
            f"child-{name}.yml",
            f"campaigns-{name}.json",
            _of_machine(plan, name),
            machines,
            replace(setting, publishes=False, part=f"{number} of {len(names)}: {name}"),
        )
    ]
    _refuse_large(plan, parts)
    split = rendered(
        _TEMPLATES / "split.yml.j2",
        children=[_Part(job=f"measure {name}", file=f"{FOLDER}/child-{name}.yml") for name in names],
    )
    return (_pipeline(CHILD, split), *parts)


def handed_on(plan: Plan) -> tuple[File, ...]:
    """What every job reads: the case files, `run<TAB>FOLDER` before each, and the place of each boot in the order."""
    cases = "".join(f"run\t{run_of(item.case, item.key)}\n{case_text(item.case)}" for item in plan.planned)
    turns = (f"{run_of(task.case, task.key)}\t{task.repeat}\t{task.order}\n" for task in order_of(plan))
    return (File(name="cases", text=cases, octets=0), File(name="order", text="".join(turns), octets=0))


def _child(name: str, campaigns: str, plan: Plan, machines: Sequence[Machine], setting: Setting) -> tuple[File, File]:
    """The pipeline of a plan, its jobs numbered alone where words are too much, and the campaigns it answers."""
    answers = File(name=campaigns, text=campaigns_text(plan.campaigns), octets=0)
    found = _pipeline(name, _text(campaigns, placed(plan, machines, worded=True), setting))
    if found.octets > YAML_OCTETS:
        found = _pipeline(name, _text(campaigns, placed(plan, machines, worded=False), setting))
    return found, answers


def _text(campaigns: str, jobs: Placed, setting: Setting) -> str:
    return rendered(
        _TEMPLATES / "child.yml.j2",
        placed=jobs,
        setting=setting,
        campaigns=f"{FOLDER}/{campaigns}",
        stages=(PLAN, *jobs.stages, "report", "pages"),
        gathered=(PLAN, *jobs.collect),
    )


def _pipeline(name: str, text: str) -> File:
    return File(name=name, text=text, octets=size_of(text))


def _of_machine(plan: Plan, machine: str) -> Plan:
    """What one machine does of the plan, and the campaigns that it alone can answer."""
    ours = tuple(item for item in plan.planned if item.case.hardware.name == machine)
    keys = {item.key for item in ours}
    mine = (replace(item, members=tuple(m for m in item.members if m.key in keys)) for item in plan.campaigns)
    return replace(plan, planned=ours, campaigns=answerable(mine))


def answerable(campaigns: Iterable[Campaign]) -> tuple[Campaign, ...]:
    """The campaigns that compare something, without the members that are compared with nothing."""
    return tuple(left for campaign in campaigns if (left := narrowed(campaign)) is not None)


def _refuse_large(plan: Plan, files: Iterable[File]) -> None:
    large = [file for file in files if file.octets > YAML_OCTETS]
    if large:
        raise MatrixError(
            "\n".join(
                f"{plan.origin}: {file.name} would take GitLab {file.octets / 1e6:.1f} MB of memory, which reads "
                f"{YAML_OCTETS / 1e6:.1f} MB; select fewer cases or repeats, or raise 'max_yaml_size_bytes' there"
                for file in large
            )
        )
