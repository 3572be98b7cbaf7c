"""ipfw, pfctl, ipf, ipfstat: rules checked against each one's grammar and kept; no packet meets them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.scripts.freebsd.tools.node import changed, flags, load, stop

_ADDRESS = r"(?:any|me6?|table\(\w+\)|[0-9a-fA-F.:]+(?:/\d+)?)"
_IPFW_BODY = (
    rf"(?:allow|accept|pass|permit|deny|drop|count|reset|check-state)(?: log)?"
    rf"(?: (?:ip6?|ip4|udp|tcp|icmp|all) from {_ADDRESS}(?: [\d,-]+)? to {_ADDRESS}(?: [\d,-]+)?"
    rf"(?: (?:in|out|keep-state|via \w+|recv \w+|xmit \w+))*)?"
)
IPFW = re.compile(
    rf"(?:add(?: \d+)?(?: set \d+)? {_IPFW_BODY}"
    r"|table \w+ create(?: type addr)?|table \w+ add \S+(?: \d+)?|table (?:all|\w+) (?:destroy|flush))"
)
_HOST = r"(?:any|<\w+>|[0-9a-fA-F.:]+(?:/\d+)?)"
PF = re.compile(
    rf"(?:pass|block)(?: (?:in|out))?(?: log)?(?: quick)?(?: on \w+)?(?: inet6?)?(?: proto (?:udp|tcp))?"
    rf"(?: all| from {_HOST}(?: port \S+)? to {_HOST}(?: port \S+)?)?(?: (?:no|keep) state)?"
    r"|set limit (?:states|table-entries|tables|frags) \d+|set skip on \w+"
    r"|table <\w+> (?:persist )?(?:file \"[^\"]+\"|\{[^{}]*\})"
)
IPF = re.compile(
    r"(?:pass|block) (?:in|out)(?: log)?(?: quick)?(?: on \w+)?(?: proto (?:udp|tcp))?"
    r"(?: all| from (?:any|pool/\d+|\S+)(?: port = \d+)? to (?:any|pool/\d+|\S+)(?: port = \d+)?)(?: keep state)?"
)


def statements(text: str) -> list[tuple[int, str]]:
    """Each statement with its line; comments and blank lines are none."""
    lines = (
        (number, re.sub(r"\s+", " ", line.partition("#")[0]).strip()) for number, line in enumerate(text.split("\n"), 1)
    )
    return [(number, line) for number, line in lines if line]


def ipfw(words: list[str]) -> int:
    usage = "usage: ipfw [-abcdefhnNqStTv] <command>"
    found, rest = flags(words, "acdefhinNqStTvbB", "ps", usage, 64)
    if "ipfw" not in load()["modules"] and "n" not in found:
        stop(69, "ipfw: socket: Protocol not available")
    match rest:
        case [path] if path.startswith("/"):
            kept = []
            for number, line in statements(Path(path).read_text()):
                if not IPFW.fullmatch(line):
                    bad = line.split(" ")
                    word = (
                        bad[0] if bad[0] not in ("add", "table") else next((w for w in bad[1:] if not w.isdigit()), "")
                    )
                    stop(64, f"Line {number}: {'bad command' if word == bad[0] else 'invalid action'} `{word}'")
                kept.append(line)
            _keep("ipfw", kept, dry="n" in found)
        case ["flush"] if "f" in found:
            _keep("ipfw", [], dry=False)
        case ["list"]:
            held = [
                line.split(" ", 2) for line in load()["rules"].get("ipfw", "").split("\n") if line.startswith("add")
            ]
            for _, place, body in held:
                print(f"{int(place):05} {1000 if 'a' in found else ''} {60000 if 'a' in found else ''} {body}")
            print("65535 0 0 allow ip from any to any")
        case ["table", "all", "list"]:
            print(*(line for line in load()["rules"].get("ipfw", "").split("\n") if line.startswith("table")), sep="\n")
        case ["table", "all", "destroy"]:
            pass
        case _:
            stop(64, f"ipfw: bad command `{rest[0] if rest else ''}'", usage)
    return 0


def _keep(name: str, lines: list[str], *, dry: bool) -> None:
    if not dry:
        with changed() as state:
            state["rules"][name] = "\n".join(lines)


def pfctl(words: list[str]) -> int:
    usage = "usage: pfctl [-AdeghMmNnOPqRrvz] [-a anchor] [-D macro=value] [-F modifier]"
    found, rest = flags(words, "AdegHhmMNnOPqRrvz", "aDFfikKoPpstTx", usage)
    if rest:
        stop(1, usage)
    if "pf" not in load()["modules"] and "n" not in found:
        stop(1, "pfctl: /dev/pf: No such file or directory")
    on = load()["rules"].get("pf-on")
    if "f" in found:
        wrong = [number for number, line in statements(Path(found["f"]).read_text()) if not PF.fullmatch(line)]
        if wrong:
            lines = [f"{found['f']}:{number}: syntax error" for number in wrong]
            stop(1, *lines, "pfctl: Syntax error in config file: pf rules not loaded")
        _keep("pf", [line for _, line in statements(Path(found["f"]).read_text())], dry="n" in found)
    elif "F" in found:
        if found["F"] not in ("all", "rules", "states", "nat", "info", "Tables"):
            stop(1, f"pfctl: Unknown flush modifier '{found['F']}'", usage)
    elif "e" in found or "d" in found:
        if bool(on) == ("e" in found):
            stop(1, f"pfctl: pf {'already' if on else 'not'} enabled")
        _keep("pf-on", ["yes"] if "e" in found else [], dry=False)
    else:
        _show_pf(found.get("s", ""), verbose="v" in found, on=bool(on), usage=usage)
    return 0


def _show_pf(what: str, *, verbose: bool, on: bool, usage: str) -> None:
    rules = [line for line in load()["rules"].get("pf", "").split("\n") if line.startswith(("pass", "block"))]
    if what == "rules":
        for rule in rules:
            print(rule)
            if verbose:
                print("  [ Evaluations: 2000      Packets: 1000      Bytes: 46000       States: 200   ]")
                print("  [ Inserted: uid 0 pid 1234 State Creations: 200   ]")
    elif what == "info":
        print(f"Status: {'Enabled' if on else 'Disabled'} for 0 days 00:00:01           Debug: Urgent\n")
        print("State Table                          Total             Rate")
        print("  current entries                      200               ")
    elif what not in ("Tables", "memory"):
        stop(1, f"pfctl: Unknown show modifier '{what}'", usage)


def ipf(words: list[str]) -> int:
    usage = "usage: ipf [-6AdDEInoPrRsvVyzZ] [-l block|pass|nomatch|state|nat] [-F i|o|a|s|S|u] [-f filename]"
    found, rest = flags(words, "6AdDEInoPrRsvVyzZ", "lFfT", usage)
    if rest:
        stop(1, usage)
    if "ipl" not in load()["modules"] and "n" not in found:
        stop(1, "open device: No such file or directory")
    if "f" in found:
        for number, line in statements(Path(found["f"]).read_text()):
            if not IPF.fullmatch(line):
                stop(1, f'syntax error error at "{line.split(" ")[-1]}", line {number}')
        _keep("ipl", [line for _, line in statements(Path(found["f"]).read_text())], dry="n" in found)
    return 0


def ipfstat(words: list[str]) -> int:
    found, rest = flags(words, "6aACdfghIilnoRsStv", "DMNPT", "Usage: ipfstat [-6aAdfghIilnoRsv]")
    if rest:
        stop(1, "Usage: ipfstat [-6aAdfghIilnoRsv]")
    if "s" in found:
        print("IP states added:\n\t0 TCP\n\t200 UDP\n\t0 ICMP\n\t1000 hits\n\t200 misses\n\t0 maximum\n\t0 no memory")
        print("\t200 active\n\t0 expired\n\t0 closed")
        return 0
    for number, rule in enumerate(load()["rules"].get("ipl", "").split("\n"), 1):
        print(
            f"{'1000 ' if 'h' in found else ''}@{number} {rule}" if rule else "empty list for ipfilter(in)",
            file=sys.stdout,
        )
    return 0
