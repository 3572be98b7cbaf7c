"""What a user or a lab can do wrong, by family; the family decides the exit status and so what a pipeline does next.

A message reads *where: what was found; what to do*: lower case, no full stop, values quoted, numbers with units.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Fault:
    """One thing that is wrong with a file somebody wrote: where it stands, what was found, what to do."""

    path: str
    line: int  # counted from 1; 0 where the fault is the file's as a whole
    column: int  # counted from 1; 0 where the fault is the file's as a whole
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{place}: {self.message}"


class FwdlabError(Exception):
    """The root of the families. Raised as itself it is a bug of ours, and so is its exit status."""

    exit_code = 1


class MatrixError(FwdlabError):
    """The change is wrong: a matrix, rule file, patch or command line. Its author acts; no retry helps."""

    exit_code = 2

    @classmethod
    def of_faults(cls, faults: Iterable[Fault]) -> MatrixError:
        """One error that names every fault, in the order of the file."""
        return cls("\n".join(str(fault) for fault in sorted(faults)))


class LabError(FwdlabError):
    """The lab is broken: cable, power, boot, disk, package archive. The lab keeper acts; one retry is fair."""

    exit_code = 3


class RecordError(FwdlabError):
    """What was measured cannot be trusted or read. The reader of the run acts; the raw output stays."""

    exit_code = 4


class GateError(FwdlabError):
    """A campaign that is a gate found *worse*: a check that failed. The change's author acts."""

    exit_code = 1


class WorseError(FwdlabError):
    """A campaign that is no gate found *worse*. A pipeline shows it as a warning and goes on."""

    exit_code = 5
