"""ifconfig, route, arp, ndp, netstat: what Linux has, said in FreeBSD's words."""

from __future__ import annotations

import ipaddress
import json
import time
from pathlib import Path
from typing import NamedTuple

from tests.scripts.freebsd.tools import tunnels
from tests.scripts.freebsd.tools.node import HOME, changed, flags, linux, stop

_NET = Path("/sys/class/net")
_HOST = {"admin", "lo"}
_COLUMNS = ("Ipkts", "Ierrs", "Idrop", "Ibytes", "Opkts", "Oerrs", "Obytes", "Coll", "Drop")


class Link(NamedTuple):
    """An interface."""

    name: str

    @property
    def mac(self) -> str:
        return (_NET / self.name / "address").read_text().strip()

    @property
    def carrier(self) -> bool:
        try:
            up = (_NET / self.name / "carrier").read_text().strip() == "1"
        except OSError:
            up = False
        bounce = HOME / f"{self.name}.bounce"  # of pkt-gen
        return up and (not bounce.exists() or time.time() >= float(bounce.read_text() or "inf"))

    @property
    def addresses(self) -> list[tuple[str, str, int]]:
        (said,) = json.loads(linux("-j", "address", "show", "dev", self.name))
        return [(item["family"], item["local"], item["prefixlen"]) for item in said["addr_info"]]

    def counted(self, name: str) -> int:
        return int((_NET / self.name / "statistics" / name).read_text())


def link(name: str) -> Link:
    if not (_NET / name).exists():
        stop(1, f"ifconfig: interface {name} does not exist")
    return Link(name=name)


def ifconfig(words: list[str]) -> int:
    if words == ["-l"]:
        print(*sorted(path.name for path in _NET.iterdir()))
        return 0
    if not words or words[0].startswith("-"):
        stop(1, "usage: ifconfig [-f type:format] %sinterface address_family")
    if tunnels.takes(words):
        return tunnels.ifconfig(words)
    of = link(words[0])
    if len(words) == 1:
        _show(of)
    family, address = "", ""
    for word in words[1:]:
        if word in ("inet", "inet6"):
            family = word
        elif word in ("alias", "-alias") and address:
            _address(of, address, "add" if word == "alias" else "del")
        elif family and _is_address(word):
            address = word
        else:
            _set(of, word, family)
    return 0


def _set(of: Link, word: str, family: str) -> None:
    """What stands for itself among the words of ifconfig."""
    if word in ("up", "down"):
        linux("link", "set", of.name, word)
    elif word in ("tso", "-tso", "lro", "-lro"):
        with changed() as state:
            state["rules"][f"{of.name}:{word.lstrip('-')}"] = str(not word.startswith("-"))
    elif family != "inet6" or word.lstrip("-") not in ("ifdisabled", "accept_rtadv", "auto_linklocal"):
        stop(1, f"ifconfig: {word}: bad value")
    elif word == "ifdisabled":
        Path(f"/proc/sys/net/ipv6/conf/{of.name}/disable_ipv6").write_text("1")
    elif word == "-ifdisabled":
        _six(of)


def _six(of: Link) -> None:
    for name, value in (("accept_dad", "0"), ("router_solicitations", "0"), ("disable_ipv6", "0")):
        Path(f"/proc/sys/net/ipv6/conf/{of.name}/{name}").write_text(value)


def _is_address(word: str) -> bool:
    try:
        ipaddress.ip_interface(word)
    except ValueError:
        return False
    return True


def _address(of: Link, address: str, verb: str) -> None:
    bare = address.partition("/")[0]
    held = {local: length for _, local, length in of.addresses}
    if verb == "del":
        if bare not in held:
            stop(1, "ifconfig: ioctl (SIOCDIFADDR): Can't assign requested address")
        address = f"{bare}/{held[bare]}"
    if verb == "add" and bare in held:
        return
    linux("address", verb, address, "dev", of.name)


def _show(of: Link) -> None:
    print(f"{of.name}: flags=8863<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 1500")
    print(f"\toptions=8000b8<VLAN_MTU>\n\tether {of.mac}")
    for family, local, length in of.addresses:
        network = ipaddress.ip_interface(f"{local}/{length}").network
        if family == "inet":
            print(f"\tinet {local} netmask {int(network.netmask):#010x} broadcast {network.broadcast_address}")
        else:
            print(f"\tinet6 {local} prefixlen {length}")
    print(
        f"\tmedia: Ethernet autoselect (1000baseT <full-duplex>)\n\tstatus: {'active' if of.carrier else 'no carrier'}"
    )


def route(words: list[str]) -> int:
    usage = "usage: route [-j jail] [-46dnqtv] command [[modifiers] args]"
    _, rest = flags(words, "46dnqtv", "j", usage, 64)
    match rest:
        case ["add" | "delete" as verb, "-inet" | "-inet6" as family, "-net", net, *gateway]:
            version = 4 if family == "-inet" else 6
            if not _is_address(net) or ipaddress.ip_network(net).version != version:
                stop(64, f"route: bad address: {net}")
            if (verb == "add") != (len(gateway) == 1):
                stop(64, usage)
            held = linux(f"-{version}", "route", "show", net)
            if verb == "add" and held:
                stop(1, f"add net {net}: gateway {gateway[0]} fib 0: route already in table")
            if verb == "delete" and not held:
                stop(1, f"delete net {net} fib 0: not in table")
            linux(f"-{version}", "route", "add" if gateway else "del", net, *(("via", *gateway) if gateway else ()))
        case _:
            stop(64, usage)
    return 0


def _neighbour(address: str, mac: str) -> None:
    (way,) = json.loads(linux("-j", "route", "get", address))
    linux("neighbour", "replace", address, "lladdr", mac, "dev", way["dev"], "nud", "permanent")


def _is_mac(word: str) -> bool:
    parts = word.split(":")
    return len(parts) == 6 and all(0 < len(part) <= 2 and int(part, 16) >= 0 for part in parts)


def arp(words: list[str]) -> int:
    usage = "usage: arp [-n] [-i interface] hostname\n       arp -s hostname ether_addr [temp] [pub [only]]"
    match words:
        case ["-s" | "-S", address, mac] if _is_mac(mac):
            _neighbour(address, mac)
        case ["-an"]:
            print(linux("-4", "neighbour"), end="")
        case _:
            stop(1, usage)
    return 0


def ndp(words: list[str]) -> int:
    match words:
        case ["-s", address, mac] if _is_mac(mac):
            _neighbour(address, mac)
        case ["-an"]:
            print(linux("-6", "neighbour"), end="")
        case _:
            stop(1, "usage: ndp [-nt] hostname\n       ndp [-nt] -s hostname ether_addr [temp] [proxy]")
    return 0


def netstat(words: list[str]) -> int:
    found, rest = flags(words, "46AaBbCcdFghiLlmnOoPQRrSsTWxz", "fIMNpqw", "usage: netstat [-46AaCcLnRSTWx]")
    if rest:
        stop(1, "usage: netstat [-46AaCcLnRSTWx]")
    if "I" in found:
        _interface(link(found["I"]))
    elif "Q" in found:
        _netisr()
    elif "s" in found:
        _protocol(found.get("p", "ip"))
    elif "r" in found:
        print("Routing tables\n\nInternet:\n" + linux("-4", "route"), end="")
    return 0


def _interface(of: Link) -> None:
    print("Name    Mtu Network Address", *_COLUMNS, sep="    ")
    ins = f"{of.counted('rx_packets'):8} 0 {of.counted('rx_dropped')} {of.counted('rx_bytes'):10}"
    outs = f"{of.counted('tx_packets'):8} 0 {of.counted('tx_bytes'):10} 0 {of.counted('tx_dropped')}"
    print(f"{of.name:5} 1500 <Link#2>      {of.mac} {ins} {outs}")
    for _, local, length in of.addresses:
        net = ipaddress.ip_interface(f"{local}/{length}").network
        print(f"{of.name:5}    - {net} {local} 0     -     -          0        0     -          0     -     -")


def _netisr() -> None:
    print("Configuration:\nSetting                        Current        Limit")
    print("Thread count                         1            1\n\nProtocols:")
    print("Name   Proto QLimit Policy Dispatch Flags\nip         1    256   flow  default   ---\n\nWorkstreams:")
    print("WSID CPU   Name     Len WMark   Disp'd  HDisp'd   QDrops   Queued  Handled")
    print("   0   0   ip         0     0     1234        0        0        0     1234")
    print("   0   0   ether      0     0     5678        0        0        0     5678")


def _protocol(name: str) -> None:
    if name not in ("ip", "ip6"):
        stop(1, f"netstat: {name}: unknown or uninstrumented protocol")
    forwarded = sum(link(path.name).counted("rx_packets") for path in _NET.iterdir() if path.name not in _HOST)
    print(f"{name}:\n\t{forwarded} total packets received\n\t0 bad header checksums")
    print(f"\t{forwarded} packets forwarded ({forwarded} packets fast forwarded)\n\t0 packets not forwardable")
    print("\t0 output packets dropped due to no bufs, etc.\n\t0 output packets discarded due to no route")
