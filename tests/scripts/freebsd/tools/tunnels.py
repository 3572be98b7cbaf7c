"""What ifconfig makes of gre, gif and vxlan: the words of their manuals, checked; of vxlan a real one of Linux.

Of gre and gif there is an interface that takes addresses and routes, since this kernel may have no such tunnels.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path

from tests.scripts.freebsd.tools.node import changed, linux, stop

_CLONERS = ("gre", "gif", "vxlan")
_ALONE = {"inet": "255.255.255.255", "inet6": "128"}
_MASKS = {"inet": "netmask", "inet6": "prefixlen"}


def takes(words: list[str]) -> bool:
    """Whether these words of ifconfig are about a tunnel."""
    return words[0] in _CLONERS or words[1:2] == ["destroy"] or "tunnel" in words or _pointed(words) or "ether" in words


def ifconfig(words: list[str]) -> int:
    match words:
        case ["gre" | "gif", "create", "name", name]:
            _absent(name)
            linux("link", "add", name, "type", "vxlan", "id", "1", "dstport", "1")  # it always has a link
            print(name)
        case ["vxlan", "create", "name", name, "vxlanid", number, "vxlanlocal", local, "vxlanremote", remote]:
            _absent(name)
            _outer(local, remote)
            linux(
                "link", "add", name, "type", "vxlan", "id", number, "local", local, "remote", remote, "dstport", "4789"
            )
            print(name)
        case [name, "destroy"]:
            _present(name)
            linux("link", "delete", name)
        case [name, "inet" | "inet6" as family, "tunnel", local, remote]:
            _present(name)
            if _outer(local, remote) != family:
                stop(1, f"ifconfig: error in parsing address string: {local}")
            with changed() as state:
                state["rules"][f"{name}:tunnel"] = f"{local} --> {remote}"
        case [name, "inet" | "inet6" as family, local, remote, mask, only]:
            _present(name)
            if (mask, only) != (_MASKS[family], _ALONE[family]) or _outer(local, remote) != family:
                stop(1, f"ifconfig: {mask}: bad value")
            _six(name)
            linux("link", "set", name, "up")  # as an address does there
            linux("address", "add", local, "peer", remote, "dev", name)
            linux("route", "replace", remote, "dev", name)
        case [name, "ether", address]:
            _present(name)
            linux("link", "set", name, "address", address)
        case _:
            stop(1, f"ifconfig: {words[-1]}: bad value")
    return 0


def _pointed(words: list[str]) -> bool:
    return len(words) == 6 and words[4] in _MASKS.values()


def _outer(local: str, remote: str) -> str:
    """The family of both ends."""
    versions = {ipaddress.ip_address(end).version for end in (local, remote)}
    if len(versions) > 1:
        stop(1, "ifconfig: SIOCSIFPHYADDR: Invalid argument")
    return "inet" if versions == {4} else "inet6"


def _six(name: str) -> None:
    """Addresses come at once, as with net.inet6.ip6.dad_count=0."""
    Path(f"/proc/sys/net/ipv6/conf/{name}/accept_dad").write_text("0")


def _present(name: str) -> None:
    if not Path(f"/sys/class/net/{name}").exists():
        stop(1, f"ifconfig: interface {name} does not exist")


def _absent(name: str) -> None:
    if Path(f"/sys/class/net/{name}").exists():
        stop(1, "ifconfig: SIOCIFCREATE2: File exists")
