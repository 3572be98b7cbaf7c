"""pkt-gen: frames are made and counted by packet sockets, some thousand a second; its words are in its own layout."""

from __future__ import annotations

import ipaddress
import itertools
import re
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.scripts.freebsd.tools.network import Link, link
from tests.scripts.freebsd.tools.node import HOME, changed, flags, stop

_USAGE = "Usage:\npkt-gen arguments\n\t-h\tShow program usage and exit.\n\n\t-i interface\tname of the interface"
_RANGE = re.compile(
    r"(?:\[(?P<low6>[0-9a-f:]+)\]:(?P<from6>\d+)-\[(?P<high6>[0-9a-f:]+)\]:(?P<to6>\d+)"
    r"|(?P<low4>[\d.]+):(?P<from4>\d+)-(?P<high4>[\d.]+):(?P<to4>\d+))"
)
_USUAL_PPS = 1000
_RCVBUFFORCE = 33
_UDP = 17
_OUTGOING = 4
_BOUNCE_S = 0.3  # these ports come back sooner than real ones, so nobody waits as long for them
_SOON = 8


@dataclass(frozen=True, kw_only=True)
class Ends:
    """A range of addresses and of ports."""

    addresses: tuple[bytes, ...]
    ports: range
    text: str


class ToldToEndError(Exception):
    """It was told to end."""


def pkt_gen(words: list[str]) -> int:
    found, rest = flags(words, "46NIWvUXrzZAhB", "afFnildsDSbcopTwRCHePM", _USAGE)
    if rest or "i" not in found or found.get("f") not in ("tx", "rx"):
        stop(1, _USAGE)
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    of = link(found["i"])
    _say("main", 2512, f"interface is {of.name}")
    family = 6 if "6" in found else 4
    source, sink = (_ends(found.get(key, usual), family) for key, usual in (("s", "10.0.0.1"), ("d", "10.1.0.1")))
    _open_port(of, float(found.get("w", "2")))
    if found["f"] == "rx":
        _receive(of)
    else:
        _send(of, found, source, sink, family)
    return 0


def _interrupt(*_: object) -> None:
    raise ToldToEndError


def _say(who: str, line: int, message: str) -> None:
    now = time.time()
    print(f"{int(now) % 1000:03}.{int(now * 1e6) % 1_000_000:06} {who} [{line}] {message}", file=sys.stderr, flush=True)


def _open_port(of: Link, wait_s: float) -> None:
    """The link goes away for a moment, and comes back where nothing is the matter with it."""
    with changed() as state:
        state["bounce"][of.name] = str(time.time() + (3600 if (HOME / "cable-is-out").exists() else _BOUNCE_S))
    _say("main", 2721, "mapped 334980KB at 0x801600000")
    _say("main", 2810, f"Wait {int(wait_s)} secs for phy reset")
    time.sleep(wait_s / _SOON)
    _say("main", 2812, "Ready...")


def _ends(text: str, family: int) -> Ends:
    match = _RANGE.fullmatch(text)
    if not match:
        if ":" in text or "-" in text:
            stop(1, f"main: bad range {text}", _USAGE)
        return Ends(addresses=(), ports=range(1234, 1235), text=text)
    said = {name[:-1]: value for name, value in match.groupdict().items() if value}
    low, high = (ipaddress.ip_address(said[end]) for end in ("low", "high"))
    if low.version != family:
        stop(1, f"main: {low} is of another family", _USAGE)
    first, last = int(said["from"]), int(said["to"])
    mark = "7@[{}]" if family == 6 else "{}"
    _say("extract_ip_range", 462, f"range is {mark.format(low)}:{first} to {mark.format(high)}:{last}")
    addresses = tuple((low + step).packed for step in range(int(high) - int(low) + 1))
    return Ends(addresses=addresses, ports=range(first, last + 1), text=text)


def _frames(found: dict[str, str], source: Ends, sink: Ends, family: int) -> Iterator[bytes]:
    """Frames in pkt-gen's order: the source's port changes fastest, the sink's address slowest."""
    head = b"".join(bytes.fromhex(found[key].replace(":", "")) for key in ("D", "S"))
    size = int(found.get("l", "60"))
    for to, to_port, at, at_port in itertools.cycle(
        itertools.product(sink.addresses, sink.ports, source.addresses, source.ports)
    ):
        length = size - 14 - (20 if family == 4 else 40)
        udp = struct.pack("!HHHH", at_port, to_port, length, 0) + bytes(length - 8)
        if family == 4:
            packet = struct.pack("!BBHHHBBH", 0x45, 0, length + 20, 0, 0, 64, _UDP, 0) + at + to
            packet = packet[:10] + struct.pack("!H", _checksum(packet)) + packet[12:]
            yield head + b"\x08\x00" + packet + udp
        else:
            yield (
                head
                + b"\x86\xdd"
                + struct.pack("!IHBB", 6 << 28, length, _UDP, 64)
                + at
                + to
                + udp[:6]
                + b"\xff\xff"
                + udp[8:]
            )


def _checksum(octets: bytes) -> int:
    total: int = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    total = (total & 0xFFFF) + (total >> 16)
    return ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def _send(of: Link, found: dict[str, str], source: Ends, sink: Ends, family: int) -> None:
    size, pps = int(found.get("l", "60")), min(int(found.get("R", _USUAL_PPS)), 4000)
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    wire.bind((of.name, 0))
    _say("sender_body", 1394, "start, fd 3 main_fd 3")
    frames, sent, began = _frames(found, source, sink, family), 0, time.monotonic()
    reported, last = 0, began
    try:
        while True:
            now = time.monotonic()
            while sent < (now - began) * pps:
                wire.send(next(frames))
                sent += 1
            if now - last >= 1:
                _report(sent - reported, size, now - last)
                reported, last = sent, now
            time.sleep(0.005)
    except ToldToEndError:
        pass
    seconds = time.monotonic() - began
    print(f"Sending on netmap:{of.name}: 4 queues, 1 threads and 1 cpus.")
    print(f"{source.text} -> {sink.text} ({found['S']} -> {found['D']})")
    _farewell("Sent", sent, size, seconds)


def _receive(of: Link) -> None:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    wire.bind((of.name, 3))
    wire.settimeout(0.05)
    wire.setsockopt(socket.SOL_SOCKET, _RCVBUFFORCE, 16 << 20)  # other work on this machine may come first
    _say("receiver_body", 1596, f"reading from netmap:{of.name} fd 3 main_fd 3")
    got, reported, began = 0, 0, time.monotonic()
    last = began
    try:
        while True:
            try:
                frame, (_, _, kind, _, _) = wire.recvfrom(2048)
                got += kind != _OUTGOING and frame[12:14] in (b"\x08\x00", b"\x86\xdd")
            except TimeoutError:
                pass
            now = time.monotonic()
            if now - last >= 1:
                _report(got - reported, 60, now - last)
                reported, last = got, now
            if (HOME / "ouch").exists() and got:
                _say("main_thread", 2300, "ouch, thread 0 exited with error")
                return
    except ToldToEndError:
        pass
    _farewell("Received", got, 60, time.monotonic() - began)


def _report(packets: int, size: int, seconds: float) -> None:
    rate = f"{int(packets / seconds)} pps ({packets} pkts {packets * size * 8} bps in {int(seconds * 1e6)} usec)"
    _say("main_thread", 2277, f"{rate} 2.16 avg_batch 2039 min_space")


def _farewell(verb: str, packets: int, size: int, seconds: float) -> None:
    print(
        f"{verb} {packets} packets {packets * size} bytes {packets} events {size} bytes each in {seconds:.2f} seconds."
    )
    bits = packets * size * 8 / seconds
    print(f"Speed: {packets / seconds:.0f} pps Bandwidth: {bits:.0f} bps (raw 0 bps). Average batch: 1.00 pkts")
