"""How many trials a repeat takes, and how long each is: for a plan, which knows no trial yet."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fwdlab.search.connections import Connections, Measure
from fwdlab.search.goal import Curve, Program

_USUAL_LOADS = 6  # that a search tries, from the first to the end: 4 in the virtual lab, 7 far from the first load
USUAL_CPS = 200_000  # new connections a second: 100 000 in the virtual lab, 270 000 to 920 000 in the native one
_OUTWARDS = 4  # tests of a table's capacity before its bounds are halved: the first, `flows`, and twice as many twice
_PATIENCE_S, _PATIENCE = 10.0, 4  # a test may take so long, and so many times as long as it should


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """Trials of one repeat."""

    usual: int
    most: int  # where a search takes all that its goal allows
    trial_s: float  # length of one, in the lab's own time
    longest_s: float  # of one that is slow


ONE_TRIAL = Cost(usual=1, most=1, trial_s=0.0, longest_s=0.0)  # its length is the machine's matter


def cost_of(program: Program) -> Cost:
    """What a repeat of this program takes."""
    if isinstance(program, Curve):
        trials = len(program.loads) + program.shares
        return Cost(usual=trials, most=trials, trial_s=program.final_s, longest_s=program.final_s)
    if isinstance(program, Connections):
        return _cost_of_table(program)
    a_load = max(1, round(program.sum_s * (1 - program.exceed) / program.final_s))
    usual = 1 + (_USUAL_LOADS - 1) * (a_load + (program.initial_s < program.final_s))
    return Cost(
        usual=min(usual, program.trials), most=program.trials, trial_s=program.final_s, longest_s=program.final_s
    )


def _cost_of_table(program: Connections) -> Cost:
    """Elementary tests, whose length is in no goal: connections are made, and then answered at a share of that rate."""
    usual, making_s = _USUAL_LOADS, program.states / USUAL_CPS
    if program.measure is Measure.CAPACITY:
        usual = _OUTWARDS + math.ceil(math.log2(1 / program.width))
        making_s *= 2 / program.rate  # the table may hold twice the first number, and they are made more slowly
    test_s = making_s * (1 + 1 / program.answers)
    return Cost(
        usual=min(usual, program.trials),
        most=program.trials,
        trial_s=test_s,
        longest_s=_PATIENCE_S + _PATIENCE * test_s,
    )
