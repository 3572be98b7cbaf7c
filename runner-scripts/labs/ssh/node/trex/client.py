"""TRex's stateless client, told by generators/trex.sh what to do with one port; what it says is for that script.

    client.py FOLDER PORT look     its Ethernet address, its driver, and its speed in Mbit/s, once it has a link
    client.py FOLDER PORT watch    a report a second, until it is told to end, and then `ended`
    client.py FOLDER PORT send MAC DUT_MAC FROM TO FRAME_SIZE FLOWS LOAD MILLISECONDS SOURCES SINKS    likewise

A report has microseconds, packets, octets and errors out, packets, octets and errors in, and how often the queue of a
port was full. FOLDER is the server's: its own client is taken from there, as both must be of one version. Nothing newer
than Python 3.6 is needed, which is what TRex needs itself.
"""

import importlib
import ipaddress
import re
import signal
import sys
import threading
import time
from typing import Any, NoReturn

USER = "fwdlab"
LINK_S = 20
MODULES = ("trex.stl.api", "trex_stl_lib.api")  # from 2.30 on, and before
COUNTERS = ("opackets", "obytes", "oerrors", "ipackets", "ibytes", "ierrors")
FIRST_PORT = 10000


def fail(message: str) -> NoReturn:
    """End; the lab is broken."""
    print(message, file=sys.stderr)
    raise SystemExit(3)


def load_api(folder: str) -> Any:
    """The client that came with the server."""
    sys.path.insert(0, folder + "/automation/trex_control_plane/interactive")
    reasons = []
    for name in MODULES:
        try:
            return importlib.import_module(name)
        except Exception as error:  # what its client brings along may fail in any way
            reasons.append(f"{name}: {error}")
    advice = "give the folder of TRex as 'trex' of the machine, and see that its client runs under this Python"
    fail("TRex's client cannot be loaded ({}); {}".format("; ".join(reasons), advice))


class Port:
    """One port of the server on this host."""

    def __init__(self, api: Any, number: int) -> None:
        self.api, self.number = api, number
        self.client = api.STLClient(username=USER, server="127.0.0.1")

    def connect(self) -> None:
        """Reach the server, which has the port."""
        try:
            self.client.connect()
        except self.api.STLError as error:
            fail(f"TRex does not answer here ({one_line(error.brief())}); start its server: t-rex-64 -i")
        if self.number not in self.client.get_all_ports():
            fail(f"TRex has no port {self.number}; name one of {ports_text(self.client.get_all_ports())}")

    def look(self) -> Any:
        """What the port is, once it has a link."""
        last = time.monotonic() + LINK_S
        while True:
            found = self.client.get_port_attr(self.number)
            if found["link"] == "UP":
                return found
            if time.monotonic() > last:
                fail(f"port {self.number} of TRex is down; look at its cable and the other end")
            time.sleep(0.2)

    def acquire(self) -> None:
        """Make it ours; what a dead session of ours left is ours, since the host is leased to us."""
        owner = self.client.ports[self.number].get_owner()
        try:
            self.client.acquire(ports=[self.number], force=owner == USER)
            self.client.stop(ports=[self.number])
            self.client.remove_all_streams(ports=[self.number])
        except self.api.STLError as error:
            who = f"is owned by '{owner}'" if owner else "cannot be acquired"
            fail(f"port {self.number} of TRex {who} ({one_line(error.brief())}); let them release it")

    def begin(self, streams: "list[Any]", load: int, milliseconds: int) -> None:
        """Send; it ends by itself, whatever becomes of us. Forced, since frames have their own Ethernet addresses."""
        rate = f"{load}pps" if load else "100%"
        try:
            self.client.add_streams(streams, ports=[self.number])
            self.client.start(ports=[self.number], mult=rate, force=True, duration=milliseconds / 1000)
        except self.api.STLError as error:
            advice = f"intend less, or look at the link of port {self.number}"
            fail(f"TRex refuses the load ({one_line(error.brief())}); {advice}")

    def report(self, began: float) -> None:
        """What was counted since it connected."""
        try:
            stats = self.client.get_stats(ports=[self.number])
        except self.api.STLError as error:
            fail(f"TRex ended ({one_line(error.brief())}); look at its server's log")
        for warning in self.client.get_warnings():
            fail(f"TRex warns: {one_line(str(warning))}; look at its server's log")
        values = [int(stats[self.number].get(name, 0)) for name in COUNTERS]
        elapsed = int((time.monotonic() - began) * 1000000)
        print(elapsed, *values, int(stats["global"].get("queue_full", 0)), flush=True)

    def tell(self, sends: bool, told: threading.Event) -> None:
        """A report a second, until we are told to end; the last one when all has come to rest."""
        began, made = time.monotonic(), 0
        while not told.is_set():
            self.report(began)
            if sends and not self.client.is_traffic_active(ports=[self.number]):
                fail("TRex stopped sending before its time; look at its server's log")
            made += 1
            told.wait(max(0, began + made - time.monotonic()))
        if sends:
            self.client.stop(ports=[self.number])
            time.sleep(1)
        self.report(began)
        print("ended", flush=True)
        self.client.disconnect()


def frames(api: Any, words: "tuple[str, ...]") -> "list[Any]":
    """A stream for each sink: its flows have every source and port in turn."""
    mac, dut_mac, source, sink = words[:4]
    size, flows, _, _, sources, sinks = (int(word) for word in words[4:])
    first = ipaddress.ip_address(sink)
    each = flows // sources // sinks
    return [
        api.STLStream(
            packet=packet(api, (mac, dut_mac), (source, str(first + step)), size, (sources, each)),
            mode=api.STLTXCont(pps=1),
            mac_src_override_by_pkt=1,
            mac_dst_override_mode=api.STLStreamDstMAC_PKT,
        )
        for step in range(sinks)
    ]


def packet(api: Any, macs: "tuple[str, str]", addresses: "tuple[str, str]", size: int, flows: "tuple[int, int]") -> Any:
    """A UDP packet whose source changes; its checksum is 0, which says that there is none."""
    six = ":" in addresses[0]
    ether, udp = api.Ether(src=macs[0], dst=macs[1]), api.UDP(sport=FIRST_PORT, dport=9, chksum=0)
    network = importlib.import_module("scapy.layers.inet6").IPv6 if six else api.IP
    plain = ether / network(src=addresses[0], dst=addresses[1]) / udp
    low = int(ipaddress.ip_address(addresses[0])) & 0xFFFFFFFF
    names = api.STLVmTupleGen(
        name="from",
        ip_min=low,
        ip_max=low + flows[0] - 1,
        port_min=FIRST_PORT,
        port_max=FIRST_PORT + flows[1] - 1,
        limit_flows=flows[0] * flows[1],
    )
    written = [
        api.STLVmWrFlowVar(fv_name="from.ip", pkt_offset=34 if six else 26),  # its last four octets
        api.STLVmWrFlowVar(fv_name="from.port", pkt_offset=54 if six else 34),
    ]
    fixed = [] if six else [api.STLVmFixIpv4(offset=14)]
    filled = plain / (b"\0" * (size - 4 - len(plain)))
    return api.STLPktBuilder(pkt=filled, vm=api.STLScVmRaw([names, *written, *fixed]))


def one_line(words: str) -> str:
    """What the client says, without what colours it."""
    return " ".join(re.sub("\x1b\\[[0-9;]*m", "", words).split())


def ports_text(ports: "list[int]") -> str:
    """Ports as the matrix names them."""
    return ", ".join(f"port{port}" for port in ports) or "none"


def main(folder: str, number: str, verb: str, *words: str) -> None:
    """Do what the script asks for."""
    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told.set())
    port = Port(load_api(folder), int(number))
    port.connect()
    if verb == "look":
        found = port.look()
        print(found["src_mac"], found["driver"], int(found["speed"] * 1000), sep="\t")
        port.client.disconnect()
        return
    if verb == "send":
        port.acquire()
        port.begin(frames(port.api, words), int(words[6]), int(words[7]))
    port.tell(verb == "send", told)


if __name__ == "__main__":
    main(*sys.argv[1:])
