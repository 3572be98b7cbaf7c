"""Stand-ins for FreeBSD's tools on a node that is a network namespace of Linux.

Each checks its arguments against the grammar of the tool's manual page, refuses what the tool would refuse with its
status and a line of usage, and answers in the tool's own layout. What can be done is done: addresses, routes,
neighbours and forwarding are set by Linux. What cannot be is remembered below the node's home: rules, modules, boot
environments. The laboratory itself has pkt-gen, runner-scripts/bed/pkt_gen.py.

    python -IS tests/scripts/freebsd/tools/__main__.py NAME [WORD]...

A trial calls them a hundred times, so a start imports no more than its tool needs.
"""

from __future__ import annotations

import sys
from importlib import import_module

_ROOT = __file__.rsplit("/", 5)[0]
TOOLS = {  # each with its module
    **dict.fromkeys(("sysctl", "kenv", "kldload", "kldunload", "kldstat", "uname", "sha256", "shutdown"), "kernel"),
    **dict.fromkeys(("bectl", "upgrade", "mount", "vmstat", "updatep", "pkg"), "kernel"),
    **dict.fromkeys(("ifconfig", "route", "arp", "ndp", "netstat"), "network"),
    **dict.fromkeys(("ipfw", "pfctl", "ipf", "ipfstat"), "firewalls"),
    **dict.fromkeys(("pmccontrol", "pmcstat"), "pmc"),
}

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    sys.path.insert(0, _ROOT)
    module = import_module(f"tests.scripts.freebsd.tools.{TOOLS[sys.argv[0]]}")
    sys.exit(getattr(module, sys.argv[0])(sys.argv[1:]))
