"""A child pipeline as values: places, stages, cases and jobs, with the names that GitLab knows them by."""

from __future__ import annotations

from dataclasses import dataclass

PLAN = "plan"  # the job that hands on what the expand job left


@dataclass(frozen=True, kw_only=True, slots=True)
class Timeout:
    """A limit for a job's script, and a later one for the job: between them come after_script and artifacts."""

    script: str
    job: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where one job runs at a time: a machine, or one place of a virtual one. Also the resource group's name."""

    name: str
    number: int  # from 1
    tags: tuple[str, ...]

    @property
    def template(self) -> str:
        """What its jobs extend."""
        return f".on {self.number}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turns:
    """What the jobs of one stage on one place share."""

    place: Place
    stage: str
    repeat: int  # 0 where the stage collects
    timeout: Timeout

    @property
    def template(self) -> str:
        """What its jobs extend."""
        return f".{self.stage} on {self.place.number}"

    @property
    def kind(self) -> str:
        """The template that says what its jobs do."""
        return ".traffic" if self.repeat else ".collect"

    @property
    def prepares(self) -> bool:
        """Whether its jobs take nothing from an earlier round."""
        return self.repeat == 1


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseJobs:
    """What all jobs of a case share."""

    number: int  # in the order of the plan, from 1
    place: str
    run: str  # its folder below the folder of runs
    words: str  # its name, without the axes on which all cases of the child are the same; may be cut or empty

    @property
    def template(self) -> str:
        """What its jobs extend."""
        return f".case {self.number}"

    @property
    def first(self) -> str:
        """Name of its job of round 1."""
        return self.job("round 1")

    def job(self, stage: str) -> str:
        """Name of its job of that stage: the number keeps names apart, the words are for people."""
        return f"{self.number} {self.words}, {stage}" if self.words else f"{self.number}, {stage}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One job: its templates say what it does, `after` whose artifacts it takes where they do not say so."""

    name: str
    templates: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """A look at what is unproven, after a round: repeats by need."""

    after: int

    @property
    def name(self) -> str:
        """Of its job and of its stage."""
        return f"look after round {self.after}"

    @property
    def template(self) -> str:
        """What the rounds that heed it extend."""
        return f".{self.name}"

    @property
    def word(self) -> str:
        """The file that says how many repeats each case is to have."""
        return f"looks/{self.after}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A plan as jobs, each in the order a stage is to begin them."""

    stages: tuple[str, ...]  # between the first and the report
    places: tuple[Place, ...]
    turns: tuple[Turns, ...]
    looks: tuple[Look, ...]
    cases: tuple[CaseJobs, ...]
    jobs: tuple[Job, ...]
    collect: tuple[str, ...]  # names of the jobs at the end of each case
