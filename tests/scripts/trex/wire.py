"""A port of the server: an interface, what it has counted, and the frames of its streams."""

from __future__ import annotations

import base64
import itertools
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.scripts.trex.grammar import Json

_MOST_PPS = 2000  # of this stand-in
_RCVBUFFORCE = 33
_OUTGOING = 4
_FCS = 4


class Port:
    """One interface, as TRex's server shows it."""

    def __init__(self, name: str) -> None:
        self.name, self.owner, self.handler = name, "", ""
        self.streams: list[Json] = []
        self.counters = dict.fromkeys(("opackets", "obytes", "oerrors", "ipackets", "ibytes", "ierrors"), 0)
        self.sends: threading.Thread | None = None
        self.told = threading.Event()
        threading.Thread(target=self._receive, daemon=True).start()

    def status(self, *, owner: str, up: bool) -> Json:
        mac = Path(f"/sys/class/net/{self.name}/address").read_text().strip()
        ether = {"src": mac, "dst": "", "state": "unconfigured"}
        return {
            "owner": owner,
            "state": "TX" if self.sends else "STREAMS" if self.streams else "IDLE",
            "max_stream_id": len(self.streams),
            "service": False,
            "attr": {
                "speed": 10,
                "link": {"up": up},
                "fc": {"mode": 0},
                "promiscuous": {"enabled": False},
                "multicast": {"enabled": False},
                "vlan": {"tags": []},
                "rx_filter_mode": "hw",
                "layer_cfg": {"ether": ether, "ipv4": {"state": "none"}},
            },
            "rx_info": {"queue": {"is_active": False}, "grat_arp": {"is_active": False}},
        }

    def start(self, multiplier: Json, duration: float) -> None:
        pps = _MOST_PPS if multiplier["type"] == "percentage" else float(str(multiplier["value"]))
        self.told.clear()
        self.sends = threading.Thread(target=self._send, args=(min(pps, _MOST_PPS), duration), daemon=True)
        self.sends.start()

    def stop(self) -> None:
        self.told.set()
        if self.sends:
            self.sends.join()
        self.sends = None

    def _send(self, pps: float, duration: float) -> None:
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        wire.bind((self.name, 0))
        frames, began, sent = interleaved([flows_of(stream) for stream in self.streams]), time.monotonic(), 0
        while not self.told.wait(0.002) and (now := time.monotonic() - began) < duration:
            while sent < now * pps:
                frame = next(frames)
                wire.send(frame)
                sent += 1
                self.counters["opackets"] += 1
                self.counters["obytes"] += len(frame) + _FCS

    def _receive(self) -> None:
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        wire.setsockopt(socket.SOL_SOCKET, _RCVBUFFORCE, 16 << 20)  # other work on this machine may come first
        wire.bind((self.name, 3))
        while True:
            frame, (_, _, kind, _, _) = wire.recvfrom(2048)
            if kind != _OUTGOING:
                self.counters["ipackets"] += 1
                self.counters["ibytes"] += len(frame) + _FCS


def interleaved(streams: list[list[bytes]]) -> Iterator[bytes]:
    """The frames of all streams in turn, for ever."""
    turns = [itertools.cycle(frames) for frames in streams]
    while True:
        for turn in turns:
            yield next(turn)


def flows_of(stream: Json) -> list[bytes]:
    """A frame for each flow of the stream, as its instructions make them."""
    frame = base64.b64decode(stream["packet"]["binary"])  # type: ignore[index]
    values: list[dict[str, bytes]] = [{}]
    writes: list[tuple[str, int]] = []
    fixed: list[int] = []
    for item in stream["vm"]["instructions"]:  # type: ignore[index]
        if item["type"] == "tuple_flow_var":
            ports, addresses = (range(item[f"{name}_min"], item[f"{name}_max"] + 1) for name in ("port", "ip"))
            values = [
                {f"{item['name']}.ip": struct.pack("!I", address), f"{item['name']}.port": struct.pack("!H", port)}
                for port in ports
                for address in addresses
            ]
        elif item["type"] == "write_flow_var":
            writes.append((item["name"], item["pkt_offset"]))
        else:
            fixed.append(item["pkt_offset"])
    return [_written(frame, value, writes, fixed) for value in values]


def _written(frame: bytes, value: dict[str, bytes], writes: list[tuple[str, int]], fixed: list[int]) -> bytes:
    made = bytearray(frame)
    for name, offset in writes:
        made[offset : offset + len(value[name])] = value[name]
    for offset in fixed:
        made[offset + 10 : offset + 12] = b"\0\0"
        total = sum(struct.unpack("!10H", made[offset : offset + 20]))
        total = (total & 0xFFFF) + (total >> 16)
        made[offset + 10 : offset + 12] = struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF)
    return bytes(made)
