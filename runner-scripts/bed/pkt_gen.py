#!/usr/bin/python3 -IS
"""netmap's pkt-gen on a node of the laboratory: packet sockets make and count its frames, some thousand a second.

Its arguments are checked against the grammar of its manual, and its words are in its own layout. A port that goes down
ends it, as it ends the real one: with 'ouch'. So does a file of that name in the node's home, once, when a receiver has
got a frame; and where 'cable-is-out' lies there, the link that netmap takes down for a moment does not come back, for
who asks the stand-in of ifconfig.
"""

import contextlib
import getopt
import ipaddress
import itertools
import os
import re
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

HOME = Path(os.environ.get("HOME", "/nonexistent"))
USAGE = "Usage:\npkt-gen arguments\n\t-h\tShow program usage and exit.\n\n\t-i interface\tname of the interface"
OPTIONS = "46NIWvUXrzZAhBa:f:F:n:i:l:d:s:D:S:b:c:o:p:T:w:R:C:H:e:P:M:"
GRAMMAR = {
    "-f": "tx|rx",
    **dict.fromkeys(("-l", "-w", "-R"), r"\d{1,9}"),
    **dict.fromkeys(("-D", "-S"), "([0-9a-f]{2}:){5}[0-9a-f]{2}"),
}
RANGE = re.compile(
    r"(?:\[(?P<low6>[0-9a-f:]+)\]:(?P<from6>\d+)-\[(?P<high6>[0-9a-f:]+)\]:(?P<to6>\d+)"
    r"|(?P<low4>[\d.]+):(?P<from4>\d+)-(?P<high4>[\d.]+):(?P<to4>\d+))"
)
USUAL_PPS, MOST_PPS = 1000, 4000
SO_RCVBUFFORCE = 33
UDP = 17
OUTGOING = 4
BOUNCE_S = 0.3  # these ports come back sooner than real ones, so nobody waits as long for them
SOON = 8
OPEN = (("main", 2721, "mapped 334980KB at 0x801600000"), ("main", 2810, "Wait {} secs for phy reset"))


class Ends(NamedTuple):
    """A range of addresses and of ports."""

    addresses: tuple[bytes, ...]
    ports: range
    text: str


class PortDownError(Exception):
    """What netmap's poll says of a port that is gone."""


class Count:
    """Frames of one end, and what was reported of them."""

    def __init__(self, size: int) -> None:
        self.size, self.packets, self.reported = size, 0, 0
        self.began = self.last = time.monotonic()

    def report_when_due(self) -> None:
        """A line a second."""
        if time.monotonic() - self.last >= 1:
            self.report()

    def report(self) -> None:
        """What came since the last one."""
        now = time.monotonic()
        packets, seconds = self.packets - self.reported, now - self.last
        bits = packets * self.size * 8
        rate = f"{int(packets / seconds)} pps ({packets} pkts {bits} bps in {int(seconds * 1e6)} usec)"
        say("main_thread", 2277, f"{rate} 2.16 avg_batch 2039 min_space")
        self.reported, self.last = self.packets, now

    def farewell(self, verb: str, seconds: float) -> None:
        """What it says at its end."""
        octets, size = self.packets * self.size, self.size
        counted = f"{self.packets} packets {octets} bytes {self.packets} events {size} bytes each"
        write(f"{verb} {counted} in {seconds:.2f} seconds.")
        rates = f"{self.packets / seconds:.0f} pps Bandwidth: {octets * 8 / seconds:.0f} bps (raw 0 bps)"
        write(f"Speed: {rates}. Average batch: 1.00 pkts")


told = False  # to end


def interrupt(*_: object) -> None:
    """Remember that it was told to end."""
    global told  # noqa: PLW0603 - a signal has no other way to say it
    told = True


def write(line: str) -> None:
    """Say it; like pkt-gen, whether or not there is room for it."""
    with contextlib.suppress(OSError):
        os.write(2, f"{line}\n".encode())


def say(who: str, place: int, message: str) -> None:
    """A line with time and place."""
    now = time.time()
    write(f"{int(now) % 1000:03}.{int(now * 1e6) % 1_000_000:06} {who} [{place}] {message}")


def stop(*lines: str) -> NoReturn:
    """End as it does that was called wrongly."""
    for line in lines:
        write(line)
    raise SystemExit(1)


def main(words: list[str]) -> None:
    """Send or receive until an interrupt."""
    signal.signal(signal.SIGINT, interrupt)
    asked = read_words(words)
    interface, family = asked["-i"], 6 if "-6" in asked else 4
    if not Path("/sys/class/net", interface).exists():
        stop(f"main [2534] interface {interface} does not exist")
    say("main", 2512, f"interface is {interface}")
    usual = (("-s", "10.0.0.1"), ("-d", "10.1.0.1"))
    source, sink = (read_ends(asked.get(key, address), family) for key, address in usual)
    open_port(interface, int(asked.get("-w", "2")))
    if asked["-f"] == "rx":
        receive(interface)
    else:
        send(interface, asked, source, sink)


def read_words(words: list[str]) -> dict[str, str]:
    """The options with their values."""
    try:
        found, rest = getopt.getopt(words, OPTIONS)
    except getopt.GetoptError as error:
        stop(f"pkt-gen: {error}", USAGE)
    asked = dict(found)
    if rest or not {"-i", "-f"} <= set(asked) or (asked["-f"] == "tx" and not {"-s", "-d", "-S", "-D"} <= set(asked)):
        stop(USAGE)
    for key, value in found:
        if not re.fullmatch(GRAMMAR.get(key, ".*"), value):
            stop(f"pkt-gen: bad value {value} of {key}", USAGE)
    return asked


def read_ends(text: str, family: int) -> Ends:
    """The range that was given, or the one it has by itself."""
    match = RANGE.fullmatch(text)
    if not match:
        if ":" in text or "-" in text:
            stop(f"main: bad range {text}", USAGE)
        return Ends(addresses=(), ports=range(1234, 1235), text=text)
    said = {name[:-1]: value for name, value in match.groupdict().items() if value}
    low, high = (ipaddress.ip_address(said[end]) for end in ("low", "high"))
    if low.version != family:
        stop(f"main: {low} is of another family", USAGE)
    first, last = int(said["from"]), int(said["to"])
    mark = "7@[{}]" if family == 6 else "{}"
    say("extract_ip_range", 462, f"range is {mark.format(low)}:{first} to {mark.format(high)}:{last}")
    addresses = tuple((low + step).packed for step in range(int(high) - int(low) + 1))
    return Ends(addresses=addresses, ports=range(first, last + 1), text=text)


def open_port(interface: str, wait_s: int) -> None:
    """The link goes away for a moment, and comes back where nothing is the matter with it."""
    back = time.time() + (3600 if (HOME / "cable-is-out").exists() else BOUNCE_S)
    with contextlib.suppress(OSError):
        (HOME / f"{interface}.bounce").write_text(str(back))
    for who, place, message in OPEN:
        say(who, place, message.format(wait_s))
    time.sleep(wait_s / SOON)
    say("main", 2812, "Ready...")


def open_wire(interface: str, protocol: int) -> socket.socket:
    """A packet socket on the port."""
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(protocol))
    wire.bind((interface, protocol))
    return wire


def send(interface: str, asked: dict[str, str], source: Ends, sink: Ends) -> None:
    """Frames, until an interrupt or the port's end."""
    size, pps = int(asked.get("-l", "60")), min(int(asked.get("-R", USUAL_PPS)), MOST_PPS)
    head = b"".join(bytes.fromhex(asked[key].replace(":", "")) for key in ("-D", "-S"))
    frames = make_frames(head, size, source, sink)
    wire = open_wire(interface, 0)
    say("sender_body", 1394, "start, fd 3 main_fd 3")
    count = Count(size)
    while not told:
        try:
            while count.packets < (time.monotonic() - count.began) * pps:
                wire.send(next(frames))
                count.packets += 1
        except OSError:
            say("sender_body", 1434, "poll error on 3 ring 0-3")
            break
        count.report_when_due()
        time.sleep(0.005)
    to = f"{source.text} -> {sink.text} ({asked['-S']} -> {asked['-D']})"
    end("Sending on", "Sent", interface, count, to)


def make_frames(head: bytes, size: int, source: Ends, sink: Ends) -> Iterator[bytes]:
    """Frames in pkt-gen's order: the source's port changes fastest, the sink's address slowest."""
    pairs = itertools.product(sink.addresses, sink.ports, source.addresses, source.ports)
    for to, to_port, at, at_port in itertools.cycle(pairs):
        length = size - 14 - (20 if len(at) == 4 else 40)
        ports = struct.pack("!HHH", at_port, to_port, length)
        udp = ports + checksum(at + to + struct.pack("!HH", UDP, length) + ports) + bytes(length - 8)
        if len(at) == 4:
            packet = struct.pack("!BBHHHBBH", 0x45, 0, length + 20, 0, 0, 64, UDP, 0) + at + to
            yield head + b"\x08\x00" + packet[:10] + checksum(packet) + packet[12:] + udp
        else:
            yield head + b"\x86\xdd" + struct.pack("!IHBB", 6 << 28, length, UDP, 64) + at + to + udp


def checksum(octets: bytes) -> bytes:
    """The internet's, of a header; a payload of zeros adds nothing to it."""
    total: int = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF)


def receive(interface: str) -> None:
    """Count frames of IP, until an interrupt or the port's end."""
    wire = open_wire(interface, 3)
    wire.settimeout(0.05)
    wire.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)  # other work on this machine may come first
    say("receiver_body", 1596, f"reading from netmap:{interface} fd 3 main_fd 3")
    count = Count(60)
    while not told:
        try:
            count.packets += is_counted(wire)
        except PortDownError:
            say("receiver_body", 1648, "poll err")
            break
        count.report_when_due()
    end("Receiving from", "Received", interface, count, "")


def is_counted(wire: socket.socket) -> bool:
    """Whether a frame of IP came in, in the time that one is waited for."""
    try:
        frame, (_, _, kind, _, _) = wire.recvfrom(2048)
    except TimeoutError:
        return False
    except OSError as error:
        raise PortDownError from error
    if (HOME / "ouch").exists():
        (HOME / "ouch").unlink()
        raise PortDownError
    return kind != OUTGOING and frame[12:14] in (b"\x08\x00", b"\x86\xdd")


def end(doing: str, done: str, interface: str, count: Count, to: str) -> None:
    """The last words; of a port that went down they are those of a thread that failed, whose time nobody took."""
    seconds = time.monotonic() - count.began
    if not told:
        count.report()
        say("main_thread", 2304, "ouch, thread 0 exited with error")
        seconds = -time.time()
    write(f"{doing} netmap:{interface}: 4 queues, 1 threads and 1 cpus.")
    if to:
        write(to)
    count.farewell(done, seconds)


if __name__ == "__main__":
    main(sys.argv[1:])
