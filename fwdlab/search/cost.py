"""How many trials a repeat takes, and how long each is: for a plan, which knows no trial yet."""

from __future__ import annotations

from dataclasses import dataclass

from fwdlab.search.connections import Connections
from fwdlab.search.goal import Curve, Program

_USUAL_LOADS = 6  # that a search tries, from the first to the end: 4 in the virtual lab, 7 far from the first load
_TEST_S = 10.0  # of an elementary test of a state table, whose length is in no goal


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """Trials of one repeat."""

    usual: int
    most: int  # where a search takes all that its goal allows
    trial_s: float  # length of one, in the lab's own time


ONE_TRIAL = Cost(usual=1, most=1, trial_s=0.0)  # its length is the machine's matter


def cost_of(program: Program) -> Cost:
    """What a repeat of this program takes."""
    if isinstance(program, Curve):
        trials = len(program.loads) + program.shares
        return Cost(usual=trials, most=trials, trial_s=program.final_s)
    if isinstance(program, Connections):
        return Cost(usual=min(2 * _USUAL_LOADS, program.trials), most=program.trials, trial_s=_TEST_S)
    a_load = max(1, round(program.sum_s * (1 - program.exceed) / program.final_s))
    usual = 1 + (_USUAL_LOADS - 1) * (a_load + (program.initial_s < program.final_s))
    return Cost(usual=min(usual, program.trials), most=program.trials, trial_s=program.final_s)
