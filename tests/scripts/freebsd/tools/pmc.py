"""pmccontrol and pmcstat: a profile that was sampled while the window was open, in pmcstat's layout."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.scripts.freebsd.tools.node import flags, load, stop

_EVENTS = ("tsc", "cpu_clk_unhalted.core", "inst_retired.any_p")
_GRAPH = """\
@ {event} [{samples} samples]

75.00%  [75]       ip_tryforward @ /boot/kernel/kernel
 100.0%  [75]        ip_input
  100.0%  [75]         netisr_dispatch_src

25.00%  [25]       bcmp @ /boot/kernel/kernel
 100.0%  [25]        ether_input

"""


def pmccontrol(words: list[str]) -> int:
    found, rest = flags(words, "lLs", "cde", "Usage:\n       pmccontrol -L", 64)
    if rest or "L" not in found:
        stop(64, "Usage:\n       pmccontrol -L")
    _loaded("pmccontrol")
    print("SOFT", *(f"\t{event}" for event in _EVENTS), sep="\n")
    return 0


def pmcstat(words: list[str]) -> int:
    usage = "Usage:\n\t pmcstat [options] [commandline]"
    found, command = flags(words, "ACdEgILmNqUvW", "acDfFGiklMnoOpPrRsStTuwz", usage, 64)
    if "R" in found:
        if Path(found["R"]).read_text() != "a log of cpu_clk_unhalted.core\n":
            stop(65, "pmcstat: ERROR: the log is damaged")
        Path(found["G"]).write_text(_GRAPH.format(event="cpu_clk_unhalted.core", samples=100))
        return 0
    _loaded("pmcstat")
    if found.get("S") not in _EVENTS:
        stop(
            64,
            f'pmcstat: ERROR: Cannot allocate system-mode pmc with specification "{found.get("S", "")}"',
        )
    if not command or "O" not in found:
        stop(64, usage)
    subprocess.run(command, check=True)
    Path(found["O"]).write_text(f"a log of {found['S']}\n")
    return 0


def _loaded(tool: str) -> None:
    if "hwpmc" not in load()["modules"]:
        stop(71, f"{tool}: ERROR: Initialization of the pmc(3) library failed: No such file or directory")
