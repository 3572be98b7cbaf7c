"""A plan carried out with something to watch: what `run`, `aa` and the benchmarks share."""

from __future__ import annotations

import os
from collections.abc import Callable

from fwdlab.matrix.plan import Plan
from fwdlab.run.carry import Event, Failure, carry_out
from fwdlab.run.scripts import Bench
from fwdlab.run.show import shown
from fwdlab.run.tasks import phases


def carry_plan(plan: Plan, bench: Bench, jobs: int | None, figure: Callable[[Event], str]) -> tuple[Failure, ...]:
    """Measure what is left of the plan, `jobs` boots of the virtual lab at a time (a core each where None).

    `figure` puts the result of a task in words. Returns the cases given up. An interrupt ends what is under way and is
    raised again: what is whole is kept.
    """
    steps = phases(plan)
    with shown(tasks=sum(map(len, steps)), boots=len(steps[1])) as show:
        return carry_out(
            steps,
            bench.do,
            jobs or os.cpu_count() or 1,
            lambda event: show.tell(event, figure(event)),
            stop=bench.stop,
        )
