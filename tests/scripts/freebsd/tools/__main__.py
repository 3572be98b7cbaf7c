"""Stand-ins for FreeBSD's tools on a node that is a network namespace of Linux.

Each checks its arguments against the grammar of the tool's manual page, refuses what the tool would refuse with its
status and a line of usage, and answers in the tool's own layout. What can be done is done: addresses, routes,
neighbours and forwarding are set by Linux. What cannot be is remembered below the node's home: rules, modules, boot
environments. The laboratory itself has pkt-gen, runner-scripts/bed/pkt_gen.py.

    python -m tests.scripts.freebsd.tools NAME [WORD]...
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.scripts.freebsd.tools import firewalls, kernel, network, pmc

TOOLS: dict[str, Callable[[list[str]], int]] = {
    **{name: getattr(kernel, name) for name in ("sysctl", "kenv", "kldload", "kldunload", "kldstat", "uname")},
    **{
        name: getattr(kernel, name)
        for name in ("sha256", "shutdown", "bectl", "upgrade", "mount", "vmstat", "updatep", "pkg")
    },
    **{name: getattr(network, name) for name in ("ifconfig", "route", "arp", "ndp", "netstat")},
    **{name: getattr(firewalls, name) for name in ("ipfw", "pfctl", "ipf", "ipfstat")},
    **{name: getattr(pmc, name) for name in ("pmccontrol", "pmcstat")},
}

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    sys.exit(TOOLS[sys.argv[0]](sys.argv[1:]))
