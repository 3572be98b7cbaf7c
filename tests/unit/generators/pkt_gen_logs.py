"""Logs as pkt-gen writes them, made of rates."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

START = 489.0


class Layout(Enum):
    """What a line of rates looked like over the years."""

    PLAIN = "{pps} pps ({pps} pkts in 1000000 usec)"
    BITS = "{pps} pps ({pps} pkts {bits} bps in 1000000 usec) 2.16 avg_batch 2040 min_space"
    STATISTICS = "{pps} pps [avg/std {pps} 1 pps]({pps} pkts {bits} bps in 1000000 usec) 2.16 avg_batch 99999 min_space"


def head(end: str = "receiver") -> list[str]:
    """What a log begins with; a real one has a line or two more or less."""
    role = "rx -i igb2" if end == "receiver" else "tx -i igb3 -n 80000000 -l 60 -4"
    return [
        f"CMD: pkt-gen -N -f {role} -w 4",
        f"{START} main [1753] interface is igb2",
        f"{START} extract_ip_range [294] range is 198.18.10.1:2000 to 198.18.10.20:2000",
        f"{START} extract_ip_range [294] range is 198.19.10.1:2000 to 198.19.10.100:2000",
        f"{START} main [1956] mapped 334980KB at 0x801600000",
        f"{START} main [2042] Wait 4 secs for phy reset",
        f"{START} main [2044] Ready...",
        f"{START} {end}_body [1282] reading from netmap:igb2 fd 4 main_fd 3",
    ]


def log_of(
    rates: Sequence[int], layout: Layout = Layout.BITS, end: str = "receiver", last: str = "Terminated"
) -> bytes:
    """A log with these rates, one a second; those that count begin with the eighth and end nine before the last."""
    seconds = [
        f"{START + place} main_thread [2277] {layout.value.format(pps=pps, bits=pps * 480)}"
        for place, pps in enumerate(rates, 1)
    ]
    return "".join(f"{line}\n" for line in (*head(end), *seconds, last)).encode()
