"""What a change touched: the inputs of a case that are not what they were, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fwdlab.case import Case
from fwdlab.matrix.model import Names
from fwdlab.matrix.words import quoted


def changes(cases: Sequence[Case], before: Mapping[Names, Case]) -> dict[Names, tuple[str, ...]]:
    """What is not as it was `before`, for each case of which something is not.

    Both sides are to be as the matrix has them, or both resolved: a revision that moved by itself is no change.
    """
    found = {case.names: tuple(_touched(case, before.get(case.names))) for case in cases}
    return {names: touched for names, touched in found.items() if touched}


def _touched(now: Case, before: Case | None) -> list[str]:
    if before is None:
        return ["new in the matrix"]
    touched = [
        f"{axis} {quoted(getattr(now, axis).name)} is declared otherwise"
        for axis in ("hardware", "revision", "traffic")
        if getattr(now, axis) != getattr(before, axis)
    ]
    if now.firewall != before.firewall:
        touched.append(f"rule file {quoted(now.firewall.rules)} changed")
    if now.patch.sha256 != before.patch.sha256:
        touched.append(f"patch {quoted(now.patch.name)} changed")
    elif now.patch != before.patch:
        touched.append(f"patch {quoted(now.patch.name)} is declared otherwise")
    if now.runner_sha256 != before.runner_sha256:
        touched.append(f"the runner scripts of lab {quoted(now.hardware.lab)} changed")
    return touched
