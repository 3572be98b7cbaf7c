"""What is asked of a firewall's state table (RFC 9693), as values and as the text that a case carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

MOST_STATES = 10_000_000  # connections the senders tell apart: by 251 addresses and 40000 ports
MOST_STATES_OF_PORTS = 40_000  # and where the sender has one address


class Measure(StrEnum):
    """What is measured of a state table, by its name in the matrix."""

    RATE = "establishment-rate"  # maximum connection establishment rate (RFC 9693, section 4.5)
    CAPACITY = "table-capacity"  # connection tracking table capacity (RFC 9693, section 4.9)


@dataclass(frozen=True, kw_only=True, slots=True)
class Connections:
    """The measurement of a state table."""

    measure: Measure
    states: int  # connections of each test; of a capacity those of the first one
    width: float  # most relative difference between the bounds
    answers: float  # rate of the answers, a share of that at which the connections were made
    rate: float  # at which a capacity's connections are made, a share of what the first test came to
    trials: int  # most tests


def usual_connections(measure: Measure, states: int) -> Connections:
    """The measurement of which nothing but its name and a number of connections is said."""
    width = 0.005 if measure is Measure.RATE else 0.001
    return Connections(measure=measure, states=states, width=width, answers=0.5, rate=0.5, trials=60)


def connections_text(program: Connections) -> str:
    """The measurement as `key=value` words, the text of a case's `traffic.goal`."""
    return " ".join(f"{key}={value:.9g}" for key, value in asdict(program).items() if key != "measure")


def parse_connections(measure: str, words: Mapping[str, str]) -> Connections:
    """The measurement of a case's load and the words of its goal."""
    return Connections(
        measure=Measure(measure),
        states=int(words["states"]),
        trials=int(words["trials"]),
        **{key: float(words[key]) for key in ("width", "answers", "rate")},
    )


def connections_words(program: Connections) -> str:
    """The measurement for people, short enough for an axis or a condition."""
    answers = f"answered at {program.answers * 100:g} % of their rate, all of them"
    if program.measure is Measure.RATE:
        return f"N = {program.states} new connections a test, {answers}; width {program.width * 100:g} %"
    rate = f"made at {program.rate * 100:g} % of the rate of the first test"
    return f"from {program.states} connections on, {rate}, {answers}; width {program.width * 100:g} %"
