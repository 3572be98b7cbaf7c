"""A server that speaks as TRex's does to its clients, and whose ports are interfaces of Linux: frames are frames.

    python -m tests.scripts.trex.server FOLDER INTERFACE...

It takes what the grammar allows and refuses all else. FOLDER/owner names who holds every port, FOLDER/down that no
port has a link, FOLDER/taken who takes a port while it sends.
"""

from __future__ import annotations

import json
import struct
import sys
import threading
import time
import zlib
from pathlib import Path

import zmq

from tests.scripts.trex import grammar
from tests.scripts.trex.grammar import Json
from tests.scripts.trex.wire import Port

_MAGIC = 0xABE85CEA
_API = {"type": "core", "major": 4, "minor": 1}
_RATES = dict.fromkeys(("m_total_tx_bps", "m_total_tx_pps", "m_total_rx_bps", "m_total_rx_pps"), 0)
_EVENT_ACQUIRED = 5
_PUBLISHED_S = 0.5


class RefusedError(Exception):
    """What the server does not do."""


class Server:
    """The two sockets of a server, and its ports."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.folder = folder
        self.ports = [Port(name) for name in names]
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.calls, self.news = context.socket(zmq.REP), context.socket(zmq.PUB)
        self.calls.bind("tcp://127.0.0.1:4501")
        self.news.bind("tcp://127.0.0.1:4500")
        self.lock = threading.Lock()

    def serve(self) -> None:
        threading.Thread(target=self._publish_always, daemon=True).start()
        while True:
            asked = json.loads(_unzipped(self.calls.recv()))
            said = [self._answer(item) for item in asked] if isinstance(asked, list) else self._answer(asked)
            self.calls.send(json.dumps(said).encode())

    def _publish_always(self) -> None:
        while True:
            self._publish(baseline=False)
            if any(port.sends for port in self.ports) and (who := self._said("taken")):
                thief = {"port_id": 0, "session_id": 1, "who": who, "force": True}
                self._tell("trex-event", thief, kind=_EVENT_ACQUIRED)
            time.sleep(_PUBLISHED_S)

    def _publish(self, *, baseline: bool) -> None:
        data: Json = dict.fromkeys(("m_cpu_util", "m_rx_cpu_util", "m_tx_bps", "m_tx_pps", "m_rx_bps", "m_rx_pps"), 0.0)
        data["m_total_queue_full"] = 0
        for number, port in enumerate(self.ports):
            data.update({f"{name}-{number}": value for name, value in (port.counters | _RATES).items()})
        self._tell("trex-global", data, baseline=baseline)

    def _tell(self, name: str, data: Json, *, kind: int = 0, baseline: bool = False) -> None:
        message = {"name": name, "type": kind, "data": data, "baseline": baseline}
        with self.lock:
            self.news.send(json.dumps(message).encode())

    def _said(self, name: str) -> str:
        path = self.folder / name
        return path.read_text().strip() if path.exists() else ""

    def _answer(self, asked: Json) -> Json:
        match asked:
            case {"jsonrpc": "2.0", "id": number, "method": str() as method, "params": dict() as words}:
                pass
            case _:
                return {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Bad JSON RPC format"}}
        if method not in grammar.CALLS:
            return {"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "Method not found"}}
        if wrong := grammar.wrong_call(method, words):
            return {"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": wrong}}
        try:
            return {"jsonrpc": "2.0", "id": number, "result": self._do(method, words)}
        except RefusedError as error:
            generic = {"code": -32000, "message": "Generic error", "specific_err": str(error)}
            return {"jsonrpc": "2.0", "id": number, "error": generic}

    def _do(self, method: str, words: Json) -> object:
        if "port_id" in words:
            return self._of_port(method, words, self.ports[int(str(words["port_id"]))])
        if method == "publish_now":
            self._publish(baseline=bool(words["baseline"]))
            self._tell("trex-barrier", {}, kind=int(str(words["key"])))
        if method == "api_sync" and words["api_vers"] != [_API]:
            raise RefusedError("Version mismatch - core API")
        ports = [{"index": number, "driver": "net_af_packet"} for number in range(len(self.ports))]
        return {
            "api_sync": {"api_vers": [{"type": "core", "api_h": "a handle"}]},
            "get_version": {"version": "v2.32", "mode": "STL"},
            "get_system_info": {"port_count": len(ports), "ports": ports},
            "get_active_pgids": {"ids": {"latency": [], "flow_stats": []}},
            "get_pgid_stats": {"ver_id": {}, "flow_stats": None, "latency": None},
            "get_supported_cmds": sorted(grammar.CALLS),
        }.get(method, {})

    def _of_port(self, method: str, words: Json, port: Port) -> object:
        if method in grammar.OWNERS:
            if words["handler"] != port.handler:
                raise RefusedError("Port is not owned or has been acquired by another")
            self._of_owner(method, words, port)
            return {}
        if method == "acquire":
            owner = self._owner(port)
            if owner and not words["force"]:
                raise RefusedError(f"port is already taken by '{owner}'")
            port.owner, port.handler = str(words["user"]), f"handle {words['session_id']}"
            return port.handler
        if method == "get_all_streams":
            return {"streams": {}}
        return port.status(owner=self._owner(port), up=not self._said("down"))

    def _of_owner(self, method: str, words: Json, port: Port) -> None:
        match method:
            case "release":
                port.owner, port.handler = "", ""
            case "add_stream":
                self._add(port, words)
            case "start_traffic":
                if self._said("down"):
                    raise RefusedError("Link is down")
                port.start(words["mul"], float(str(words["duration"])))  # type: ignore[arg-type]
            case "stop_traffic":
                port.stop()
            case "remove_all_streams":
                port.streams.clear()

    def _owner(self, port: Port) -> str:
        return self._said("owner") or port.owner

    def _add(self, port: Port, words: Json) -> None:
        stream = words["stream"]
        instructions = stream["vm"].get("instructions", [])  # type: ignore[index]
        wrong = grammar.wrong_stream(stream)  # type: ignore[arg-type]
        if wrong := wrong or next(filter(None, map(grammar.wrong_instruction, instructions)), ""):
            raise RefusedError(wrong)
        port.streams.append(stream)  # type: ignore[arg-type]


def _unzipped(message: bytes) -> bytes:
    if len(message) >= 8 and struct.unpack(">II", message[:8])[0] == _MAGIC:
        return zlib.decompress(message[8:])
    return message


if __name__ == "__main__":
    Server(Path(sys.argv[1]), sys.argv[2:]).serve()
