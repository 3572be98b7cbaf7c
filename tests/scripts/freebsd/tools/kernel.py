"""sysctl, kenv, kldload, kldunload, kldstat, uname, sha256, shutdown, bectl: the kernel and what is booted."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.scripts.freebsd.tools.node import FRESH, HOME, changed, flags, load, stop

VERSIONS = {
    "default": (
        "11.1-RELEASE-p1",
        "FreeBSD 11.1-RELEASE-p1 #2 r322489M: Fri Sep  8 00:32:53 CEST 2017     root@a:/usr/obj",
    ),
    "main-n268154": ("15.0-CURRENT", "FreeBSD 15.0-CURRENT #0 main-n268154-b5a5a06fc012: Fri Feb  9 06:29:24 UTC 2024"),
    "upgraded": ("12.0-CURRENT", "FreeBSD 12.0-CURRENT #2 r317849M: Sat May  6 01:24:05 CEST 2017"),
}
_BY_MODULE = {
    "ipfw": {"net.inet.ip.fw.enable": "1", "net.inet6.ip6.fw.enable": "1", "net.inet.ip.fw.dyn_count": "7"},
}
_BY_LINUX = {
    "net.inet.ip.forwarding": "/proc/sys/net/ipv4/ip_forward",
    "net.inet6.ip6.forwarding": "/proc/sys/net/ipv6/conf/all/forwarding",
}
_MODULES = {"ipfw", "pf", "ipl", "hwpmc", "netmap"}


def sysctl(words: list[str]) -> int:
    usage = "usage: sysctl [-bdeFhiNnoqTtWx] [ -B <bufsize> ] [-f filename] name[=value] ..."
    found, names = flags(words, "bdeFhiNnoqTtWxa", "Bf", usage)
    if not names:
        stop(1, usage)
    with changed() as state:
        for word in names:
            name, equals, value = word.partition("=")
            if name not in state["sysctl"]:
                stop(1, f"sysctl: unknown oid '{name}'")
            before = state["sysctl"][name]
            if equals and before.isdecimal() and not value.isdecimal():
                stop(1, f"sysctl: invalid integer '{value}'")
            if equals:
                state["sysctl"][name] = value
                if name in _BY_LINUX:
                    Path(_BY_LINUX[name]).write_text(value)
                before += f" -> {value}"
            print(before if "n" in found else f"{name}: {before}")
    return 0


def kenv(words: list[str]) -> int:
    usage = "usage: kenv [-hNq]\n       kenv [-qv] variable[=value]\n       kenv [-q] -u variable"
    found, rest = flags(words, "hNqvu", "", usage)
    if len(rest) > 1:
        stop(1, usage)
    with changed() as state:
        if not rest:
            print(*(f'{name}="{value}"' for name, value in state["kenv"].items()), sep="\n")
            return 0
        name, equals, value = rest[0].partition("=")
        if equals:
            state["kenv"][name] = value
        elif name not in state["kenv"]:
            return 1 if "q" in found else stop(1, f"kenv: unable to get {name}")
        print(f'{name}="{state["kenv"][name]}"' if equals else state["kenv"][name])
    return 0


def kldload(words: list[str]) -> int:
    found, names = flags(words, "nqv", "", "usage: kldload [-nqv] file ...")
    if not names:
        stop(1, "usage: kldload [-nqv] file ...")
    with changed() as state:
        for name in names:
            if name not in _MODULES:
                stop(1, f"kldload: can't load {name}: No such file or directory")
            if name in state["modules"] and "n" not in found:
                stop(1, f"kldload: can't load {name}: module already loaded or in kernel")
            state["modules"][name] = "1"
            state["sysctl"].update(_BY_MODULE.get(name, {}))
    return 0


def kldunload(words: list[str]) -> int:
    _, names = flags(words, "fv", "i", "usage: kldunload [-fv] -i id ...\n       kldunload [-fv] [-n] name ...")
    with changed() as state:
        for name in names:
            if state["modules"].pop(name, None) is None:
                stop(1, f"kldunload: can't find file {name}: No such file or directory")
            state["rules"].pop(name, None)
            for key in _BY_MODULE.get(name, {}):
                del state["sysctl"][key]
    return 0


def kldstat(words: list[str]) -> int:
    found, rest = flags(
        words,
        "hqv",
        "imn",
        "usage: kldstat [-h] [-q] [-v] [-d] [-i id] [-n filename]\n       kldstat [-q] [-m modname]",
    )
    if rest or "m" not in found:
        stop(1, "usage: kldstat [-q] [-m modname]")
    return 0 if found["m"] in load()["modules"] else 1


def booted() -> str:
    return next(name for name, marks in load()["environments"].items() if "N" in marks)


def uname(words: list[str]) -> int:
    found, rest = flags(words, "abiKmnoprsUv", "", "usage: uname [-abiKmnoprsUv]")
    if rest:
        stop(1, "usage: uname [-abiKmnoprsUv]")
    release, version = VERSIONS[booted()]
    said = {"s": "FreeBSD", "r": release, "v": version, "m": "amd64", "i": "GENERIC"}
    print(*(value for letter, value in said.items() if letter in (found or {"s"})))
    return 0


def sha256(words: list[str]) -> int:
    if words:
        stop(1, "sha256: this stand-in reads standard input alone")
    import hashlib  # noqa: PLC0415 - others need none

    print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())
    return 0


def shutdown(words: list[str]) -> int:
    """The next boot: another environment perhaps, none of what was set, and what its loader sets."""
    if words != ["-r", "now"]:
        stop(1, "usage: shutdown [-] [-c | -f | -h | -p | -r | -k] [-o [-n]] [-q] [-Z] time [warning-message ...]")
    with changed() as state:
        new = next(name for name, marks in state["environments"].items() if "R" in marks)
        state.update({key: dict(values) for key, values in FRESH.items()})
        state["environments"] = {name: "NR" if name == new else "" for name in state["environments"]}
        file = HOME / "environments" / new / "boot/loader.conf.local"
        if file.exists():
            state["kenv"] = dict(re.findall(r'^([\w.]+)="([^"]*)"$', file.read_text(), re.MULTILINE))
    import subprocess  # noqa: PLC0415 - others need none

    return subprocess.run([HOME / "bin/reboot"], check=True).returncode


def bectl(words: list[str]) -> int:
    usage = "Usage:\tbectl {-h | subcommand [args...]}"
    with changed() as state:
        environments = state["environments"]
        match words:
            case ["list", "-H"]:
                for name, marks in environments.items():
                    print(name, marks or "-", "-", "1.2G", "2024-02-09 06:29", sep="\t")
            case ["activate", name] if name in environments:
                state["environments"] = {
                    other: marks.replace("R", "") + "R" * (other == name) for other, marks in environments.items()
                }
                print(f"Successfully activated boot environment {name}")
            case ["mount", name] if name in environments:
                root = HOME / "environments" / name
                (root / "boot").mkdir(parents=True, exist_ok=True)
                print(root)
            case ["umount", name] if name in environments:
                pass
            case ["activate" | "mount" | "umount", _]:
                stop(1, f"boot environment '{words[1]}' does not exist")
            case _:
                stop(64, f"unknown command: {' '.join(words)}", usage)
    return 0


def upgrade(words: list[str]) -> int:
    """An image writer as a router of FreeBSD has one: its standard input becomes what is booted next."""
    if words or sys.stdin.buffer.read() != b"an image\n":
        stop(1, "upgrade: this is no image")
    _next("upgraded")
    return 0


def updatep(words: list[str]) -> int:
    """NanoBSD's writers of one half of the disk, never of the half that runs: HALF, then no word."""
    half, *rest = words
    if rest or sys.stdin.buffer.read() != b"an image\n":
        stop(1, f"updatep{half}: this is no image of one slice")
    if _root().endswith(f"s{half}a"):
        stop(1, f"updatep{half}: slice {half} is mounted on /")
    _next("upgraded")
    return 0


def pkg(words: list[str]) -> int:
    """What pkg installs of a repository, and what it then knows; a kernel's package is booted next."""
    known = (HOME / "packages").read_text().split() if (HOME / "packages").exists() else []
    match words:
        case ["install", "-y", name] if name in known:
            print(f"Updating FreeBSD repository catalogue...\n[1/1] Installing {name}...")
            _next("upgraded")
            with changed() as state:
                state["rules"][f"pkg:{name}"] = "installed"
        case ["install", "-y", name]:
            stop(1, f"pkg: No packages available to install matching '{name}' have been found in the repositories")
        case ["info", "-e", name]:
            return 0 if f"pkg:{name}" in load()["rules"] else 1
        case _:
            stop(64, "Usage: pkg [-v] [-d] [-l] [-N] [-o var=value] <command> [<args>]")
    return 0


def _next(name: str) -> None:
    with changed() as state:
        others = {other: marks.replace("R", "") for other, marks in state["environments"].items()}
        state["environments"] = {**others, name: "R"}


def mount(words: list[str]) -> int:
    if words != ["-p"]:
        stop(1, "usage: mount [-adflpruvw] [-F fstab] [-o options] [-t ufs | external_type]")
    print(f"{_root()}\t/\t\t\tufs\tro\t1 1\ndevfs\t/dev\t\t\tdevfs\trw\t0 0")
    return 0


def _root() -> str:
    """Where the node runs from; a pool of ZFS, unless its home says a slice."""
    path = HOME / "root-on"
    return path.read_text().strip() if path.exists() else "zroot/ROOT/default"


def vmstat(words: list[str]) -> int:
    if words != ["-i"]:
        stop(1, "usage: vmstat [-afHhimPsz] [-M core [-N system]] [-c count] [-n devs]")
    print("interrupt                          total       rate\nirq264: igb2:que 0                  1024          2")
    return 0
